import { assert } from '../../base/index.ts'
import { prefixEnd } from '../../storage/index.ts'
import type { Predicate } from '../contract.ts'
import type { CacheEvent } from '../state/cacheevent.ts'
import { WatcherGroup } from './watchergroup.ts'

type Visit = (group: WatcherGroup) => void

/**
 * The watcher groups of one key range: those whose predicate requires a field's value, indexed by it, and the others.
 */
class Scope {
  readonly others = new Set<WatcherGroup>()
  readonly byField = new Map<string, Map<string, Set<WatcherGroup>>>()

  get empty(): boolean {
    return this.others.size === 0 && this.byField.size === 0
  }

  add(group: WatcherGroup): void {
    const equals = group.predicate?.equals
    if (!equals) {
      this.others.add(group)
      return
    }
    const byValue = this.byField.get(equals.field) ?? new Map<string, Set<WatcherGroup>>()
    const groups = byValue.get(equals.value) ?? new Set<WatcherGroup>()
    this.byField.set(equals.field, byValue)
    byValue.set(equals.value, groups)
    groups.add(group)
  }

  delete(group: WatcherGroup): void {
    const equals = group.predicate?.equals
    if (!equals) {
      this.others.delete(group)
      return
    }
    const byValue = this.byField.get(equals.field)
    const groups = byValue?.get(equals.value)
    groups?.delete(group)
    if (groups?.size === 0) byValue?.delete(equals.value)
    if (byValue?.size === 0) this.byField.delete(equals.field)
  }

  visit(change: CacheEvent, visit: Visit): void {
    for (const group of this.others) visit(group)
    for (const [field, byValue] of this.byField) {
      try {
        const was = change.previous?.fields()[field]
        const is = change.current?.fields()[field]
        if (was !== undefined) for (const group of byValue.get(was) ?? []) visit(group)
        if (is !== undefined && is !== was) for (const group of byValue.get(is) ?? []) visit(group)
      } catch {
        // The fields can't be read: every group evaluates its own predicate and fails alone.
        for (const groups of byValue.values()) for (const group of groups) visit(group)
      }
    }
  }
}

/**
 * Finds the groups that a key concerns without visiting the others: the groups of the whole resource, of the key's
 * namespace, and of the key itself. Other ranges, which no endpoint uses, are searched one by one.
 */
export class Scopes {
  readonly #prefix: string
  readonly #groups = new Map<string, WatcherGroup>()
  readonly #whole = new Scope()
  readonly #namespaces = new Map<string, Scope>()
  readonly #keys = new Map<string, Scope>()
  readonly #ranges = new Map<string, { readonly start: string; readonly end: string; readonly scope: Scope }>()

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  get size(): number {
    return this.#groups.size
  }

  groups(): Iterable<WatcherGroup> {
    return this.#groups.values()
  }

  /** The group of that range and predicate; created when it is missing. */
  open(start: string, end: string, predicate: Predicate | undefined): WatcherGroup {
    const id = WatcherGroup.idOf(start, end, predicate)
    let group = this.#groups.get(id)
    if (!group) {
      group = new WatcherGroup(start, end, predicate)
      this.#groups.set(id, group)
      this.#scopeOf(group).add(group)
    }
    return group
  }

  /** Removes a group without watchers. */
  close(group: WatcherGroup): void {
    assert(group.watchers.size === 0, 'scopes: closing a group with watchers')
    if (!this.#groups.delete(group.id)) return
    const scope = this.#scopeOf(group)
    scope.delete(group)
    if (!scope.empty) return
    this.#namespaces.delete(group.start)
    this.#keys.delete(group.start)
    this.#ranges.delete(`${group.start}\0${group.end}`)
  }

  visit(change: CacheEvent, visit: Visit): void {
    const { key } = change
    this.#whole.visit(change, visit)
    if (this.#namespaces.size > 0) {
      const slash = key.indexOf('/', this.#prefix.length)
      if (slash >= 0) this.#namespaces.get(key.slice(0, slash + 1))?.visit(change, visit)
    }
    if (this.#keys.size > 0) this.#keys.get(key)?.visit(change, visit)
    for (const { start, end, scope } of this.#ranges.values()) if (key >= start && key < end) scope.visit(change, visit)
  }

  #scopeOf({ start, end }: WatcherGroup): Scope {
    if (start === this.#prefix && end === prefixEnd(start)) return this.#whole
    if (end === `${start}\0`) return emplace(this.#keys, start, () => new Scope())
    const slash = start.indexOf('/', this.#prefix.length)
    if (start.startsWith(this.#prefix) && slash === start.length - 1 && slash >= this.#prefix.length)
      if (end === prefixEnd(start)) return emplace(this.#namespaces, start, () => new Scope())
    return emplace(this.#ranges, `${start}\0${end}`, () => ({ start, end, scope: new Scope() })).scope
  }
}

function emplace<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
