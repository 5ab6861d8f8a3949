import type { Clock } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { type StoredValue, StoreError, type StoreEvent, type WriteResult } from '../contract.ts'
import type { EtcdClient } from './client.ts'
import { isUnknown } from './failure.ts'
import type { Fences } from './fences.ts'
import { tryMs } from './insist.ts'
import type { LookBack, Span } from './lookback.ts'
import type { DeletionMarks } from './marks.ts'
import {
  decodeRange,
  decodeWrite,
  encodeGuardedWrite,
  encodeRange,
  type GuardedWrite,
  methods,
  type RangeReply,
} from './messages.ts'

const pauseMs = 50

interface WriterDependencies {
  readonly clock: Clock
  readonly client: EtcdClient
  /** Absent: a creation is not retried when its first answer is lost. */
  readonly fences?: Fences
  /** Absent: a deletion stays unknown when its answer is lost and its key doesn't exist. */
  readonly marks?: DeletionMarks
  readonly lookBack: LookBack
  /** A revision that the store has reached. */
  revisionSeen(): Revision
}

interface Limits {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
}

/** The result of one attempt. `full`: refused for lack of space, and yet perhaps carried out. */
type Outcome = WriteResult | { readonly unknown: StoreError } | { readonly full: StoreError }

/**
 * Carries a write out once. When the outcome of an attempt is unknown (the connection broke, the leader changed), it
 * finds out:
 * - An update or deletion is retried: its guard names a revision that never comes back, so both attempts can't
 *   succeed. When the second is refused, the history of the key shows whether the first one succeeded (see
 *   `DeletionMarks`).
 * - A creation is retried once its first attempt can't happen any more (see `Fences`), and the history of the key shows
 *   that it hasn't. An outcome that stays unknown, as the history can't be read, is `unavailable`, never a conflict.
 *
 * etcd compares its size with its quota when a request arrives, and again when it carries it out: by then it reports that the
 * space is exceeded and carries it out all the same. So a refusal for lack of space is believed once the key shows it.
 */
export class EtcdWriter {
  readonly #dependencies: WriterDependencies

  constructor(dependencies: WriterDependencies) {
    this.#dependencies = dependencies
  }

  carryOut(write: GuardedWrite, limits: Limits): Promise<WriteResult> {
    return write.expected === 0 ? this.#create(write, limits) : this.#replace(write, limits)
  }

  async #create(write: GuardedWrite, limits: Limits): Promise<WriteResult> {
    const { clock, fences, revisionSeen } = this.#dependencies
    const deadlineMs = clock.monotonicMs() + limits.timeoutMs
    for (let remainingMs = limits.timeoutMs; ; ) {
      const before = revisionSeen()
      const fence = fences?.current
      const outcome = await this.#try(fence === undefined ? write : { ...write, fence }, remainingMs, limits.signal)
      if ('full' in outcome) {
        const found = await this.#findCreatedFull(write, before, { ...limits, deadlineMs })
        if (!found) throw outcome.full
        return found
      }
      // Refused although the key doesn't exist: another creation shut the fence.
      if ('ok' in outcome && (outcome.ok || outcome.current)) return outcome
      if ('unknown' in outcome) {
        const found = await this.#findCreated(write, fence, before, { ...limits, deadlineMs }).catch(() => undefined)
        if (!found) throw outcome.unknown
        if (found !== 'not created') return found
      }
      remainingMs = deadlineMs - clock.monotonicMs()
      if (remainingMs <= 0) throw unavailable(outcome)
    }
  }

  /** Undefined: unknown. */
  async #findCreated(
    write: GuardedWrite,
    fence: string | undefined,
    before: Revision,
    { signal, deadlineMs }: Limits & { readonly deadlineMs: number },
  ): Promise<WriteResult | 'not created' | undefined> {
    const { clock, fences } = this.#dependencies
    const { key } = write
    const remainingMs = (): number => Math.max(0, deadlineMs - clock.monotonicMs())
    const shutAt = fence === undefined ? undefined : await fences?.shut(fence, remainingMs()).catch(() => undefined)
    const [current] = (await this.#read(key, remainingMs(), signal)).values
    if (current && isAsCreated(write, current)) return { ok: true, revision: current.modRevision }
    if (shutAt === undefined || before === noRevision) return undefined
    const span = { from: asRevision(before + 1), upTo: shutAt, timeoutMs: remainingMs() }
    return this.#creationIn(write, span)
  }

  /** The result of a creation that etcd refused for lack of space and yet carried out. Undefined: it did not. */
  async #findCreatedFull(
    write: GuardedWrite,
    before: Revision,
    { signal, deadlineMs }: Limits & { readonly deadlineMs: number },
  ): Promise<WriteResult | undefined> {
    const remainingMs = (): number => Math.max(0, deadlineMs - this.#dependencies.clock.monotonicMs())
    const { values, revision } = await this.#read(write.key, remainingMs(), signal)
    const [current] = values
    if (current && isAsCreated(write, current)) return { ok: true, revision: current.modRevision }
    if (!current || before === noRevision || current.createRevision <= before) return undefined
    // Somebody may have written the object since.
    const found = await this.#creationIn(write, {
      from: asRevision(before + 1),
      upTo: revision,
      timeoutMs: remainingMs(),
    })
    return found === 'not created' ? undefined : found
  }

  async #creationIn({ key, value }: GuardedWrite, span: Span): Promise<WriteResult | 'not created' | undefined> {
    const isOurs = (event: StoreEvent): boolean =>
      event.createRevision === event.revision && sameBytes(event.value, value)
    const found = await this.#dependencies.lookBack(key, span, isOurs)
    if (found === 'none') return 'not created'
    return found && { ok: true, revision: found.revision }
  }

  async #replace(given: GuardedWrite, limits: Limits): Promise<WriteResult> {
    const { clock, marks } = this.#dependencies
    const deadlineMs = clock.monotonicMs() + limits.timeoutMs
    let write: GuardedWrite = given.value ? given : { ...given, mark: marks?.next() }
    let doubt: StoreError | undefined
    for (let remainingMs = limits.timeoutMs; ; ) {
      const outcome = await this.#try(write, remainingMs, limits.signal).catch((error: unknown) => {
        throw doubt ?? error
      })
      if ('full' in outcome) {
        const { values, revision } = await this.#read(write.key, remainingMs, limits.signal)
        const [current] = values
        if (current?.modRevision !== write.expected) {
          const found = await this.#findReplaced(write, { ok: false, current, revision }, deadlineMs)
          if (!found) throw doubt ?? outcome.full
          return found
        }
        if (!write.mark) throw doubt ?? outcome.full
        // etcd stores no put then, but a deletion, by which it regains space.
        write = given
        continue
      }
      if ('ok' in outcome) {
        if (outcome.ok || !doubt) return outcome
        const found = await this.#findReplaced(write, outcome, deadlineMs).catch(() => undefined)
        if (!found) throw doubt
        return found
      }
      doubt ??= outcome.unknown
      remainingMs = deadlineMs - clock.monotonicMs() - pauseMs
      if (remainingMs <= 0) throw doubt
      await clock.sleep(pauseMs)
    }
  }

  /**
   * The refusal may be the effect of an earlier attempt, which then is the first event after the expected revision.
   * Undefined: unknown.
   */
  async #findReplaced(
    { key, value, expected, mark }: GuardedWrite,
    refusal: { readonly ok: false; readonly current: StoredValue | undefined; readonly revision: Revision },
    deadlineMs: number,
  ): Promise<WriteResult | undefined> {
    const { clock, lookBack, marks } = this.#dependencies
    const remainingMs = (): number => Math.max(0, deadlineMs - clock.monotonicMs())
    const { current } = refusal
    if (current && current.modRevision > expected && sameBytes(current.value, value))
      return { ok: true, revision: current.modRevision }
    const span = { from: asRevision(expected + 1), upTo: refusal.revision, timeoutMs: remainingMs() }
    const next = await lookBack(key, span, () => true)
    // None: the key never had the expected revision.
    if (next === undefined || next === 'none') return next && refusal
    if (next.type === 'put') return sameBytes(next.value, value) ? { ok: true, revision: next.revision } : refusal
    if (value) return refusal
    if (!mark || !marks) return undefined
    return (await marks.isAt(mark, next.revision, remainingMs())) ? { ok: true, revision: next.revision } : refusal
  }

  async #try(write: GuardedWrite, timeoutMs: number, signal: AbortSignal | undefined): Promise<Outcome> {
    const call = { repeatable: false, signal, timeoutMs: Math.min(timeoutMs, tryMs) }
    try {
      const { client } = this.#dependencies
      const reply = await client.call(methods.txn, encodeGuardedWrite(write), decodeWrite, call)
      const { succeeded, revision, current } = reply
      return succeeded ? { ok: true, revision } : { ok: false, current, revision }
    } catch (error) {
      if (error instanceof StoreError && isUnknown(error)) return { unknown: error }
      if (error instanceof StoreError && error.code === 'no-space') return { full: error }
      throw error
    }
  }

  #read(key: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<RangeReply> {
    const call = { repeatable: true, signal, timeoutMs: Math.max(0, timeoutMs) }
    return this.#dependencies.client.call(methods.range, encodeRange({ key }), decodeRange, call)
  }
}

/** The key has the state that the creation gave it. */
function isAsCreated({ value }: GuardedWrite, { createRevision, modRevision, value: stored }: StoredValue): boolean {
  return createRevision === modRevision && sameBytes(stored, value)
}

function unavailable(outcome: Outcome): StoreError {
  return 'unknown' in outcome ? outcome.unknown : new StoreError('unavailable', 'etcd: no answer in time')
}

function sameBytes(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0
}
