import { isRecord } from '../../base/index.ts'
import { setField } from '../../object/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import { type FieldSet, hasNoFields, isMember, noFields, self } from '../fieldset/fieldset.ts'
import { itemElement } from './listitem.ts'
import { anyShape, type ListShape, type Shape } from './shape.ts'
import { isEmptyRecord, type JsonFields } from './value.ts'

/** Whether a field or item is kept, dropped, or kept as far as some of the paths below it are. */
type Verdict = 'keep' | 'drop' | 'descend'
/** Decides about a child by its element; `named`: it is a struct's field, else a map's key or a list's item. */
export type Judge<Context> = (
  context: Context,
  element: string,
  named: boolean,
) => { readonly verdict: Verdict; readonly inner: Context; readonly keepsEmpty?: boolean; readonly keepsBare?: boolean }

/**
 * The value without the fields of a set and everything below them. Returns the value itself when nothing is removed.
 */
export function removeFields(shape: Shape, value: unknown, set: FieldSet): unknown {
  return rebuild(shape, value, set, (context, element) => {
    const node = context[element]
    if (node === undefined) return { verdict: 'keep', inner: noFields }
    return { verdict: isMember(node) ? 'drop' : 'descend', inner: node, keepsEmpty: true }
  })
}

/** The part of a value in a set: its leaves, with their ancestors. Undefined: the set has no part of it. */
export function extractFields(shape: Shape, value: unknown, set: FieldSet): unknown {
  const extracted = rebuild(shape, value, set, (context, element) => {
    const node = context[element]
    if (node === undefined) return { verdict: 'drop', inner: noFields }
    // A leaf is taken whole.
    return { verdict: hasNoFields(node) ? 'keep' : 'descend', inner: node, keepsEmpty: isMember(node) }
  })
  return isRecord(extracted) && isEmptyRecord(extracted) ? undefined : extracted
}

/**
 * The value without the fields that the applier gave up: those in its `last` set that no manager has in `owned` now. A
 * struct's field counts as owned if any path below it is; a map's key or a list's item only when it is itself.
 */
export function removeGivenUp(shape: Shape, value: unknown, last: FieldSet, owned: FieldSet): unknown {
  return rebuild(shape, value, { last, owned }, judgeGivenUp)
}

/** An applier's last set, and the union of all present sets. */
export interface GivenUp {
  readonly last: FieldSet
  readonly owned: FieldSet
}

const judgeGivenUp: Judge<GivenUp> = (context, element, named) => {
  const lastNode = context.last[element]
  if (lastNode === undefined) return { verdict: 'keep', inner: context }
  const ownedNode = context.owned[element]
  const holds = (node: FieldSet): boolean => named || isMember(node)
  if (holds(lastNode) && !(ownedNode && holds(ownedNode))) return { verdict: 'drop', inner: context, keepsBare: true }
  return { verdict: 'descend', inner: { last: lastNode, owned: ownedNode ?? noFields }, keepsEmpty: true }
}

/** A value that stays although all its content was dropped. */
function emptied(before: unknown): unknown {
  return Array.isArray(before) ? [] : {}
}

/** A field that holds only empty lists is in no manager's set: none has given it up. */
function statesNothing(shape: Shape, value: unknown): boolean {
  if (shape.is === 'list') return shape.semantics !== 'atomic' && Array.isArray(value) && value.length === 0
  if (shape.is !== 'struct' || shape.atomic || !isRecord(value) || isEmptyRecord(value)) return false
  return Object.keys(value).every((name) => {
    const field = shape.byName.get(name)
    return field !== undefined && statesNothing(field.shape, value[name])
  })
}

/** Undefined: all its content was dropped. */
function rebuild<Context>(shape: Shape, value: unknown, context: Context, judge: Judge<Context>): unknown {
  switch (shape.is) {
    case 'scalar':
      return value
    case 'list':
      return shape.semantics === 'atomic' || !Array.isArray(value) ? value : rebuildList(shape, value, context, judge)
    case 'map':
      return shape.atomic || !isRecord(value)
        ? value
        : rebuildMap(() => ({ inner: shape.element, named: false }), value, context, judge)
    case 'struct':
      return shape.atomic || !isRecord(value)
        ? value
        : rebuildMap(
            (name) => {
              const field = shape.byName.get(name)
              return { inner: field?.shape ?? anyShape, named: field !== undefined }
            },
            value,
            context,
            judge,
          )
    case 'any':
      return isRecord(value) ? rebuildMap(() => ({ inner: anyShape, named: false }), value, context, judge) : value
  }
}

function rebuildList<Context>(
  list: ListShape,
  items: readonly unknown[],
  context: Context,
  judge: Judge<Context>,
): unknown {
  const kept: unknown[] = []
  let changed = false
  for (const item of items) {
    const { verdict, inner } = judge(context, itemElement(list, item), false)
    const left = verdict === 'descend' ? (rebuild(list.element, item, inner, judge) ?? {}) : item
    if (verdict === 'drop' || left !== item) changed = true
    if (verdict !== 'drop') kept.push(left)
  }
  if (!changed) return items
  return kept.length === 0 ? undefined : kept
}

function rebuildMap<Context>(
  shapeOf: (name: string) => { inner: Shape; named: boolean },
  value: JsonFields,
  context: Context,
  judge: Judge<Context>,
): unknown {
  const kept: Record<string, unknown> = {}
  let changed = false
  let isEmptied = true
  for (const name of Object.keys(value)) {
    const { inner: shape, named } = shapeOf(name)
    const { verdict, inner, keepsEmpty, keepsBare } = judge(context, fieldElement(name), named)
    const before = value[name]
    const drops = verdict === 'drop' && !(named && keepsBare && statesNothing(shape, before))
    let left = verdict === 'descend' ? rebuild(shape, before, inner, judge) : before
    if (left === undefined && keepsEmpty) left = emptied(before)
    if (left !== before || drops) changed = true
    if (!drops) isEmptied = false
    if (!drops && left !== undefined) setField(kept, name, left)
  }
  if (!changed) return value
  return isEmptied ? undefined : kept
}

/** The set with every struct's field on the path to a member as a member itself. */
export function withNamedFields(shape: Shape, set: FieldSet): FieldSet {
  const result: Record<string, FieldSet> = {}
  for (const element in set) {
    const node = set[element] ?? noFields
    if (element === self) {
      result[element] = node
      continue
    }
    const field = shape.is === 'struct' ? shape.byName.get(element.slice(2)) : undefined
    const inner = field?.shape ?? (shape.is === 'map' || shape.is === 'list' ? shape.element : anyShape)
    const children = withNamedFields(inner, node)
    result[element] = field && !isMember(children) ? { [self]: noFields, ...children } : children
  }
  return result
}
