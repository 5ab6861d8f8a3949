import { type Closable, type Counter, createRepeatedWork, networkErrorText, type RepeatedWork } from '../base/index.ts'
import type { ListedGroup } from '../discovery/index.ts'
import { statusErrors } from '../object/index.ts'
import { forward, forwardedHeaders, sendText, userHeaders } from '../proxy/index.ts'
import type { Call } from '../request/index.ts'
import type { Peer, PeersDependencies } from './contract.ts'
import { Replica } from './replica.ts'
import { type PeerGroup, resourceNames, unionOf } from './union.ts'

export type { Peer } from './contract.ts'

/** The other replicas. */
export interface Peers extends Closable {
  /** Answers a call that only another replica can serve; undefined: this server answers or refuses it. */
  handle(call: Call): Promise<void> | undefined
  /** This server's groups, and those that only others serve; the same array while nothing changes. */
  groups(own: readonly ListedGroup[]): readonly ListedGroup[]
  /** A client has requested this server's groups alone. */
  noPeerAsked(): void
  close(): void
}

/** Marks a forwarded request: the receiver answers it. */
const proxiedHeader = 'x-kubernetes-peer-proxied'
/** Replicas announce themselves every ten seconds. */
const lookPeriodMs = 2_000

export function createPeers(dependencies: PeersDependencies): Peers {
  return new FollowedPeers(dependencies)
}

class FollowedPeers implements Peers {
  readonly #dependencies: PeersDependencies
  readonly #metrics: PeerMetrics
  readonly #replicas = new Map<string, Replica>()
  readonly #looking: RepeatedWork
  readonly #served: Closable
  /**
   * Replicas by `group/version/resource`, for resources that this server does not serve itself; undefined: out of date.
   */
  #elsewhere: ReadonlyMap<string, readonly Replica[]> | undefined
  /** As of the last change. */
  #excluded = ''
  #union: { readonly own: readonly ListedGroup[]; readonly groups: readonly ListedGroup[] } | undefined

  constructor(dependencies: PeersDependencies) {
    this.#dependencies = dependencies
    this.#metrics = createPeerMetrics(dependencies)
    this.#served = dependencies.served.onChange(() => this.#changed())
    this.#looking = createRepeatedWork(dependencies, {
      name: 'the list of the other replicas',
      periodMs: lookPeriodMs,
      periodSpread: [0.9, 1],
      backoff: { firstMs: 200, maxMs: lookPeriodMs },
      run: () => this.#look(),
    })
    this.#looking.again()
  }

  handle(call: Call): Promise<void> | undefined {
    const { info, headers } = call
    if (this.#replicas.size === 0 || !info.isResource || headers[proxiedHeader] === 'true') return undefined
    const { group, version, resource } = info
    const able = this.#servedElsewhere().get(`${group}/${version}/${resource}`)
    const replica = able?.[Math.floor(this.#dependencies.random.fraction() * able.length)]
    return replica && this.#pass(call, replica)
  }

  groups(own: readonly ListedGroup[]): readonly ListedGroup[] {
    if (this.#union?.own === own) {
      this.#metrics.hits.add([])
      return this.#union.groups
    }
    this.#metrics.misses.add([])
    const others = [...this.#replicas.values()].map(({ groups }) => this.#included(groups))
    const groups = unionOf(own, others)
    this.#union = { own, groups }
    return groups
  }

  noPeerAsked(): void {
    this.#metrics.noPeer.add([])
  }

  close(): void {
    void this.#looking.close()
    void this.#served.close()
    for (const replica of this.#replicas.values()) replica.close()
    this.#replicas.clear()
  }

  #pass(call: Call, { backend }: Replica): Promise<void> {
    const { clock, isUserHeader } = this.#dependencies
    const { group, version, resource } = call.info
    const about = [group, version, resource] as const
    return forward(call, backend, {
      clock,
      headers: {
        ...forwardedHeaders(call, isUserHeader),
        ...userHeaders(call.user),
        'audit-id': call.auditId ?? '',
        [proxiedHeader]: 'true',
      },
      // The other replica's own answer would be the same.
      rejectsRedirects: false,
      answered: (status) => this.#metrics.rerouted.add([String(status), ...about]),
      failed: (failed, failure, error) => {
        this.#metrics.errors.add([failure, ...about])
        if (failure === 'endpoint_resolution')
          throw statusErrors.unavailable('Error getting ip and port info of the remote server while proxying')
        return sendText(failed, 503, networkErrorText(error))
      },
    })
  }

  #servedElsewhere(): ReadonlyMap<string, readonly Replica[]> {
    if (this.#elsewhere) return this.#elsewhere
    const own = new Set(
      this.#dependencies.served
        .list()
        .flatMap(({ name, versions }) =>
          versions.flatMap((version) => resourceNames(version).map((each) => `${name}/${version.version}/${each}`)),
        ),
    )
    const elsewhere = new Map<string, Replica[]>()
    for (const replica of this.#replicas.values())
      for (const { name, versions } of this.#included(replica.groups))
        for (const version of versions)
          for (const resource of resourceNames(version)) {
            const key = `${name}/${version.version}/${resource}`
            if (own.has(key)) continue
            const able = elsewhere.get(key)
            if (able) able.push(replica)
            else elsewhere.set(key, [replica])
          }
    return (this.#elsewhere = elsewhere)
  }

  #included(groups: readonly PeerGroup[]): PeerGroup[] {
    return groups
      .map(({ name, versions }) => ({
        name,
        versions: versions.filter(({ version }) => !this.#dependencies.isExcluded({ group: name, version })),
      }))
      .filter(({ versions }) => versions.length > 0)
  }

  #changed(): void {
    this.#excluded = this.#excludedNow()
    this.#elsewhere = undefined
    this.#union = undefined
  }

  async #look(): Promise<void> {
    let found: readonly Peer[]
    try {
      found = await this.#dependencies.list()
    } catch (error) {
      this.#metrics.syncErrors.add(['lease_list'])
      throw error
    }
    let isChanged = this.#excludedNow() !== this.#excluded
    for (const [name, replica] of this.#replicas)
      if (!found.some((peer) => peer.name === name && peer.holder === replica.peer.holder)) {
        replica.close()
        this.#replicas.delete(name)
        isChanged = true
      }
    for (const peer of found) {
      if (this.#replicas.has(peer.name)) continue
      const changed = (): void => this.#changed()
      this.#replicas.set(peer.name, new Replica(peer, this.#dependencies, this.#metrics.syncErrors, changed))
    }
    if (isChanged) this.#changed()
  }

  /** The excluded group versions of replicas, as one text: they change with definitions, and with time. */
  #excludedNow(): string {
    const all = [...this.#replicas.values()].flatMap(({ groups }) => groups)
    const excluded = all.flatMap(({ name, versions }) =>
      versions
        .filter(({ version }) => this.#dependencies.isExcluded({ group: name, version }))
        .map(({ version }) => `${name}/${version}`),
    )
    return excluded.join()
  }
}

interface PeerMetrics {
  readonly rerouted: Counter
  readonly errors: Counter
  readonly syncErrors: Counter
  readonly hits: Counter
  readonly misses: Counter
  readonly noPeer: Counter
}

function createPeerMetrics({ metrics }: PeersDependencies): PeerMetrics {
  const counter = (name: string, help: string, labels: readonly string[] = []): Counter =>
    metrics.counter({ name, help, labels, stability: 'ALPHA' })
  const about = ['group', 'version', 'resource']
  return {
    rerouted: counter('apiserver_rerouted_request_total', 'Requests that another replica has answered, by code.', [
      'code',
      ...about,
    ]),
    errors: counter('apiserver_peer_proxy_errors_total', 'Requests that could not be passed on to another replica.', [
      'type',
      ...about,
    ]),
    syncErrors: counter(
      'apiserver_peer_discovery_sync_errors_total',
      'Failures to discover the replicas and what they serve.',
      ['type'],
    ),
    hits: counter(
      'aggregator_discovery_peer_aggregated_cache_hits_total',
      'Discovery of all replicas that was answered as it was made before.',
    ),
    misses: counter(
      'aggregator_discovery_peer_aggregated_cache_misses_total',
      'Rebuilt discovery documents of all replicas.',
    ),
    noPeer: counter('aggregator_discovery_nopeer_requests_total', 'Requests for the discovery of this replica alone.'),
  }
}
