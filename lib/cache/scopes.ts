import { assert } from '../base/index.ts'
import { prefixEnd } from '../storage/index.ts'
import type { Change } from './change.ts'
import { Channel } from './channel.ts'
import type { Predicate } from './contract.ts'

type Visit = (channel: Channel) => void

/** Channels of one key range: those whose predicate demands a field's value, by that value, and all others. */
class Group {
  readonly others = new Set<Channel>()
  readonly byField = new Map<string, Map<string, Set<Channel>>>()

  get empty(): boolean {
    return this.others.size === 0 && this.byField.size === 0
  }

  add(channel: Channel): void {
    const equals = channel.predicate?.equals
    if (!equals) {
      this.others.add(channel)
      return
    }
    const byValue = this.byField.get(equals.field) ?? new Map<string, Set<Channel>>()
    const channels = byValue.get(equals.value) ?? new Set<Channel>()
    this.byField.set(equals.field, byValue)
    byValue.set(equals.value, channels)
    channels.add(channel)
  }

  delete(channel: Channel): void {
    const equals = channel.predicate?.equals
    if (!equals) {
      this.others.delete(channel)
      return
    }
    const byValue = this.byField.get(equals.field)
    const channels = byValue?.get(equals.value)
    channels?.delete(channel)
    if (channels?.size === 0) byValue?.delete(equals.value)
    if (byValue?.size === 0) this.byField.delete(equals.field)
  }

  visit(change: Change, visit: Visit): void {
    for (const channel of this.others) visit(channel)
    for (const [field, byValue] of this.byField) {
      try {
        const was = change.previous?.fields()[field]
        const is = change.current?.fields()[field]
        if (was !== undefined) for (const channel of byValue.get(was) ?? []) visit(channel)
        if (is !== undefined && is !== was) for (const channel of byValue.get(is) ?? []) visit(channel)
      } catch {
        // Nobody knows whom this concerns: each finds out by itself, and fails alone.
        for (const channels of byValue.values()) for (const channel of channels) visit(channel)
      }
    }
  }
}

/**
 * Finds the channels that a key concerns without visiting the others: those of the whole resource, of the key's
 * namespace, of the key itself. Other ranges, which no endpoint asks for, are looked through one by one.
 */
export class Scopes {
  readonly #prefix: string
  readonly #channels = new Map<string, Channel>()
  readonly #whole = new Group()
  readonly #namespaces = new Map<string, Group>()
  readonly #keys = new Map<string, Group>()
  readonly #ranges = new Map<string, { readonly start: string; readonly end: string; readonly group: Group }>()

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  get size(): number {
    return this.#channels.size
  }

  channels(): Iterable<Channel> {
    return this.#channels.values()
  }

  /** The channel of that range and predicate, made when there is none. */
  open(start: string, end: string, predicate: Predicate | undefined): Channel {
    const id = Channel.idOf(start, end, predicate)
    let channel = this.#channels.get(id)
    if (!channel) {
      channel = new Channel(start, end, predicate)
      this.#channels.set(id, channel)
      this.#groupOf(channel).add(channel)
    }
    return channel
  }

  /** Forgets a channel without watchers. */
  close(channel: Channel): void {
    assert(channel.watchers.size === 0, 'scopes: closing a channel with watchers')
    if (!this.#channels.delete(channel.id)) return
    const group = this.#groupOf(channel)
    group.delete(channel)
    if (!group.empty) return
    this.#namespaces.delete(channel.start)
    this.#keys.delete(channel.start)
    this.#ranges.delete(`${channel.start}\0${channel.end}`)
  }

  visit(change: Change, visit: Visit): void {
    const { key } = change
    this.#whole.visit(change, visit)
    if (this.#namespaces.size > 0) {
      const slash = key.indexOf('/', this.#prefix.length)
      if (slash >= 0) this.#namespaces.get(key.slice(0, slash + 1))?.visit(change, visit)
    }
    if (this.#keys.size > 0) this.#keys.get(key)?.visit(change, visit)
    for (const { start, end, group } of this.#ranges.values()) if (key >= start && key < end) group.visit(change, visit)
  }

  #groupOf({ start, end }: Channel): Group {
    if (start === this.#prefix && end === prefixEnd(start)) return this.#whole
    if (end === `${start}\0`) return emplace(this.#keys, start, () => new Group())
    const slash = start.indexOf('/', this.#prefix.length)
    if (start.startsWith(this.#prefix) && slash === start.length - 1 && slash >= this.#prefix.length)
      if (end === prefixEnd(start)) return emplace(this.#namespaces, start, () => new Group())
    return emplace(this.#ranges, `${start}\0${end}`, () => ({ start, end, group: new Group() })).group
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
