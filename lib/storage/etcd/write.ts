import type { Clock } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { type StoredValue, StoreError, type StoreEvent, type WriteResult } from '../contract.ts'
import type { EtcdClient } from './client.ts'
import { isUnknown } from './failure.ts'
import type { Fences } from './fences.ts'
import { tryMs } from './insist.ts'
import type { LookBack } from './lookback.ts'
import type { DeletionMarks } from './marks.ts'
import { decodeRange, decodeWrite, encodeGuardedWrite, encodeRange, type GuardedWrite, methods } from './messages.ts'

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

/** The result of one attempt. */
type Outcome = WriteResult | { readonly unknown: StoreError }

/**
 * Carries a write out once. When the outcome of an attempt is unknown (the connection broke, the leader changed), it
 * finds out:
 * - An update or deletion is retried: its guard names a revision that never comes back, so both attempts can't
 *   succeed. When the second is refused, the history of the key shows whether the first one succeeded (see
 *   `DeletionMarks`).
 * - A creation is retried once its first attempt can't happen any more (see `Fences`), and the history of the key shows
 *   that it hasn't. An outcome that stays unknown, as the history can't be read, is `unavailable`, never a conflict.
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
    const { clock, client, fences, lookBack } = this.#dependencies
    const { key, value } = write
    const remainingMs = (): number => Math.max(0, deadlineMs - clock.monotonicMs())
    const shutAt = fence === undefined ? undefined : await fences?.shut(fence, remainingMs()).catch(() => undefined)
    const call = { repeatable: true, signal, timeoutMs: remainingMs() }
    const [current] = (await client.call(methods.range, encodeRange({ key }), decodeRange, call)).values
    if (current && current.createRevision === current.modRevision && sameBytes(current.value, value))
      return { ok: true, revision: current.modRevision }
    if (shutAt === undefined || before === noRevision) return undefined
    const span = { from: asRevision(before + 1), upTo: shutAt, timeoutMs: remainingMs() }
    const isOurs = (event: StoreEvent): boolean =>
      event.createRevision === event.revision && sameBytes(event.value, value)
    const found = await lookBack(key, span, isOurs)
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
        if (write.mark && isFull(error)) return undefined
        throw doubt ?? error
      })
      if (!outcome) {
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
      throw error
    }
  }
}

function unavailable(outcome: Outcome): StoreError {
  return 'unknown' in outcome ? outcome.unknown : new StoreError('unavailable', 'etcd: no answer in time')
}

function isFull(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'no-space'
}

function sameBytes(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0
}
