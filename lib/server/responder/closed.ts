import type { ResponseStream } from '../../request/index.ts'

/** What a handler gets that starts a stream after the client was answered otherwise (its deadline had passed). */
export const closedStream: ResponseStream = {
  write: () => true,
  pendingBytes: 0,
  onDrain() {},
  onClose: (closed) => queueMicrotask(closed),
  end() {},
  abort() {},
}
