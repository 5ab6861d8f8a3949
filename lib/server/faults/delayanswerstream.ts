import type { Clock } from '../../base/index.ts'
import type { ObjectEvent, ObjectStream, ResponseHeaders, ResponseStream } from '../../request/index.ts'
import { LocalResponder } from '../responder/local.ts'
import type { ServerResponder } from '../responder/responder.ts'

/** Maximum number of chunks or batches of events that are held back; a watch with more breaks, as of a slow client. */
const heldMax = 10_000

/** Everything that the answer's stream sends arrives `delayMs` later, in order. */
export function delayAnswerStream(responder: ServerResponder, clock: Clock, delayMs: number): void {
  const later = (run: () => void): void => {
    if (held >= heldMax) return responder.fail()
    held++
    clock.after(delayMs, () => {
      held--
      run()
    })
  }
  let held = 0
  if (responder instanceof LocalResponder) {
    const watch = responder.watch.bind(responder)
    Object.assign(responder, { watch: () => delayedEvents(watch(), responder, later) })
  } else {
    const stream = responder.stream.bind(responder)
    const delayed = (status: number, headers: ResponseHeaders): ResponseStream =>
      delayedChunks(stream(status, headers), later)
    Object.assign(responder, { stream: delayed })
  }
}

type Later = (run: () => void) => void

/** The stream of a client in this process is its responder itself, so its methods are bound to it. */
function delayedEvents(stream: ObjectStream, responder: LocalResponder, later: Later): ObjectStream {
  const { events, end } = stream
  return {
    events: (given: readonly ObjectEvent[]) => later(() => events.call(responder, given)),
    end: () => later(() => end.call(responder)),
  }
}

/** Nothing holds the sender back but the limit of what is held. */
function delayedChunks(stream: ResponseStream, later: Later): ResponseStream {
  return {
    write(chunk) {
      later(() => void stream.write(chunk))
      return true
    },
    get pendingBytes() {
      return stream.pendingBytes
    },
    onDrain: (resume) => stream.onDrain(resume),
    onClose: (closed) => stream.onClose(closed),
    end: () => later(() => stream.end()),
    abort: () => stream.abort(),
  }
}
