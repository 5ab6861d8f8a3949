import { LRUCache } from 'lru-cache'
import type { Random } from '../base/index.ts'
import { type ApiObject, type Frozen, formatTime } from '../object/index.ts'

export type EventType = 'Normal' | 'Warning'

/** An event as a program reports it. */
export interface ReportedEvent {
  readonly about: Frozen<ApiObject>
  readonly type: EventType
  readonly reason: string
  readonly message: string
  readonly atMs: number
  /** By the monotonic clock, so that limits keep their length when the wall clock is set. */
  readonly monotonicMs: number
}

/** The state of one Event object: what was reported under its key so far. */
export interface EventRecord {
  readonly key: string
  readonly name: string
  readonly firstTimestamp: string
  count: number
  /** The latest of them, with the message of the record. */
  latest: ReportedEvent
  /** The server has the object. */
  isWritten: boolean
}

/** The limits by which stock clients drop and merge events. */
const rememberedMax = 4096
const similarMax = 10
const similarMs = 600_000
const spamBurst = 25
const spamRefillMs = 300_000

interface SimilarEvents {
  readonly messages: Set<string>
  sinceMs: number
}

interface TokenBucket {
  readonly tokens: number
  readonly atMs: number
}

/** Decides which reported events share an Event object, and which are not written. */
export interface EventCorrelator {
  /** The record that counts the event; undefined: events about the object have reached their limit for now. */
  observe(event: ReportedEvent): EventRecord | undefined
}

/**
 * As client-go's correlator does: equal events raise a count; of similar ones, which differ by their message, the tenth
 * within ten minutes and those after it share one object; and events about one object are limited to 25 at once, then one in
 * five minutes. An event beyond that limit is counted, but not written: the next one that is written shows the count.
 * Its state is bounded by the number of keys.
 */
export function createEventCorrelator(random: Random): EventCorrelator {
  // With `max`, every cache of every controller would allocate all its entries at the start.
  const room = { maxSize: rememberedMax, sizeCalculation: () => 1 }
  const records = new LRUCache<string, EventRecord>(room)
  const similar = new LRUCache<string, SimilarEvents>(room)
  const budgets = new LRUCache<string, TokenBucket>(room)

  /** The key and message under which an event is counted. */
  function aggregate({ about, type, reason, message, monotonicMs: atMs }: ReportedEvent) {
    const group = `${aboutKey(about)}|${type}|${reason}`
    let known = similar.get(group)
    if (!known || atMs - known.sinceMs > similarMs) known = { messages: new Set(), sinceMs: atMs }
    known.messages.add(message)
    known.sinceMs = atMs
    similar.set(group, known)
    if (known.messages.size < similarMax) return { key: `${group}|${message}`, message }
    // The stock client drops any of the messages.
    for (const oldest of known.messages) {
      known.messages.delete(oldest)
      break
    }
    return { key: group, message: `(combined from similar events): ${message}` }
  }

  function isWithinBudget({ about, type, monotonicMs: atMs }: ReportedEvent): boolean {
    const key = `${aboutKey(about)}|${type}`
    const known = budgets.get(key) ?? { tokens: spamBurst, atMs }
    const tokens = Math.min(spamBurst, known.tokens + (atMs - known.atMs) / spamRefillMs)
    if (tokens < 1) return false
    budgets.set(key, { tokens: tokens - 1, atMs })
    return true
  }

  function recorded(key: string, latest: ReportedEvent): EventRecord {
    const known = records.get(key)
    if (known) {
      known.count++
      known.latest = latest
      return known
    }
    const name = nameOfEvent(latest.about, latest.atMs, random)
    const first: EventRecord = {
      key,
      name,
      firstTimestamp: formatTime(latest.atMs),
      count: 1,
      latest,
      isWritten: false,
    }
    records.set(key, first)
    return first
  }

  return {
    observe(event) {
      const { key, message } = aggregate(event)
      const record = recorded(key, { ...event, message })
      return isWithinBudget(event) ? record : undefined
    },
  }
}

function aboutKey({ kind, metadata: { namespace = '', name = '', uid = '' }, apiVersion }: Frozen<ApiObject>): string {
  return `${apiVersion}|${kind}|${namespace}|${name}|${uid}`
}

/** It ends in the time in nanoseconds; digits below the clock's resolution are random. */
export function nameOfEvent({ metadata }: Frozen<ApiObject>, nowMs: number, random: Random): string {
  const nanoseconds = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(random.below(1_000_000))
  return `${metadata.name ?? ''}.${nanoseconds.toString(16)}`
}
