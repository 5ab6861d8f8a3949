import {
  type Clock,
  type Closable,
  createRepeatedWork,
  type Logger,
  type Random,
  type RepeatedWork,
} from '../base/index.ts'
import type { Credentials, ResolveService } from '../client/index.ts'
import type { RemoteVersion } from '../discovery/index.ts'
import type { Dialer } from '../egress/index.ts'
import { deepEqual, type GroupVersion } from '../object/index.ts'
import type { RemoteDocuments } from '../openapi/index.ts'
import type { Backend } from '../proxy/index.ts'
import {
  type ApiService,
  type Availability,
  groupVersionOf,
  isAvailable,
  specOf,
  withAvailability,
} from './apiservice.ts'
import { type BackendObjects, checkObjects, probe } from './availability.ts'
import { fetchDiscovery } from './remotediscovery.ts'
import { fetchDocuments } from './remotedocuments.ts'
import { serviceBackend } from './servicebackend.ts'

export interface RemoteServiceDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly resolve: ResolveService
  readonly dialer?: Dialer | undefined
  credentials(): Credentials
  /** False until this server serves: failures before that may be its own. */
  isStarted(): boolean
  objects(namespace: string, name: string): Promise<BackendObjects>
  /** Stores the result of a check. */
  found(availability: Availability): Promise<void>
  /** The backend serves other resources or documents than before. */
  changed(): void
}

/** Servers with the same backends don't check them at the same time. */
const spread = [0.9, 1] as const
const checks = { periodMs: 30_000, periodSpread: spread, backoff: { firstMs: 5, maxMs: 30_000, spread } }
const fetches = { periodMs: 60_000, periodSpread: spread, backoff: { firstMs: 500, maxMs: 60_000, spread } }
const fetchTimeoutMs = 5_000

/** One APIService of another server: its connections, its checks, and the resources that it serves. */
export class RemoteService implements Closable {
  readonly at: GroupVersion
  readonly name: string
  /** Undefined when the spec can't be used. */
  backend: Backend | undefined
  /** Its version in discovery: stale while the backend doesn't answer. */
  version: RemoteVersion
  documents: RemoteDocuments | undefined
  #documentsFrom: Backend | undefined
  #service: ApiService
  #specError = ''
  /** The result of the last check. */
  #finding: Availability | undefined
  #etag: string | undefined
  readonly #dependencies: RemoteServiceDependencies
  readonly #checking: RepeatedWork
  readonly #fetching: RepeatedWork

  constructor(service: ApiService, dependencies: RemoteServiceDependencies) {
    this.#service = service
    this.#dependencies = dependencies
    this.at = groupVersionOf(service)
    this.name = service.metadata.name ?? ''
    this.version = { version: this.at.version, remoteResources: [], freshness: 'Stale' }
    this.#checking = createRepeatedWork(dependencies, {
      ...checks,
      name: `the check of the APIService ${this.name}`,
      run: (signal) => this.#check(signal),
    })
    this.#fetching = createRepeatedWork(dependencies, {
      ...fetches,
      name: `discovery of the APIService ${this.name}`,
      run: (signal) => this.#fetch(signal),
    })
    this.#connect()
    if (this.isAvailable) this.#fetching.again()
  }

  get isAvailable(): boolean {
    return isAvailable(this.#service)
  }

  isOf(namespace: string, name: string): boolean {
    const { service } = specOf(this.#service)
    return service?.namespace === namespace && service.name === name
  }

  /** Checks soon whether the backend is available. */
  check(): void {
    if (this.#dependencies.isStarted()) this.#checking.again()
  }

  update(service: ApiService): void {
    const wasAvailable = this.isAvailable
    const isMoved = !deepEqual(specOf(service), specOf(this.#service))
    this.#service = service
    if (isMoved) {
      this.backend?.close()
      this.#connect()
      this.#etag = undefined
      this.check()
    }
    // Another client has written another result.
    else if (this.#finding && withAvailability(service, this.#finding, '')) this.check()
    if (this.isAvailable && (isMoved || !wasAvailable)) this.#fetching.again()
    if (!this.isAvailable && wasAvailable) this.#stale()
  }

  close(): void {
    void this.#checking.close()
    void this.#fetching.close()
    this.backend?.close()
  }

  #connect(): void {
    try {
      this.backend = serviceBackend(this.#service, this.#dependencies)
      this.#specError = ''
    } catch (error) {
      this.backend = undefined
      this.#specError = error instanceof Error ? error.message : String(error)
    }
  }

  /** Rejects while the service is not available, so that the next check comes sooner. */
  async #check(signal: AbortSignal): Promise<void> {
    const availability = await this.#look(signal)
    if (signal.aborted) return
    this.#finding = availability
    await this.#dependencies.found(availability)
    if (availability.status !== 'True') throw new Error(availability.message)
  }

  async #look(signal: AbortSignal): Promise<Availability> {
    const { service } = specOf(this.#service)
    const objects = await this.#dependencies.objects(service?.namespace ?? '', service?.name ?? '')
    const finding = checkObjects(this.#service, objects)
    if (finding) return finding
    if (!this.backend) return { status: 'False', reason: 'FailedDiscoveryCheck', message: this.#specError }
    return await probe(this.#service, this.backend, { clock: this.#dependencies.clock, signal })
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { backend } = this
    if (!backend || !this.isAvailable) return
    const { clock, log, changed } = this.#dependencies
    const limit = new AbortController()
    const timer = clock.after(fetchTimeoutMs, () => limit.abort(new Error(`no answer within ${fetchTimeoutMs} ms`)))
    const any = AbortSignal.any([signal, limit.signal])
    try {
      const answer = await fetchDiscovery(backend, this.at, this.#etag, any)
      if (answer) {
        this.version = answer.version
        this.#etag = answer.etag
      }
      const before = this.#documentsFrom === backend ? this.documents : undefined
      const documents = await fetchDocuments(backend, this.at, before, any).catch((error: unknown) => {
        if (!signal.aborted)
          log.warn('the OpenAPI documents of an APIService are not available', { name: this.name, error })
        return this.documents
      })
      const areNew = documents !== this.documents
      if (areNew) {
        this.documents = documents
        this.#documentsFrom = backend
      }
      if (answer || areNew) changed()
    } catch (error) {
      if (!signal.aborted) this.#stale()
      throw error
    } finally {
      void timer.close()
    }
  }

  /** Its last resources stay in discovery, marked as stale. */
  #stale(): void {
    this.#etag = undefined
    if (this.version.freshness === 'Stale') return
    this.version = { ...this.version, freshness: 'Stale' }
    this.#dependencies.changed()
  }
}
