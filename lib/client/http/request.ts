import type { Closable } from '../../base/index.ts'
import type { ApiObject, ResourceType } from '../../object/index.ts'
import type { Transport, TransportRequest, WatchSink } from '../contract.ts'
import type { ServerEndpoint } from '../endpoint.ts'
import { collectAnswer, failureOf, type WholeAnswer } from './answer.ts'
import { type ConnectorDependencies, createHttpConnector } from './connect.ts'
import { type ClientEncoding, jsonEncoding, type ProtobufEncoding } from './encoding.ts'
import type { AnswerSink, HttpRequest } from './exchange.ts'
import { createWatchReader, type WatchReader } from './watch.ts'

interface HttpTransportOptions {
  readonly userAgent: string
  /** Maximum size of an answer. Default 512 MiB: a list may hold a whole cluster's objects. */
  readonly bodyBytesMax?: number
  /** From a request to its answer's head, and between its parts. Default 70 s: longer than the time limit of servers. */
  readonly timeoutMs?: number
  /** Maximum number of connections over HTTP/1.1, watches included. Default 256. */
  readonly socketsMax?: number
  /** The format of the kinds that it knows. Absent: JSON for everything. */
  readonly protobuf?: ProtobufEncoding | undefined
}

const mebibyte = 1024 * 1024

/** A transport to an API server: over HTTP/2 with all requests on one connection, or over HTTP/1.1. */
export function createHttpTransport(
  dependencies: ConnectorDependencies,
  endpoint: ServerEndpoint,
  { userAgent, bodyBytesMax = 512 * mebibyte, timeoutMs = 70_000, socketsMax = 256, protobuf }: HttpTransportOptions,
): Transport {
  const connector = createHttpConnector(dependencies, endpoint, { socketsMax, userAgent })
  let isClosed = false

  function encodingOf(type: ResourceType<ApiObject> | undefined): ClientEncoding {
    return protobuf && type && protobuf.knows(type) ? protobuf : jsonEncoding
  }

  function encoded(request: TransportRequest, use: 'answer' | 'watch', encoding: ClientEncoding): HttpRequest {
    const { method, url, accept, partial, object, body, signal } = request
    const own = object && { contentType: encoding.mediaType, body: encoding.encode(object) }
    const other = body && { contentType: body.contentType, body: JSON.stringify(body.value) }
    const sent = own ?? other
    return {
      method,
      url,
      headers: {
        accept: accept ?? encoding.accept(use, partial),
        ...(sent ? { 'content-type': sent.contentType } : {}),
      },
      body: sent?.body,
      signal,
      timeoutMs,
      isEndless: use === 'watch',
    }
  }

  /** Rejects for anything but a complete answer of at most `bytesMax`. */
  function whole(request: HttpRequest, bytesMax: number): Promise<WholeAnswer> {
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => {
        reject(error)
        void sending.close()
      }
      const sending = connector.request(request, collectAnswer(bytesMax, { done: resolve, failed }))
    })
  }

  return {
    async send(request) {
      // An object that is posted to a subresource has another kind than the resource.
      const named = request.object && encodingOfObject(request.object)
      const sent = encoded(request, 'answer', named ?? encodingOf(request.type))
      const { head, body } = await whole(sent, bodyBytesMax)
      const contentType = head.header('content-type')
      if (head.status >= 400) throw failureOf(head, decodedStatus(contentType, body), body.toString())
      if (/json|protobuf/.test(contentType)) return (protobuf ?? jsonEncoding).decode(contentType, body)
      return body.toString()
    },
    watch(request, sink) {
      return openWatch(request, sink)
    },
    close() {
      isClosed = true
      connector.close()
    },
  }

  function encodingOfObject({
    apiVersion,
    kind,
  }: {
    readonly apiVersion: string
    readonly kind: string
  }): ClientEncoding {
    const slash = apiVersion.indexOf('/')
    const group = slash < 0 ? '' : apiVersion.slice(0, slash)
    return protobuf?.knows({ group, version: apiVersion.slice(slash + 1), kind }) ? protobuf : jsonEncoding
  }

  function decodedStatus(contentType: string, body: Buffer): unknown {
    try {
      return (protobuf ?? jsonEncoding).decode(contentType, body)
    } catch {
      return undefined
    }
  }

  function openWatch(request: TransportRequest, sink: WatchSink<ApiObject>): Closable {
    let reader: WatchReader | undefined
    let over = false

    function end(error?: Error): void {
      if (over) return
      over = true
      sink.onEnd(isClosed || request.signal?.aborted === true ? undefined : error)
    }

    /** For the Status of a watch that is refused. */
    const refusal = collectAnswer(mebibyte, {
      done: ({ head, body }) => end(failureOf(head, decodedStatus(head.header('content-type'), body), body.toString())),
      failed: end,
    })
    const answer: AnswerSink = {
      onHead(head) {
        if (head.status === 200) reader = createWatchReader(head.header('content-type'), protobuf ?? jsonEncoding, sink)
        else refusal.onHead(head)
      },
      onData(chunk) {
        if (over) return
        if (!reader) return refusal.onData(chunk)
        try {
          const failure = reader.take(chunk)
          if (failure) leave(failure)
        } catch (error) {
          leave(error instanceof Error ? error : new Error(String(error)))
        }
      },
      onEnd(error) {
        if (reader || error) end(error)
        else refusal.onEnd()
      },
    }
    const leave = (error?: Error): void => {
      end(error)
      void watching.close()
    }
    const watching = connector.request(encoded(request, 'watch', encodingOf(request.type)), answer)
    return { close: () => leave() }
  }
}
