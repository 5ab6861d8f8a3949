import type { Clock } from '../../base/index.ts'
import { ask } from './ask.ts'
import type { Channel } from './channel.ts'
import { decodeStatus, encodeStatus, methods, type StatusReply } from './messages.ts'

/** Asks the server at the other end of a channel for its status. Rejects with StoreError. */
export function readStatus(clock: Clock, channel: Channel, timeoutMs: number): Promise<StatusReply> {
  return ask(clock, channel, { path: methods.status, frame: encodeStatus(), decode: decodeStatus }, timeoutMs)
}

/**
 * Whether answers to progress requests are reliable: before 3.4.25 and 3.5.8 they may overtake the events that they
 * cover (etcd issue 15220).
 */
export function hasSoundProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number)
  if (major !== 3) return major > 3
  if (minor === 4) return patch >= 25
  if (minor === 5) return patch >= 8
  return minor > 5
}
