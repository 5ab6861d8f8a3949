import type { Closable } from '../base/index.ts'
import type { ApiObject, Frozen } from '../object/index.ts'
import type { UserInfo } from '../request/index.ts'
import type { Transport, TransportRequest, WatchSink } from './contract.ts'

/** The API server of this process: it serves these requests like those of its port, except for authentication. */
export interface LocalApi {
  /** Resolves with an object, a list or a document; rejects with StatusError. */
  serve(request: LocalRequest): Promise<unknown>
  watch(request: LocalRequest, sink: WatchSink<ApiObject>): Closable
}

export interface LocalRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly user: UserInfo
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** A whole object, which the server doesn't change. */
  readonly object?: Frozen<ApiObject> | undefined
  readonly body?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
}

interface LoopbackOptions {
  /** The user of the requests, already authenticated. */
  readonly user: UserInfo
  /** Names the client in field ownership and logs, as a User-Agent header does. */
  readonly userAgent: string
  /**
   * Whether objects are sent with their managed fields. Default true. They are often half of an object, and an update
   * without them leaves the stored ones unchanged.
   */
  readonly managedFields?: boolean
}

/**
 * A transport to the API server of this process: authorization, audit and admission are those of any request of that
 * user, but nothing is encoded, and lists and watches return the watch cache's own objects.
 */
export function createLoopbackTransport(
  api: LocalApi,
  { user, userAgent, managedFields = true }: LoopbackOptions,
): Transport {
  const watches = new Set<Closable>()
  let closed = false

  function local({ method, url, partial, accept, object, body, signal }: TransportRequest): LocalRequest {
    if (closed) throw new Error('the client is closed')
    const headers = {
      'user-agent': userAgent,
      accept: accept ?? (partial === undefined ? json : partial === 'list' ? partialList : partialObject),
      ...(body === undefined ? {} : { 'content-type': body.contentType }),
    }
    const sent = object && !managedFields ? withoutManagedFields(object) : object
    return { method, url, user, headers, object: sent, body: body && Buffer.from(JSON.stringify(body.value)), signal }
  }

  return {
    isLocal: true,
    async send(request) {
      return await api.serve(local(request))
    },
    watch(request, sink) {
      const watch = api.watch(local(request), {
        onEvents: (events) => sink.onEvents(events),
        onEnd(error) {
          watches.delete(watch)
          sink.onEnd(error)
        },
      })
      watches.add(watch)
      return watch
    },
    close() {
      closed = true
      for (const watch of watches) void watch.close()
    },
  }
}

const json = 'application/json'
const partialObject = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

function withoutManagedFields(object: Frozen<ApiObject>): Frozen<ApiObject> {
  const { managedFields, ...metadata } = object.metadata
  return managedFields === undefined ? object : { ...object, metadata }
}
