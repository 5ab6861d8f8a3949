import type { LocalApi, LocalRequest, WatchSink } from '../client/index.ts'
import { type ApiObject, StatusError } from '../object/index.ts'
import { type CallServices, ServerCall } from './call.ts'
import { createDocuments, type LocalAnswer, LocalResponder } from './responder/local.ts'

/** Serves clients of this process by the same chain, without the filters that only sockets need. */
export function createLocalApi(services: CallServices, run: (call: ServerCall) => void): LocalApi {
  const documents = createDocuments()

  function begin(request: LocalRequest, answer: LocalAnswer): LocalResponder {
    const responder = new LocalResponder(request, answer, documents)
    const { method, url, headers, user, signal } = request
    const call = new ServerCall(services, responder, method, url, { ...headers })
    call.user = user
    if (signal !== undefined) bind(signal, responder)
    run(call)
    return responder
  }

  return {
    serve: (request) =>
      new Promise((resolve, reject) => {
        request.signal?.throwIfAborted()
        begin(request, {
          object: (object) => resolve(object),
          failed: reject,
          watch: () => {
            throw new TypeError('a watch has a sink')
          },
        })
      }),
    watch(request, sink) {
      const ends = oneEnd(sink)
      let responder: LocalResponder | undefined
      let closed = false
      // The caller gets its watch before the first event.
      queueMicrotask(() => {
        if (closed || request.signal?.aborted) return ends.onEnd()
        responder = begin(request, {
          object: () => ends.onEnd(new StatusError(500, 'InternalError', 'the answer to a watch was no stream')),
          failed: (error) => ends.onEnd(error),
          watch: () => ends,
        })
      })
      return {
        close() {
          closed = true
          responder?.leave()
          ends.onEnd()
        },
      }
    },
  }
}

/** A client's signal may outlive many requests and must not keep them in memory. */
function bind(signal: AbortSignal, responder: LocalResponder): void {
  const leave = (): void => responder.leave(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  responder.onClose(() => signal.removeEventListener('abort', leave))
}

function oneEnd(sink: WatchSink<ApiObject>): WatchSink<ApiObject> {
  let ended = false
  return {
    onEvents: (events) => {
      if (!ended) sink.onEvents(events)
    },
    onEnd(error) {
      if (ended) return
      ended = true
      sink.onEnd(error)
    },
  }
}
