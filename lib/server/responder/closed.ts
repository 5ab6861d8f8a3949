import type { ResponseStream } from '../../request/index.ts'

/** The stream of a handler that starts one after its client was answered by the deadline. */
export const closedStream: ResponseStream = {
  write: () => true,
  pendingBytes: 0,
  onDrain() {},
  onClose: (closed) => queueMicrotask(closed),
  end() {},
  abort() {},
}
