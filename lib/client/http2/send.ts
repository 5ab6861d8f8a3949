import type { Clock, Closable } from '../../base/index.ts'
import { StreamError } from '../../http2/index.ts'
import type { AnswerSink } from '../http/exchange.ts'
import type { Http2Connection } from './connection.ts'
import type { Http2Connections } from './connections.ts'

/** Maximum number of attempts of a request whose connections end under it. */
const triesMax = 3

export interface Http2Request {
  /** Its header block. */
  readonly head: Buffer
  readonly body: Uint8Array | undefined
  readonly timeoutMs: number
  /** Nothing may arrive for long, and that is no sign of a fault. */
  readonly isEndless: boolean
}

/**
 * When a request is given up, and the server sent nothing for this long (or half of the request's time limit, if shorter),
 * the server may be unreachable: the connection takes no further requests.
 */
const silentMsMax = 4_000

/**
 * Sends a request; one that the server has not processed is sent again, on another connection where the first one ends.
 * `overHttp1` is called where the server does not speak HTTP/2; the sink then gets nothing from here.
 */
export function sendOverHttp2(
  { clock, connections }: { readonly clock: Clock; readonly connections: Http2Connections },
  { head, body, timeoutMs, isEndless }: Http2Request,
  sink: AnswerSink,
  overHttp1: () => void,
): Closable {
  let cancel: (() => void) | undefined
  let isOver = false
  let tries = 0

  function begin(): void {
    try {
      const found = connections.take()
      if (found instanceof Promise) found.then(on, end)
      else on(found)
    } catch (error) {
      end(error)
    }
  }

  function end(error?: unknown): void {
    if (isOver) return
    isOver = true
    sink.onEnd(error === undefined || error instanceof Error ? error : new Error(String(error)))
  }

  function on(connection: Http2Connection | undefined): void {
    if (isOver) return
    if (!connection) return overHttp1()
    tries++
    try {
      const stream = connection.open(head, body, {
        onHead: (status, headers) => sink.onHead({ status, header: (name) => headers.get(name) ?? '' }),
        onData: sink.onData,
        onEnd: (error) => (error?.isUnprocessed === true ? again(error) : end(error)),
      })
      const sinceMs = clock.monotonicMs()
      cancel = () => {
        connection.cancel(stream)
        // Such as the renewal of a lease, whose next attempt may not wait for the ping that would show it.
        const lastedMs = Math.min(clock.monotonicMs() - sinceMs, connection.silentMs)
        if (!isEndless && lastedMs >= Math.min(timeoutMs / 2, silentMsMax)) connection.retire('the server is silent')
      }
    } catch (error) {
      if (error instanceof StreamError) again(error)
      else end(error)
    }
  }

  function again(error: StreamError): void {
    cancel = undefined
    if (tries === triesMax) end(error)
    else if (!isOver) begin()
  }

  begin()
  return {
    close() {
      isOver = true
      cancel?.()
    },
  }
}
