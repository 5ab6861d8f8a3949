import { isRecord } from '../../base/index.ts'
import { copyObject, type JsonObject, setField, statusErrors } from '../../object/index.ts'
import type { Field, StructType, Type } from '../../schema/index.ts'
import { checkDepth, goTypeName, noObject, unclassified } from './failure.ts'
import { formatGo } from './goformat.ts'
import { elementKind, mergeLists, orderByDirective } from './strategiclist.ts'

const directive = '$patch'
const retainKeysDirective = '$retainKeys'
const deletionPrefix = '$deleteFromPrimitiveList'
const orderPrefix = '$setElementOrder'

type Record_ = Record<string, unknown>

/**
 * Strategic merge patch over a built-in type: objects merge, null removes, lists merge if their type demands it (items
 * by merge key, scalars as a set) and are replaced otherwise. Directives: `$patch: replace | delete`, `$retainKeys`,
 * `$deleteFromPrimitiveList/<field>`, `$setElementOrder/<field>`. Changes the document to the result; the patch is not
 * changed, and the result shares nothing with it. Throws a StatusError: 400 or 422 for a malformed directive, 500
 * without a reason for other errors.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: unknown, type: StructType): JsonObject {
  const changes = patch ?? {}
  if (!isRecord(changes)) throw statusErrors.badRequest(noObject(changes))
  checkDepth(changes)
  const copy = copyObject(changes)
  return mergeObjects(document, copy, type) as JsonObject
}

/** Merges `patch` into `original` in place; both are private copies. */
function mergeObjects(original: Record_, patch: Record_, type: Type | undefined): Record_ {
  if (Object.hasOwn(patch, directive)) return replaceOrClear(patch)
  retainKeys(original, patch)
  const ordered = mergeOrderedLists(original, patch, type)
  // Deletions from primitive lists come last, so that an item both removed and added is removed, as in ordered lists.
  const keys = Object.keys(patch).filter((key) => !key.startsWith(orderPrefix) && !ordered.has(key))
  for (const key of keys) {
    if (!key.startsWith(deletionPrefix)) mergeField(original, key, patch[key], type)
  }
  for (const key of keys) if (key.startsWith(deletionPrefix)) deleteFromPrimitives(original, patch, key, type)
  return original
}

function replaceOrClear(patch: Record_): Record_ {
  const wanted = patch[directive]
  if (wanted === 'delete') return {}
  if (wanted !== 'replace') throw unclassified(`unknown patch type: ${formatGo(wanted)} in map: ${formatGo(patch)}`)
  delete patch[directive]
  return withoutDirectives(patch) as Record_
}

function retainKeys(original: Record_, patch: Record_): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return
  const written = patch[retainKeysDirective]
  delete patch[retainKeysDirective]
  const malformed = (): Error => statusErrors.badRequest('invalid patch format of retainKeys')
  if (!Array.isArray(written)) throw malformed()
  const retained = new Set(written)
  for (const key of Object.keys(patch)) {
    const isDirective = key.startsWith(deletionPrefix) || key.startsWith(orderPrefix)
    if (patch[key] !== null && !isDirective && !retained.has(key)) throw malformed()
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key]
}

/** Merges lists that come with an order of their items; returns their fields. */
function mergeOrderedLists(original: Record_, patch: Record_, type: Type | undefined): Set<string> {
  const done = new Set<string>()
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue
    const order = requireList(patch[key])
    const field = fieldAfter(key, orderPrefix, 'invalid patch format of setElementOrder list')
    const live = Object.hasOwn(original, field) ? requireList(original[field]) : undefined
    const change = Object.hasOwn(patch, field) ? requireList(patch[field]) : undefined
    const strategy = strategyOf(type, field)
    if (live === undefined && change === undefined) continue
    done.add(field)
    setField(original, field, mergeInOrder(live, change, order, strategy))
  }
  return done
}

function mergeInOrder(
  live: unknown[] | undefined,
  change: unknown[] | undefined,
  order: unknown[],
  strategy: Strategy,
): unknown[] {
  orderByDirective.check(change ?? [], order, strategy.mergeKey)
  const merged =
    live === undefined
      ? (withoutDirectives(change) as unknown[])
      : change === undefined
        ? live.slice()
        : mergeListField(live.slice(), change, strategy)
  return orderByDirective.sort(merged, order, live ?? [], strategy.mergeKey)
}

function deleteFromPrimitives(original: Record_, patch: Record_, key: string, type: Type | undefined): void {
  const field = fieldAfter(key, deletionPrefix, 'invalid patch format of primitive list')
  const gone = patch[key]
  if (gone === null || gone === undefined) {
    delete original[field]
    return
  }
  const live = Object.hasOwn(original, field) ? original[field] : undefined
  if (!Array.isArray(live) || !Array.isArray(gone)) return
  strategyOf(type, field)
  if (live.length + gone.length > 0 && elementKind([live, gone]) === 'map') {
    throw unclassified(`cannot merge lists without merge key for ${field}`)
  }
  const set = new Set(gone)
  setField(
    original,
    field,
    live.filter((item) => !set.has(item)),
  )
}

function mergeField(original: Record_, key: string, change: unknown, type: Type | undefined): void {
  if (change === null || change === undefined) {
    delete original[key]
    return
  }
  const live = Object.hasOwn(original, key) ? original[key] : undefined
  if (isRecord(live) && isRecord(change)) {
    const strategy = strategyOf(type, key)
    const merged = strategy.action === 'replace' ? withoutDirectives(change) : mergeObjects(live, change, strategy.type)
    setField(original, key, merged)
  } else if (Array.isArray(live) && Array.isArray(change)) {
    setField(original, key, mergeListField(live, change, strategyOf(type, key)))
  } else {
    const taken = withoutDirectives(change)
    if (taken !== undefined) setField(original, key, taken)
  }
}

function mergeListField(live: unknown[], change: unknown[], strategy: Strategy): unknown[] {
  if (strategy.action !== 'merge') return withoutDirectives(change) as unknown[]
  const element = strategy.type?.is === 'list' ? strategy.type.element : undefined
  return mergeLists(live, change, strategy.mergeKey, {
    merge: (item, patch) => mergeObjects(item, patch, element),
    take: (item) => withoutDirectives(item),
  })
}

interface Strategy {
  readonly action: 'merge' | 'replace' | ''
  readonly mergeKey: string
  readonly type: Type | undefined
}

const freeForm: Strategy = { action: '', mergeKey: '', type: undefined }

/** How a field merges. Values without a known type (extensions, stored unknown fields) merge as plain JSON. */
function strategyOf(type: Type | undefined, key: string): Strategy {
  if (type === undefined || type.is === 'any') return freeForm
  if (type.is === 'map') return { action: '', mergeKey: '', type: type.element }
  const field = type.is === 'struct' ? type.byName.get(key) : undefined
  if (field) return { action: actionOf(field), mergeKey: field.patchMergeKey, type: field.type }
  const name = type.is === 'struct' ? type.name.slice(type.name.lastIndexOf('.') + 1) : type.is
  throw unclassified(`unable to find api field in struct ${name} for the json field "${key}"`)
}

function actionOf(field: Field): Strategy['action'] {
  for (const strategy of field.patchStrategy.split(',')) {
    if (strategy === 'merge' || strategy === 'replace') return strategy
  }
  return ''
}

function fieldAfter(key: string, prefix: string, malformed: string): string {
  if (!key.startsWith(`${prefix}/`)) throw statusErrors.badRequest(malformed)
  return key.slice(prefix.length + 1)
}

function requireList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw unclassified(`expected a []interface {}, but received a ${goTypeName(value)}`)
}

/**
 * A part of a patch that is added whole: nulls in it are removed, and so are directives; an object marked
 * `$patch: delete` is undefined.
 */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return itemsWithoutDirectives(value)
  if (!isRecord(value)) return value
  if (Object.hasOwn(value, directive) && value[directive] !== 'replace') return undefined
  for (const key of Object.keys(value)) {
    const isDirective =
      key === directive ||
      key === retainKeysDirective ||
      key.startsWith(`${deletionPrefix}/`) ||
      key.startsWith(`${orderPrefix}/`)
    const item = value[key]
    if (isDirective || item === null) delete value[key]
    else if (typeof item === 'object') {
      const kept = withoutDirectives(item)
      if (kept === undefined) delete value[key]
      else setField(value, key, kept)
    }
  }
  return value
}

function itemsWithoutDirectives(items: readonly unknown[]): unknown[] {
  const kept: unknown[] = []
  for (const item of items) {
    const own = typeof item === 'object' ? withoutDirectives(item) : item
    if (own !== undefined) kept.push(own)
  }
  return kept
}
