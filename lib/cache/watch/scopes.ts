import { assert } from '../../base/index.ts'
import { prefixEnd } from '../../storage/index.ts'
import type { Equality, Predicate } from '../contract.ts'
import type { CacheEvent } from '../state/cacheevent.ts'
import type { CacheEntry } from '../state/entry.ts'
import { WatcherGroup } from './watchergroup.ts'

type Visit = (group: WatcherGroup) => void

/** The groups whose predicates require a value of one label or field, by the value. */
interface GroupsByValue extends Pick<Equality, 'of' | 'name'> {
  readonly groups: Map<string, Set<WatcherGroup>>
}

/** The watcher groups of one key range: those whose predicate requires a value, indexed by it, and the others. */
class Scope {
  readonly others = new Set<WatcherGroup>()
  readonly #indexed = new Map<string, GroupsByValue>()

  get empty(): boolean {
    return this.others.size === 0 && this.#indexed.size === 0
  }

  add(group: WatcherGroup): void {
    const equality = equalityOf(group)
    if (!equality) {
      this.others.add(group)
      return
    }
    const { of, name, value } = equality
    const { groups } = emplace(this.#indexed, idOf(equality), () => ({ of, name, groups: new Map() }))
    emplace(groups, value, () => new Set()).add(group)
  }

  delete(group: WatcherGroup): void {
    const equality = equalityOf(group)
    if (!equality) {
      this.others.delete(group)
      return
    }
    const id = idOf(equality)
    const byValue = this.#indexed.get(id)
    const groups = byValue?.groups.get(equality.value)
    groups?.delete(group)
    if (groups?.size === 0) byValue?.groups.delete(equality.value)
    if (byValue?.groups.size === 0) this.#indexed.delete(id)
  }

  visit(change: CacheEvent, visit: Visit): void {
    for (const group of this.others) visit(group)
    for (const { of, name, groups } of this.#indexed.values()) {
      try {
        const was = change.previous && valueOf(change.previous, of, name)
        const is = change.current && valueOf(change.current, of, name)
        if (was !== undefined) for (const group of groups.get(was) ?? []) visit(group)
        if (is !== undefined && is !== was) for (const group of groups.get(is) ?? []) visit(group)
      } catch {
        // They can't be read: every group evaluates its own predicate and fails alone.
        for (const some of groups.values()) for (const group of some) visit(group)
      }
    }
  }
}

/** Fields have more different values than labels: a field is taken where there is one. */
function equalityOf({ predicate }: WatcherGroup): Equality | undefined {
  const { equals = [] } = predicate ?? {}
  return equals.find(({ of }) => of === 'field') ?? equals[0]
}

function idOf({ of, name }: Equality): string {
  return `${of} ${name}`
}

function valueOf(entry: CacheEntry, of: Equality['of'], name: string): string | undefined {
  const texts = of === 'label' ? entry.labels() : entry.fields()
  return Object.hasOwn(texts, name) ? texts[name] : undefined
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
