import type { Clock } from '../../base/index.ts'
import type { Channel } from './channel.ts'
import { toStoreError } from './failure.ts'
import { encodeStatus } from './messages.ts'
import { decodeSnapshotPart, operatorMethods } from './operatormessages.ts'
import { EtcdMessageReader } from './protobuf.ts'

/** Parts that may wait for the caller: beyond, the flow control window of some megabytes stops the server. */
const waitingMax = 16
const checkEveryMs = 500

/**
 * Streams the database of the member at the other end. Rejects with StoreError; ends the stream when the caller stops
 * early.
 */
export async function* streamSnapshot(clock: Clock, channel: Channel): AsyncIterable<Uint8Array> {
  const parts: Uint8Array[] = []
  let end: { readonly error: unknown } | undefined
  let wake: (() => void) | undefined
  const exchange = channel.open(operatorMethods.snapshot, encodeStatus(), false, {
    onMessage(message) {
      parts.push(decodeSnapshotPart(new EtcdMessageReader(message)))
      if (parts.length === waitingMax) exchange.pause()
      wake?.()
    },
    onPart() {},
    onEnd(failure) {
      end = { error: failure && toStoreError(failure) }
      wake?.()
    },
  })
  const checking = clock.every(checkEveryMs, () => channel.check())
  try {
    for (;;) {
      const part = parts.shift()
      if (part) yield part
      else if (end) {
        if (end.error) throw end.error
        return
      } else {
        exchange.resume()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    void checking.close()
    exchange.cancel()
  }
}
