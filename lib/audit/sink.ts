import type { Clock, Counter, Logger } from '../base/index.ts'
import { type BatchOptions, createBatcher } from './batch.ts'
import type { AuditEvent } from './event.ts'
import { createTruncation, type TruncateOptions } from './truncate.ts'

export type AuditMode = 'batch' | 'blocking' | 'blocking-strict'

export interface AuditSink {
  /** A request fails when its event can't be stored. */
  readonly strict: boolean
  /** False when the event is lost. A promise where the event has to be stored first. */
  process(event: AuditEvent, text: string): boolean | Promise<boolean>
  close(): Promise<void>
}

/** An event, and its members as JSON without the opening brace. */
export interface WrittenEvent {
  readonly event: AuditEvent
  readonly text: string
}

/** Stores events durably. Throws or rejects when it can't; callers log and count that. */
export interface Delivery {
  readonly name: 'log' | 'webhook'
  deliver(events: readonly WrittenEvent[]): void | Promise<void>
  /** Stores an event soon, without a wait for it; without this method `deliver` is called with one event. */
  append?(event: WrittenEvent): void
  close(): void | Promise<void>
}

export interface SinkOptions {
  readonly mode: AuditMode
  readonly batch: BatchOptions
  /** Undefined: events aren't truncated. */
  readonly truncate?: TruncateOptions | undefined
}

interface SinkDependencies {
  readonly clock: Clock
  readonly log: Logger
  /** apiserver_audit_error_total. */
  readonly errors: Counter
}

const closeTimeoutMs = 30_000

/** Passes events to a delivery: in batches, or one at a time. */
export function createSink(dependencies: SinkDependencies, delivery: Delivery, options: SinkOptions): AuditSink {
  const { log, errors } = dependencies
  const { mode } = options
  const strict = mode === 'blocking-strict'
  const truncation = options.truncate && createTruncation(options.truncate, () => errors.add(['truncate']))
  const underWay = new Set<Promise<boolean>>()

  function fail(events: number, error: unknown): false {
    errors.add([delivery.name], events)
    log.error('audit events lost', { sink: delivery.name, events, error })
    return false
  }

  function deliver(events: readonly WrittenEvent[]): boolean | Promise<boolean> {
    try {
      const pending = delivery.deliver(events)
      if (pending === undefined) return true
      const settled = pending.then(
        () => true,
        (error: unknown) => fail(events.length, error),
      )
      underWay.add(settled)
      return settled.finally(() => underWay.delete(settled))
    } catch (error) {
      return fail(events.length, error)
    }
  }

  async function deliverParts(events: readonly WrittenEvent[]): Promise<void> {
    for (const part of truncation?.parts(events) ?? [events]) await deliver(part)
  }

  const batcher =
    mode === 'batch'
      ? createBatcher(dependencies.clock, options.batch, deliverParts, () => errors.add(['buffered']))
      : undefined

  return {
    strict,
    process(event, text) {
      const written = truncation === undefined ? { event, text } : truncation.shorten({ event, text })
      if (written === undefined) return false
      if (batcher !== undefined) return batcher.add(written)
      if (strict || delivery.append === undefined) return deliver([written])
      delivery.append(written)
      return true
    },
    async close() {
      // Time limit of a delivery; its events are lost afterwards.
      const timer = dependencies.clock.after(closeTimeoutMs, () => void delivery.close())
      await batcher?.close()
      await Promise.all(underWay)
      await timer.close()
      await delivery.close()
    },
  }
}
