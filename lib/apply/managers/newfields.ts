import type { ApiObject } from '../../object/index.ts'
import { canonical } from '../fieldset/canonical.ts'
import type { FieldSet } from '../fieldset/fieldset.ts'
import { compareTyped } from '../typed/compare.ts'
import { outlineOf } from '../typed/outline.ts'
import type { Shape } from '../typed/shape.ts'
import { comparable } from './comparable.ts'

/** Sets of a generation, and the longest outline that is kept: four megabytes at most, usually a tenth of that. */
const rememberedMax = 256
const outlineCharactersMax = 8192

/** All fields of a new object, in canonical order. Throws TypedError for values that don't match their type. */
export type NewFields = (shape: Shape, object: ApiObject) => FieldSet

/**
 * Caches the sets of recent objects, since objects made from one template own the same fields: the cache has two
 * generations, and the younger holds the lookups since the older one was replaced.
 */
export function createNewFields(): NewFields {
  const ids = new WeakMap<Shape, number>()
  let made = 0
  let young = new Map<string, FieldSet>()
  let old = new Map<string, FieldSet>()

  function idOf(shape: Shape): number {
    const known = ids.get(shape)
    if (known !== undefined) return known
    ids.set(shape, ++made)
    return made
  }

  function remember(key: string, set: FieldSet): void {
    if (young.size >= rememberedMax) {
      old = young
      young = new Map()
    }
    young.set(key, set)
  }

  return function (shape, object) {
    const value = comparable(object)
    const outline = outlineOf(shape, value, outlineCharactersMax)
    if (outline === undefined) return canonical(compareTyped(shape, {}, value).changed)
    const key = `${idOf(shape)}${outline}`
    const recent = young.get(key)
    if (recent) return recent
    const set = old.get(key) ?? canonical(compareTyped(shape, {}, value).changed)
    remember(key, set)
    return set
  }
}
