import type { KindSchema } from '../../lib/console/tryout/openapischema.ts'
import { mergeKeys, schemaAt } from './schema.ts'
import type { FieldPath } from './yamloutline.ts'

/** A field's name, or the keys of an item of a list that is merged by keys. */
export type ChangeStep = string | Readonly<Record<string, unknown>>

/** A change of one field; undefined is its absence. */
export interface FieldChange {
  readonly path: readonly ChangeStep[]
  readonly before: unknown
  readonly after: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** Depth of objects that are compared by fields; deeper ones are compared as a whole. */
const depthMax = 50

/** The smallest changes that lead from one object to the other. Lists that have no keys to merge by change as a whole. */
export function changesBetween(before: unknown, after: unknown, kind: KindSchema | undefined): FieldChange[] {
  const found: FieldChange[] = []
  const compare = (a: unknown, b: unknown, path: readonly ChangeStep[], place: FieldPath): void => {
    if (isEqual(a, b)) return
    if (isRecord(a) && isRecord(b) && path.length < depthMax) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        compare(own(a, name), own(b, name), [...path, name], [...place, name])
      return
    }
    const keys = kind && mergeKeys(schemaAt(kind, place))
    const [left, right] = keys ? [byKeys(a, keys), byKeys(b, keys)] : []
    if (!left || !right || path.length >= depthMax) return void found.push({ path, before: a, after: b })
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      const [one, other] = [left.get(name), right.get(name)]
      const step = keysOf(one ?? other, keys ?? [])
      compare(one, other, [...path, step], [...place, 0])
    }
  }
  compare(before, after, [], [])
  return found
}

/** The object with the changes made to it. Items of a list are found by their keys; new ones come last. */
export function withChanges(object: unknown, changes: readonly FieldChange[]): unknown {
  return changes.reduce<unknown>((value, { path, after }) => withValue(value, path, after), object)
}

function withValue(value: unknown, [step, ...rest]: readonly ChangeStep[], after: unknown): unknown {
  if (step === undefined) return after
  if (typeof step === 'string') {
    const { [step]: current, ...others } = isRecord(value) ? value : {}
    const next = withValue(current, rest, after)
    if (next === undefined) return others
    return isRecord(value) && step in value ? { ...value, [step]: next } : { ...others, [step]: next }
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const index = items.findIndex((item) => hasKeys(item, step))
  const next = withValue(index < 0 ? step : items[index], rest, after)
  if (index < 0) return next === undefined ? items : [...items, next]
  return next === undefined ? items.toSpliced(index, 1) : items.with(index, next)
}

/** The value at the path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly ChangeStep[]): unknown {
  let found = value
  for (const step of path)
    if (typeof step === 'string') found = isRecord(found) ? own(found, step) : undefined
    else found = Array.isArray(found) ? found.find((item) => hasKeys(item, step)) : undefined
  return found
}

/** `.spec.containers[name="web"].image`, as the causes of a conflict name fields. */
export function pathText(path: readonly ChangeStep[]): string {
  return path.map((step) => (typeof step === 'string' ? `.${step}` : `[${keysText(step)}]`)).join('')
}

function keysText(keys: Fields): string {
  return Object.entries(keys)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',')
}

/** Whether `inner` is `outer`, or below it. */
export function leadsTo(outer: string, inner: string): boolean {
  return inner.startsWith(outer) && /^(?:$|[.[])/.test(inner.slice(outer.length))
}

export function areNested(a: string, b: string): boolean {
  return leadsTo(a, b) || leadsTo(b, a)
}

/** Deep equality of JSON values; the order of fields does not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isEqual(item, b[at]))
  if (!isRecord(a) || !isRecord(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => name in b && isEqual(a[name], b[name]))
}

/** Whether a value holds an integer beyond those that a JavaScript number holds exactly. */
export function hasLargeIntegers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLargeIntegers)
}

/** The items by the text of their keys; undefined where two share them or one lacks them. An absent list has no items. */
function byKeys(list: unknown, keys: readonly string[]): Map<string, unknown> | undefined {
  if (list === undefined) return new Map()
  if (!Array.isArray(list)) return undefined
  const items = new Map<string, unknown>()
  for (const item of list) if (isRecord(item)) items.set(keysText(keysOf(item, keys)), item)
  return items.size === list.length ? items : undefined
}

/** Undefined for keys that the item does not set: their default is known to the server only. */
function keysOf(item: unknown, keys: readonly string[]): Fields {
  const fields = isRecord(item) ? item : {}
  return Object.fromEntries(keys.map((key) => [key, fields[key]]))
}

function hasKeys(item: unknown, keys: Fields): boolean {
  return isRecord(item) && Object.entries(keys).every(([name, value]) => item[name] === value)
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
