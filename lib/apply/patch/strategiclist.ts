import { isRecord } from '../../base/index.ts'
import { goTypeName, unclassified, unprocessable } from './failure.ts'
import { formatGo } from './goformat.ts'

type Item = Record<string, unknown>

/** Merges and copies the items of a list: the caller knows their type. */
interface ItemMerger {
  merge(item: Item, patch: Item): unknown
  take(item: unknown): unknown
}

/**
 * Merges a list of objects by merge key, or a list of scalars as a set. Items of the patch keep their order, items of
 * the live list keep theirs; the live list decides how the two interleave.
 */
export function mergeLists(live: unknown[], patch: unknown[], mergeKey: string, merger: ItemMerger): unknown[] {
  if (live.length === 0 && patch.length === 0) return live
  if (elementKind([live, patch]) !== 'map') {
    return interleave([...new Set([...live, ...patch])], patch, live, (item) => item)
  }
  if (mergeKey === '') throw unclassified('cannot merge lists without merge key')
  const special = applyItemDirectives(live as Item[], patch as Item[], mergeKey)
  const merged = mergeItems(special.live, special.patch, mergeKey, merger)
  return interleave(merged, special.patch, special.live, (item) => keyOf(item, mergeKey))
}

/** `$setElementOrder`. */
export const orderByDirective = {
  /**
   * Items of the patch must be in the order of the directive, otherwise the patch contradicts itself. An empty one
   * requires nothing.
   */
  check(patch: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
    if (order.length === 0) return
    let at = 0
    const wanted = patch.filter((item) => !(isRecord(item) && item.$patch === 'delete'))
    for (const placed of order) {
      if (at < wanted.length && sameKey(wanted[at], placed, mergeKey)) at++
    }
    if (at < wanted.length && patch.length > 0) {
      throw unclassified(
        `The order in patch list:\n${formatGo(patch)}\n doesn't match $setElementOrder list:\n${formatGo(order)}\n`,
      )
    }
  },
  sort(merged: readonly unknown[], order: readonly unknown[], live: readonly unknown[], mergeKey: string): unknown[] {
    const key = (item: unknown): unknown => (mergeKey === '' ? item : keyOf(item, mergeKey))
    return interleave(merged, order, live, key)
  },
}

/** 'map' or the scalar's type; all items of a merged list have the same. */
export function elementKind(lists: readonly (readonly unknown[])[]): string {
  let kind: string | undefined
  for (const list of lists) {
    for (const item of list) {
      const own = isRecord(item) ? 'map' : Array.isArray(item) ? 'list' : item === null ? 'null' : typeof item
      if (own === 'list' && kind === undefined) throw unprocessable('lists of lists are not supported')
      if (kind !== undefined && kind !== own) {
        throw unclassified(`list element types are not identical: ${formatGo(lists)}`)
      }
      kind = own
    }
  }
  return kind ?? 'map'
}

function applyItemDirectives(live: Item[], patch: Item[], mergeKey: string): { live: Item[]; patch: Item[] } {
  let replaced = false
  const deleted = new Set<unknown>()
  const plain: Item[] = []
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) plain.push(item)
    else if (item.$patch === 'delete') deleted.add(keyOf(item, mergeKey))
    else if (item.$patch === 'replace') replaced = true
    else if (item.$patch === 'merge') throw unclassified('merging lists cannot yet be specified in the patch')
    else throw unclassified(`unknown patch type: ${formatGo(item.$patch)} in map: ${formatGo(item)}`)
  }
  if (replaced) return { live: [], patch: plain }
  const kept = deleted.size === 0 ? live : live.filter((item) => !deleted.has(item[mergeKey]))
  return { live: kept, patch: plain }
}

function mergeItems(live: readonly Item[], patch: readonly Item[], mergeKey: string, merger: ItemMerger): unknown[] {
  const merged: unknown[] = live.slice()
  const placeOf = new Map<unknown, number>()
  for (const [index, item] of live.entries()) {
    const key = item[mergeKey]
    if (!placeOf.has(key)) placeOf.set(key, index)
  }
  for (const item of patch) {
    const key = keyOf(item, mergeKey)
    const place = placeOf.get(key)
    const existing = place === undefined ? undefined : merged[place]
    if (place !== undefined && isRecord(existing)) merged[place] = merger.merge(existing, item)
    else {
      placeOf.set(key, merged.length)
      merged.push(takeWithKey(item, mergeKey, merger))
    }
  }
  return merged
}

/** A null key is a key, too: elsewhere null removes a field, but here it identifies the item. */
function takeWithKey(item: Item, mergeKey: string, merger: ItemMerger): unknown {
  const isNull = item[mergeKey] === null
  const taken = merger.take(item)
  if (isNull && isRecord(taken)) taken[mergeKey] = null
  return taken
}

/**
 * Items that `order` names in its order, the others in the live order; if both kinds are in the live list, an unnamed
 * item before a named one stays before it.
 */
function interleave(
  merged: readonly unknown[],
  order: readonly unknown[],
  live: readonly unknown[],
  key: (item: unknown) => unknown,
): unknown[] {
  const wanted = firstPlaces(order, key)
  const before = firstPlaces(live, key)
  const place = (places: Map<unknown, number>, item: unknown): number => places.get(key(item)) ?? -1
  const named = merged.filter((item) => wanted.has(key(item))).sort((a, b) => place(wanted, a) - place(wanted, b))
  const others = merged.filter((item) => !wanted.has(key(item))).sort((a, b) => place(before, a) - place(before, b))
  const result: unknown[] = []
  let next = 0
  for (const item of named) {
    const bound = place(before, item)
    while (next < others.length && bound >= 0 && place(before, others[next]) >= 0) {
      if (place(before, others[next]) > bound) break
      result.push(others[next++])
    }
    result.push(item)
  }
  return result.concat(others.slice(next))
}

function firstPlaces(items: readonly unknown[], key: (item: unknown) => unknown): Map<unknown, number> {
  const places = new Map<unknown, number>()
  for (const [index, item] of items.entries()) {
    const own = key(item)
    if (!places.has(own)) places.set(own, index)
  }
  return places
}

function sameKey(left: unknown, right: unknown, mergeKey: string): boolean {
  return mergeKey === '' ? left === right : keyOf(left, mergeKey) === keyOf(right, mergeKey)
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isRecord(item)) throw unclassified(`expected a map[string]interface {}, but received a ${goTypeName(item)}`)
  if (Object.hasOwn(item, mergeKey)) return item[mergeKey]
  throw unclassified(`map: ${formatGo(item)} does not contain declared merge key: ${mergeKey}`)
}
