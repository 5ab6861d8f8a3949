import type { Clock } from '../../base/index.ts'
import type { Channel } from './channel.ts'
import { grpcCodes, toStoreError, unknown } from './failure.ts'
import { EtcdMessageReader } from './protobuf.ts'

export interface Question<Reply> {
  readonly path: string
  readonly frame: Buffer
  /** The message is valid during the call only. Throws RangeError for bytes that are no reply. */
  readonly decode: (reader: EtcdMessageReader) => Reply
}

/** One request to the server at the other end of a channel. Rejects with a StoreError, whose cause is the GrpcFailure. */
export function ask<Reply>(
  clock: Clock,
  channel: Channel,
  { path, frame, decode }: Question<Reply>,
  timeoutMs: number,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const exchange = channel.open(path, frame, false, {
      onMessage(message) {
        const reply = decode(new EtcdMessageReader(message))
        void timer.close()
        resolve(reply)
      },
      onPart() {},
      onEnd(failure) {
        void timer.close()
        reject(toStoreError(failure ?? unknown('no reply in the answer')))
      },
    })
    const timer = clock.after(timeoutMs, () => {
      exchange.cancel()
      reject(toStoreError(unknown('context deadline exceeded', grpcCodes.deadlineExceeded)))
    })
  })
}
