import type { Clock, Closable, Random } from '../../../lib/base/index.ts'
import { RequestError, type Transport, type WatchSink } from '../../../lib/client/index.ts'
import { nameOf } from '../../../lib/controller/index.ts'
import { type ApiObject, type Frozen, StatusError } from '../../../lib/object/index.ts'
import { LaggingWatch } from './laggingwatch.ts'
import type { Trace } from './trace.ts'

export type Request = Parameters<Transport['send']>[0]

/** How often each thing goes wrong, of one. */
export interface FaultRates {
  /** Requests that are refused, or break, before they do anything. */
  readonly refused: number
  /** Requests that do what they should, but whose answer is lost. */
  readonly lost: number
  /** Updates that are refused as if another had come first. */
  readonly conflicts: number
  /** Requests that are late, on their way there or back. */
  readonly late: number
  /** Deliveries to a watch that break it. */
  readonly cut: number
  /** Deliveries to a watch that come late, with all that follow. */
  readonly lagging: number
}

export const noFaults: FaultRates = { refused: 0, lost: 0, conflicts: 0, late: 0, cut: 0, lagging: 0 }

const lateMsMax = 1500
const lastWritesMs = 1000
const bookmarkMs = 60_000

/** Looks at a request before it goes out; the function that it answers hears that it did what it should. */
export type RequestCheck = (account: string, request: Request) => (() => void) | undefined

interface NetworkDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly trace: Trace
  readonly check: RequestCheck
  /** The answer of a server behind the API server; undefined: it is the API server's own. */
  document(url: string): unknown
  /** All watches have received all writes up to this revision. */
  settledRevision(): number
}

/** The connections of one manager to the API server: as bad as its fault rates say, until it is cut off for good. */
export class Network {
  #rates: FaultRates
  /** Events are not sent, to save time. */
  keepsEvents = false
  /** Writes that are still to begin before it is cut off, half of the times after the last one has been done. */
  writesLeft = Number.POSITIVE_INFINITY
  /** Called when `writesLeft` are through. */
  onSpent: () => void = () => {}
  readonly name: string
  readonly #dependencies: NetworkDependencies
  /** By resource: what its informer has been shown, and when. */
  readonly #shown = new Map<string, { readonly atMs: number; readonly revision: number }[]>()
  readonly #watches = new Set<LaggingWatch>()
  #alive = true
  #cutMs = 0
  readonly #beganMs: number
  readonly #bookmarks: Closable

  constructor(dependencies: NetworkDependencies, name: string, rates: FaultRates) {
    this.#dependencies = dependencies
    this.name = name
    this.#rates = rates
    this.#beganMs = dependencies.clock.monotonicMs()
    this.#bookmarks = dependencies.clock.every(bookmarkMs, () => {
      const revision = dependencies.settledRevision()
      for (const watch of this.#watches) watch.bookmark(revision)
    })
  }

  get rates(): FaultRates {
    return this.#rates
  }

  set rates(rates: FaultRates) {
    this.#rates = rates
    for (const watch of this.#watches) watch.rates = rates
  }

  get isAlive(): boolean {
    return this.#alive
  }

  /** What it has sent last may just have been done. */
  get mayWrite(): boolean {
    return this.#alive || this.#dependencies.clock.monotonicMs() - this.#cutMs < lastWritesMs
  }

  /** The other one began before this one came to its end, and that is no longer ago than `pastMs`. */
  overlapped(other: Network, pastMs: number): boolean {
    if (this.#alive) return true
    return this.#cutMs >= other.#beganMs && this.#dependencies.clock.monotonicMs() - this.#cutMs < pastMs
  }

  /** Nothing comes or goes any more. */
  cutOff(): void {
    if (this.#alive) this.#cutMs = this.#dependencies.clock.monotonicMs()
    this.#alive = false
    void this.#bookmarks.close()
    for (const watch of this.#watches) watch.close()
  }

  /** The state of a resource that the manager may still have acted on at that time. */
  shownAt(resource: string, atMs: number): number {
    const shown = this.#shown.get(resource) ?? []
    let revision = shown[0]?.revision ?? Number.POSITIVE_INFINITY
    for (const each of shown) {
      if (each.atMs > atMs) break
      revision = each.revision
    }
    return revision
  }

  /** A transport of one account over this network. */
  wrap(transport: Transport, account: string): Transport {
    return {
      isLocal: transport.isLocal ?? false,
      send: (request) => this.#send(transport, account, request),
      watch: (request, sink) => this.#watch(transport, account, request, sink),
      close: () => transport.close(),
    }
  }

  async #send(transport: Transport, account: string, request: Request): Promise<unknown> {
    const { method, url } = request
    const { trace, check, document } = this.#dependencies
    if (request.type?.resource === 'events' && method === 'POST' && !this.keepsEvents) {
      check(account, request)
      return request.object
    }
    const who = `${this.name} ${account}`
    await this.#maybeLate(request)
    if (method === 'GET') {
      if (this.#chance(this.rates.refused)) throw this.#refusal(request)
      const answer = document(url) ?? (await transport.send(request))
      await this.#maybeLate(request)
      if (account === '' && request.type && request.partial === undefined)
        this.#note(nameOf(request.type), Number((answer as Frozen<ApiObject>).metadata.resourceVersion ?? 0))
      return answer
    }
    const cutsBefore = this.#spend()
    if (cutsBefore === 'before') this.#end()
    this.#mustLive()
    if (this.#chance(this.rates.refused)) {
      const refusal = this.#refusal(request)
      trace.note(who, method, url, `refused: ${refusal.message}`)
      throw refusal
    }
    if (method !== 'POST' && this.#chance(this.rates.conflicts)) {
      trace.note(who, method, url, 'refused: a conflict')
      throw new StatusError(409, 'Conflict', 'the object has been modified')
    }
    const done = check(account, request)
    const answer = await this.#perform(transport, who, request)
    done?.()
    if (cutsBefore === 'after') this.#end()
    this.#mustLive()
    if (this.#chance(this.rates.lost)) {
      trace.note(who, method, url, 'its answer is lost')
      throw this.#chance(0.5)
        ? new RequestError('the connection broke')
        : new StatusError(504, 'Timeout', 'the request took too long')
    }
    await this.#maybeLate(request)
    return answer
  }

  async #perform(transport: Transport, who: string, request: Request): Promise<unknown> {
    const { trace } = this.#dependencies
    try {
      const answer = await transport.send(request)
      trace.note(who, request.method, request.url, answer, request)
      return answer
    } catch (error) {
      if (/exceeded quota/.test(String(error))) trace.quotaRefusals++
      trace.note(who, request.method, request.url, `failed: ${String(error)}`)
      throw error
    }
  }

  #spend(): 'before' | 'after' | undefined {
    if (--this.writesLeft !== 0) return undefined
    return this.#chance(0.5) ? 'before' : 'after'
  }

  #end(): void {
    this.cutOff()
    this.onSpent()
  }

  #mustLive(): void {
    if (!this.#alive) throw new RequestError('the process is gone')
  }

  async #maybeLate({ signal }: Request): Promise<void> {
    this.#mustLive()
    if (!this.#chance(this.rates.late)) return
    await this.#dependencies.clock.sleep(this.#dependencies.random.below(lateMsMax), signal ?? undefined)
    this.#mustLive()
  }

  #refusal({ method }: Request): Error {
    const { random } = this.#dependencies
    const dice = random.below(method === 'GET' ? 3 : 4)
    if (dice === 0) return new RequestError('no connection')
    if (dice === 1)
      return new StatusError(429, 'TooManyRequests', 'come again', {
        details: { retryAfterSeconds: 1 + random.below(2) },
      })
    if (dice === 2) return new StatusError(503, 'ServiceUnavailable', 'the server is not ready')
    return new StatusError(500, 'InternalError', 'the server failed')
  }

  #watch(transport: Transport, account: string, request: Request, sink: WatchSink<ApiObject>): Closable {
    if (!this.#alive) {
      queueMicrotask(() => sink.onEnd(new RequestError('the process is gone')))
      return { close() {} }
    }
    const watch = new LaggingWatch(this.#dependencies, this.rates, {
      onEvents: (events) => {
        if (account === '' && request.type && request.partial === undefined)
          this.#note(nameOf(request.type), Number(events.at(-1)?.object.metadata.resourceVersion ?? 0))
        sink.onEvents(events)
      },
      onEnd: (error) => {
        this.#watches.delete(watch)
        sink.onEnd(error)
      },
    })
    this.#watches.add(watch)
    watch.begin(transport.watch(request, watch))
    return watch
  }

  #note(resource: string, revision: number): void {
    const atMs = this.#dependencies.clock.monotonicMs()
    const known = this.#shown.get(resource)
    if (known) known.push({ atMs, revision })
    else this.#shown.set(resource, [{ atMs, revision }])
  }

  #chance(of: number): boolean {
    return of > 0 && this.#dependencies.random.fraction() < of
  }
}
