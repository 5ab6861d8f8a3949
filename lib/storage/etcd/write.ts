import type { Clock } from '../../base/index.ts'
import { StoreError, type WriteResult } from '../contract.ts'
import type { EtcdClient } from './client.ts'
import type { GrpcFailure } from './failure.ts'
import { decodeRange, decodeWrite, encodeGuardedWrite, encodeRange, type GuardedWrite, methods } from './messages.ts'

const pauseMs = 50

/**
 * Carries a write out once. When its fate is unknown (the connection broke, the leader changed), finds out:
 * - An update or deletion is tried again: its guard names a revision that never comes back, so both tries can't
 *   succeed.
 *   If the second is refused and the key holds our value, the first one did it.
 * - A creation isn't (the key may have been created and deleted meanwhile); a key that holds our value was created by
 *   us.
 * An outcome that stays unknown is `unavailable`, never a conflict.
 */
export async function carryOut(
  clock: Clock,
  client: EtcdClient,
  write: GuardedWrite,
  options: { signal?: AbortSignal | undefined; timeoutMs: number },
): Promise<WriteResult> {
  const frame = encodeGuardedWrite(write)
  const call = { repeatable: false, signal: options.signal, timeoutMs: options.timeoutMs }
  let doubt: StoreError | undefined
  const deadlineMs = clock.monotonicMs() + options.timeoutMs
  for (;;) {
    try {
      const { succeeded, revision, current } = await client.call(methods.txn, frame, decodeWrite, call)
      if (succeeded) return { ok: true, revision }
      if (!doubt) return { ok: false, current, revision }
      if (write.value && current && current.modRevision > write.expected && sameBytes(current.value, write.value))
        return { ok: true, revision: current.modRevision }
      throw doubt
    } catch (error) {
      if (!(error instanceof StoreError) || error === doubt || !isUnknown(error)) throw doubt ?? error
      doubt ??= error
      call.timeoutMs = deadlineMs - clock.monotonicMs() - pauseMs
      if (call.timeoutMs <= 0) throw doubt
      await clock.sleep(pauseMs)
      if (write.expected === 0) return await findCreated(client, write, call, doubt)
    }
  }
}

async function findCreated(
  client: EtcdClient,
  write: GuardedWrite,
  call: { signal?: AbortSignal | undefined; timeoutMs: number },
  doubt: StoreError,
): Promise<WriteResult> {
  const read = client.call(methods.range, encodeRange({ key: write.key }), decodeRange, { ...call, repeatable: true })
  const found = await read.catch(() => undefined)
  const current = found?.values[0]
  if (current && write.value && current.createRevision === current.modRevision && sameBytes(current.value, write.value))
    return { ok: true, revision: current.modRevision }
  throw doubt
}

function isUnknown(error: StoreError): boolean {
  const failure = error.cause as GrpcFailure | undefined
  return error.code === 'unavailable' && failure?.effect === 'unknown'
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
