import type { Clock } from '../../base/index.ts'
import { ask } from './ask.ts'
import type { Channel } from './channel.ts'
import { decodeStatus, encodeStatus, methods, type StatusReply } from './messages.ts'

/** Asks the server at the other end of a channel for its status. Rejects with StoreError. */
export function readStatus(clock: Clock, channel: Channel, timeoutMs: number): Promise<StatusReply> {
  return ask(clock, channel, { path: methods.status, frame: encodeStatus(), decode: decodeStatus }, timeoutMs)
}

/**
 * Whether an answer to a progress request can be trusted: before 3.4.25 and 3.5.8 it may overtake events that it covers
 * (etcd issue 15220).
 */
export function hasSoundProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number)
  if (major !== 3) return major > 3
  if (minor === 4) return patch >= 25
  if (minor === 5) return patch >= 8
  return minor > 5
}
