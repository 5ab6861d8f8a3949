import { itemElement } from './listitem.ts'
import { anyShape, type Shape } from './shape.ts'
import type { JsonFields } from './value.ts'

/**
 * The owned paths of a new object as a text: names, items of lists by their elements, and for values only whether a
 * type may imply them. Objects with the same outline own the same fields (compareTyped with an absent value), and most
 * objects come from a template. Undefined when it is longer than `charactersMax`. Throws TypedError as compareTyped
 * does.
 *
 * `{spec:{image:"a",ports:[{port:80},{port:81}],paused:false}}` becomes
 * `{4:spec{5:imagex5:ports[13:k:{"port":80}{4:portx}13:k:{"port":81}{4:portx}]6:pausedf}}`.
 */
export function outlineOf(shape: Shape, value: unknown, charactersMax: number): string | undefined {
  if (typeof value !== 'object') return scalarOutline(value)
  if (value === null) return 'n'
  return Array.isArray(value)
    ? listOutline(shape, value, charactersMax)
    : recordOutline(shape, value as JsonFields, charactersMax)
}

function listOutline(shape: Shape, items: readonly unknown[], charactersMax: number): string | undefined {
  if (items.length === 0) return '[]'
  if (shape.is !== 'list' || shape.semantics === 'atomic') return '[x]'
  let text = '['
  for (const item of items) {
    text += named(itemElement(shape, item))
    const inner = outlineOf(shape.element, item, charactersMax - text.length)
    if (inner === undefined || text.length > charactersMax) return undefined
    text += inner
  }
  return text.length < charactersMax ? `${text}]` : undefined
}

function recordOutline(shape: Shape, record: JsonFields, charactersMax: number): string | undefined {
  const isGranular = shape.is === 'any' || ((shape.is === 'map' || shape.is === 'struct') && !shape.atomic)
  let text = '{'
  for (const key in record) {
    const value = record[key]
    if (value === undefined) continue
    if (!isGranular) return '{x}'
    text += named(key)
    const inner = outlineOf(innerShape(shape, key), value, charactersMax - text.length)
    if (inner === undefined || text.length > charactersMax) return undefined
    text += inner
  }
  return text.length < charactersMax ? `${text}}` : undefined
}

function innerShape(shape: Shape, key: string): Shape {
  if (shape.is === 'struct') return shape.byName.get(key)?.shape ?? anyShape
  return shape.is === 'map' ? shape.element : anyShape
}

/** A name has its length as prefix, so that it may contain any character. */
function named(name: string): string {
  return `${name.length}:${name}`
}

/** One letter for each value that a type may imply (see FieldShape), one for all others. */
function scalarOutline(value: unknown): string {
  switch (value) {
    case '':
      return 'e'
    case 0:
    case 0n:
      return 'z'
    case false:
      return 'f'
    case '0':
      return 'q'
    case '0s':
      return 'd'
    default:
      return 'x'
  }
}
