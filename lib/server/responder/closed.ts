import type { ResponseStream } from '../../request/index.ts'

/** For a handler that starts a stream after the deadline has answered its client. */
export const closedStream: ResponseStream = {
  write: () => true,
  pendingBytes: 0,
  onDrain() {},
  onClose: (closed) => queueMicrotask(closed),
  end() {},
  abort() {},
}
