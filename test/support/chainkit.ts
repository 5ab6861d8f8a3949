import type { Authorizer } from '../../lib/authz/index.ts'
import { createSeededRandom, silentLogger, silentMetrics, systemClock } from '../../lib/base/index.ts'
import { parseRequestInfo, type RequestInfo, type UserInfo } from '../../lib/request/index.ts'
import { BufferPool } from '../../lib/server/bufferpool.ts'
import { chainOf, compose } from '../../lib/server/chain.ts'
import { encodeStatusAsJson } from '../../lib/server/errors.ts'
import { createFailureAnswers } from '../../lib/server/failure.ts'
import {
  defaultServerOptions,
  fixedCertificates,
  type NonResourceRoute,
  type ResourceHandler,
  ServerCall,
  type ServerDependencies,
} from '../../lib/server/index.ts'
import { createLifecycle } from '../../lib/server/lifecycle.ts'
import { createServerMetrics } from '../../lib/server/metrics.ts'
import { ChunkFrames } from '../../lib/server/responder/chunks.ts'
import type { BodySource, ServerResponder } from '../../lib/server/responder/responder.ts'
import { createRoutes } from '../../lib/server/routes.ts'
import { createTimerWheel } from '../../lib/server/timerwheel.ts'
import { createPeerCertificates } from '../../lib/server/tls/peer.ts'

interface ChainAnswer {
  readonly status: number
  readonly body: string
  /** The request as the audit filter saw it; undefined where it was refused before. */
  readonly audited: RequestInfo | undefined
}

/** The whole chain of the server over some resources, called in process, without sockets. */
export interface ChainKit {
  request(
    method: string,
    url: string,
    options?: { body?: string; headers?: Readonly<Record<string, string>> },
  ): Promise<ChainAnswer>
  close(): Promise<void>
}

interface ChainKitParts {
  readonly resources: ResourceHandler
  readonly authorizer: Authorizer
  readonly user: UserInfo
  readonly routes?: readonly NonResourceRoute[]
}

export function createChainKit({ resources, authorizer, user, routes = [] }: ChainKitParts): ChainKit {
  const clock = systemClock
  const options = { ...defaultServerOptions, maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 }
  let audited: RequestInfo | undefined
  const dependencies: ServerDependencies = {
    log: silentLogger,
    metrics: silentMetrics,
    clock,
    random: createSeededRandom(1),
    certificates: fixedCertificates({ serving: { cert: '', key: '' }, named: [], clientAuthorities: '' }),
    authenticator: { name: 'test', authenticate: () => ({ outcome: 'authenticated', user }) },
    authorizer,
    resources,
    routes,
    healthChecks: [],
    postStartHooks: [],
    parseRequestInfo,
    audit: {
      filter(call, next) {
        audited = call.info
        return next(call)
      },
      unauthenticated() {},
    },
  }
  const timers = createTimerWheel(clock)
  const metrics = createServerMetrics(dependencies, () => true)
  const lifecycle = createLifecycle(clock, options)
  lifecycle.markStarted()
  const errors = createFailureAnswers(silentLogger, encodeStatusAsJson)
  const run = compose(
    chainOf({ dependencies, options, errors, lifecycle, timers, metrics, routes: createRoutes(routes) }),
  )
  const services = {
    clock,
    timers,
    peers: createPeerCertificates(clock),
    bodyBytesMax: options.bodyBytesMax,
    bodyTimeoutMs: options.requestTimeoutMs,
    compress: false,
    buffers: new BufferPool(),
    chunkFrames: new ChunkFrames(),
  }
  return {
    async request(method, url, { body, headers = {} } = {}) {
      audited = undefined
      const responder = new MemoryResponder(body)
      await run(new ServerCall(services, responder, method, url, { ...headers }))
      return { status: responder.status, body: responder.text, audited }
    },
    async close() {
      await Promise.all([timers.close(), metrics.close()])
    },
  }
}

/** One request in memory. A stream is closed as soon as it has begun, as by a client that goes away. */
class MemoryResponder implements ServerResponder {
  readonly httpVersion = '1.1'
  readonly remoteAddress = '127.0.0.1'
  declare call: ServerCall
  status = 0
  bytesSent = 0
  streaming = false
  gone = false
  complete = false
  readonly rawHeaders: readonly string[] = []
  readonly connection = {}
  readonly socket = undefined
  readonly upgradeProtocol = ''
  readonly body: BodySource
  text = ''
  readonly #closed: (() => void)[] = []

  constructor(body: string | undefined) {
    this.body = {
      empty: body === undefined,
      declaredBytes: undefined,
      proceed() {},
      stopReading() {},
      pause() {},
      resume() {},
      read(sink) {
        sink.onChunk(Buffer.from(body ?? ''))
        sink.onEnd()
      },
    }
  }
  get started(): boolean {
    return this.status !== 0
  }
  send(status: number, _headers: object, body: Uint8Array | readonly Uint8Array[] = []): void {
    this.status = status
    this.complete = true
    this.text = Buffer.concat(body instanceof Uint8Array ? [body] : body).toString()
  }
  sendChunks(status: number, headers: object, chunks: Iterable<Uint8Array>): void {
    this.send(
      status,
      headers,
      [...chunks].map((chunk) => Buffer.from(chunk)),
    )
  }
  stream(status: number): ReturnType<ServerResponder['stream']> {
    this.status = status
    this.streaming = true
    queueMicrotask(() => this.fail())
    return {
      write: () => true,
      pendingBytes: 0,
      onDrain() {},
      onClose: (run) => this.onClose(run),
      end() {},
      abort() {},
    }
  }
  onClose(closed: () => void): void {
    this.#closed.push(closed)
  }
  fail(): void {
    this.streaming = false
    for (const closed of this.#closed.splice(0)) closed()
  }
  retire(): void {}
  upgrade(): never {
    throw new TypeError('no upgrade in memory')
  }
}
