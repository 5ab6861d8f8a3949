import type { Clock, Closable, Metrics } from '../../base/index.ts'
import type { ApiObject, ResourceType } from '../../object/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { Transport, TransportRequest, WatchSink } from '../contract.ts'
import type { ServerEndpoint } from '../endpoint.ts'
import { failureOf, readWhole } from './answer.ts'
import { createHttpConnector, type HttpRequest } from './connect.ts'
import { type ClientEncoding, createProtobufEncoding, jsonEncoding } from './encoding.ts'
import { readWatch } from './watch.ts'

interface HttpTransportOptions {
  readonly userAgent: string
  /** Maximum size of an answer. Default 512 MiB: a list may hold a whole cluster's objects. */
  readonly bodyBytesMax?: number
  /** From a request to its answer's head. Default 70 s: longer than the time limit of servers. */
  readonly timeoutMs?: number
  /** Connections at once, watches included. Default 256. */
  readonly socketsMax?: number
  /** Uses protobuf for the kinds of this scheme. Absent: JSON for everything. */
  readonly scheme?: Scheme
}

const mebibyte = 1024 * 1024

/** A transport to an API server over HTTP/1.1 with kept connections. */
export function createHttpTransport(
  dependencies: { readonly clock: Clock; readonly metrics?: Metrics | undefined },
  endpoint: ServerEndpoint,
  { userAgent, bodyBytesMax = 512 * mebibyte, timeoutMs = 70_000, socketsMax = 256, scheme }: HttpTransportOptions,
): Transport {
  const connector = createHttpConnector(dependencies, endpoint, { socketsMax, userAgent })
  const protobuf = scheme && createProtobufEncoding(scheme)
  const closing = new AbortController()

  function encodingOf(type: ResourceType<ApiObject> | undefined): ClientEncoding {
    return protobuf && type && scheme?.kind(type) ? protobuf : jsonEncoding
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
      signal: signal ? AbortSignal.any([signal, closing.signal]) : closing.signal,
      timeoutMs,
    }
  }

  return {
    async send(request) {
      closing.signal.throwIfAborted()
      // An object that is posted to a subresource has another kind than the resource.
      const named = request.object && encodingOfObject(request.object)
      const response = await connector.request(encoded(request, 'answer', named ?? encodingOf(request.type)))
      const body = await readWhole(response, bodyBytesMax)
      const contentType = response.headers['content-type'] ?? ''
      const failed = (response.statusCode ?? 500) >= 400
      if (failed) throw failureOf(response, decodedStatus(contentType, body), body.toString())
      if (/json|protobuf/.test(contentType)) return (protobuf ?? jsonEncoding).decode(contentType, body)
      return body.toString()
    },
    watch(request, sink) {
      return openWatch(request, sink)
    },
    close() {
      closing.abort(new Error('the client is closed'))
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
    return protobuf && scheme?.kind({ group, version: apiVersion.slice(slash + 1), kind }) ? protobuf : jsonEncoding
  }

  function decodedStatus(contentType: string, body: Buffer): unknown {
    try {
      return (protobuf ?? jsonEncoding).decode(contentType, body)
    } catch {
      return undefined
    }
  }

  function openWatch(request: TransportRequest, sink: WatchSink<ApiObject>): Closable {
    const leaving = new AbortController()
    const signal = request.signal ? AbortSignal.any([request.signal, leaving.signal]) : leaving.signal
    const encoding = encodingOf(request.type)
    let reading: Closable | undefined

    async function open(): Promise<void> {
      closing.signal.throwIfAborted()
      const response = await connector.request(encoded({ ...request, signal }, 'watch', encoding))
      if (response.statusCode !== 200) {
        const body = await readWhole(response, mebibyte)
        throw failureOf(response, decodedStatus(response.headers['content-type'] ?? '', body), body.toString())
      }
      reading = readWatch(response, protobuf ?? jsonEncoding, sink)
    }

    open().catch((error: unknown) => {
      if (signal.aborted || closing.signal.aborted) sink.onEnd()
      else sink.onEnd(error instanceof Error ? error : new Error(String(error)))
    })
    return {
      close() {
        if (reading) void reading.close()
        else leaving.abort(new Error('the watch is closed'))
      },
    }
  }
}
