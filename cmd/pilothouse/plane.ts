import { type Clock, type Random, silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createLoopbackTransport,
  type LocalApi,
  withRetryAfter,
} from '../../lib/client/index.ts'
import type { Manager } from '../../lib/controller/index.ts'
import {
  type Apiserver,
  type ApiserverConfig,
  checkControllerNames,
  composeApiserver,
  type Faults,
  type LocalNodes,
  startLocalControllers,
  startLocalNodes,
} from '../../lib/controlplane/index.ts'
import type { StageSource } from '../../lib/hollownode/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { servingNames } from '../../lib/pki/index.ts'
import { authenticatedGroup } from '../../lib/request/index.ts'
import type { StoreContent } from '../../lib/storage/index.ts'
import { keepAliveDuring } from '../keepaliveduring.ts'
import { processEnvironment } from '../processenvironment.ts'
import { adminEntry, authorityOf, keepCredentials, keepServingPair, makeCredentials, signersOf } from './credentials.ts'
import { createFetch, type PlaneFetch } from './fetch.ts'
import { formatKubeconfig } from './kubeconfig.ts'
import { createKubeconfigFile } from './kubeconfigfile.ts'
import {
  type ControlPlaneOptions,
  checkNodeCount,
  checkStorage,
  formOf,
  identityOf,
  isInMemory,
  type PlaneCredentials,
  planeConfig,
  wantedControllers,
} from './planeconfig.ts'
import { createClocks, createPlaneClock, type PlaneClock, type PlaneClocks } from './testkit/clock.ts'
import { createPlaneEvents, type PlaneEvent } from './testkit/events.ts'
import { createEventually, type EventuallyOptions } from './testkit/eventually.ts'
import { createPlaneSnapshots, type PlaneSnapshot } from './testkit/snapshot.ts'

/** A Kubernetes-compatible API server in this process. */
export interface ControlPlane {
  /** `https://127.0.0.1:34567`. */
  readonly url: string
  /** The text of a kubeconfig whose user may do everything, for a client library. */
  readonly kubeconfig: string
  /**
   * The path of a file with it, readable by its owner only, for programs such as kubectl. Written on first use, deleted
   * by `stop`.
   */
  kubeconfigFile(): Promise<string>
  /** Bearer token of that user. */
  readonly adminToken: string
  /** PEM; verifies the server's certificate. */
  readonly caCertificate: string
  /** A client of that user without sockets: `client.resource(resources.core.v1.pods)`. */
  readonly client: Client
  /** As the global `fetch`, as that user: trusts this server, and accepts paths. */
  readonly fetch: PlaneFetch
  /** The time of this control plane; the option `clock` makes it adjustable. */
  readonly clock: PlaneClock
  /**
   * Injects faults into requests, of all clients: those in this process, controllers and nodes among them, and those over
   * the network. Faults come after authorization. `reset` and `restore` leave the rules in force.
   *
   *     plane.faults.add({ verbs: ['update'], resource: 'deployments.apps', fault: { kind: 'error', code: 409 }, count: 1 })
   */
  readonly faults: Faults
  /**
   * Event objects, as they are recorded and counted again. Each iteration begins with those that exist. Up to 1000 wait to
   * be read; beyond, the oldest are dropped, and the next one says how many. Ends when the control plane stops.
   *
   *     for await (const { event } of plane.events) if (event.reason === 'Scheduled') break
   */
  readonly events: AsyncIterable<PlaneEvent>
  /**
   * Resolves with the first answer of `condition` that is true in JavaScript's sense, or undefined, as of assertions that
   * pass. Tries again after each change of a stored object, and every 25 ms. Rejects after the time limit (default 10 s) with an
   * Error that names the last answer or failure.
   *
   *     await plane.eventually(async () => assert.equal((await pods.get(web)).status?.phase, 'Running'))
   */
  eventually<T>(condition: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>
  /**
   * Resets the control plane in milliseconds: created objects are deleted, and the default objects are restored.
   * Watches stay open and see the changes. Storage in memory only; rejects for others.
   */
  reset(): Promise<void>
  /** Everything that is stored now, to come back to; takes milliseconds. Storage in memory only; rejects for others. */
  snapshot(): Promise<PlaneSnapshot>
  /**
   * Brings the stored objects back to a snapshot, in milliseconds. Watches stay open and see the differences as ordinary
   * changes; resource versions ascend, so that no client's cache is wrong; objects that expire have as much time left as
   * they had, and the clock isn't set back. Resolves when every new read sees that state; controllers and informers
   * follow right away.
   *
   * The snapshot may be of another control plane of this process with the same release, features and nodes; objects that
   * name its address or certificate authority, such as `kube-root-ca.crt`, come along. Others are refused with an Error.
   */
  restore(snapshot: PlaneSnapshot): Promise<void>
  /** Stops gracefully and releases everything. May be called more than once. */
  stop(): Promise<void>
  /** `await using plane = await startControlPlane()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The control plane, and the manager of its controllers if any run. */
export async function openControlPlane(
  options: ControlPlaneOptions,
): Promise<{ readonly plane: ControlPlane; readonly manager: Manager | undefined }> {
  checkStorage(options.storage)
  checkNodeCount(options.nodes)
  const wanted = wantedControllers(options.controllers)
  checkControllerNames(wanted)
  const clocks = createClocks(options.clock, isInMemory(options.storage))
  // Certificates are checked by the machine's time, whatever that of the control plane.
  const services = { clock: systemClock, random: systemRandom }
  const credentials = await credentialsOf(options, services)
  await using opening = new AsyncDisposableStack()
  const { server, initial, manager, nodes } = await startServer(options, credentials, wanted, clocks, opening)
  const { caCertificate, adminToken } = credentials
  const access = { url: server.url, caCertificate, token: adminToken }
  const kubeconfig = formatKubeconfig(access)
  const file = opening.adopt(createKubeconfigFile(kubeconfig), (made) => made.close())
  const web = opening.adopt(createFetch(access), (made) => made.close())
  const client = opening.adopt(adminClient(server.local, services), (made) => made.close())
  const { events } = opening.adopt(createPlaneEvents({ clock: clocks.clock, random: systemRandom }, client), (made) =>
    made.close(),
  )
  const snapshots = createPlaneSnapshots(server.snapshots, formOf(options))
  const opened = opening.move()
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= opened.disposeAsync())
  const plane = Object.freeze({
    url: server.url,
    kubeconfig,
    kubeconfigFile: () => file.path(),
    adminToken,
    caCertificate,
    client,
    fetch: web.fetch,
    clock: createPlaneClock(clocks, () => server.activity()),
    faults: server.faults,
    events,
    eventually: createEventually((changed) => server.onChange(changed)),
    async reset() {
      if (!server.snapshots || !initial) throw new Error('only a control plane in memory can be reset')
      await server.snapshots.restore(initial)
      await nodes?.restore()
    },
    snapshot: () => snapshots.take(),
    async restore(snapshot: PlaneSnapshot) {
      await snapshots.restore(snapshot)
      await nodes?.restore()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  })
  return { plane, manager }
}

async function credentialsOf(
  { storage, host = '127.0.0.1', names = [] }: ControlPlaneOptions,
  services: { readonly clock: Clock; readonly random: Random },
): Promise<PlaneCredentials> {
  const served = servingNames({ more: [host, ...names] })
  if (typeof storage !== 'object' || !('dir' in storage)) return makeCredentials(services, served)
  const kept = await keepCredentials(services, storage.dir)
  return { ...kept, serving: await keepServingPair(services, storage.dir, kept, served) }
}

interface Started {
  readonly server: Apiserver
  /** The objects that the server itself has stored, for `reset`. */
  readonly initial: StoreContent | undefined
  readonly nodes: LocalNodes | undefined
  readonly manager: Manager | undefined
}

/** Starts the server and its controllers; resolves when they are ready. */
async function startServer(
  options: ControlPlaneOptions,
  credentials: PlaneCredentials,
  wanted: readonly string[],
  { clock, connections }: PlaneClocks,
  opening: AsyncDisposableStack,
): Promise<Started> {
  const config = planeConfig(options, credentials)
  const observed = {
    clock,
    connectionClock: connections,
    random: systemRandom,
    log: options.logger ?? silentLogger,
    metrics: createMetrics(),
  }
  const server = await keepAliveDuring(() => composeApiserver(config, { ...processEnvironment, ...observed }))
  opening.defer(() => server.stop())
  await server.started
  const initial = await server.snapshots?.take()
  const gate = (name: string): boolean => config.gates.gate(name)
  const nodes = await startNodes(server, options, credentials, {
    observed,
    gate,
    version: config.version.gitVersion,
    store: config.store,
    opening,
  })
  if (wanted.length === 0) return { server, initial, nodes, manager: undefined }
  const settings = {
    rootCa: credentials.caCertificate,
    serviceAccountPrivateKey: credentials.tokenKey,
    clusterSigning: signersOf(credentials),
  }
  const manager = await startLocalControllers(server.local, observed, {
    wanted,
    settings,
    gate,
    release: config.emulation?.release,
  })
  opening.defer(() => manager.close())
  return { server, initial, nodes, manager }
}

interface NodesOf {
  readonly observed: Parameters<typeof startLocalNodes>[1]
  readonly version: string
  readonly store: ApiserverConfig['store']
  readonly opening: AsyncDisposableStack
  gate(name: string): boolean
}

async function startNodes(
  server: Apiserver,
  { nodes = 0 }: ControlPlaneOptions,
  credentials: PlaneCredentials,
  { observed, version, store, opening, gate }: NodesOf,
): Promise<LocalNodes | undefined> {
  const { count, prefix, stages = '', seed } = typeof nodes === 'number' ? { count: nodes } : nodes
  if (count === 0) return undefined
  const authority = authorityOf({ ...observed, clock: systemClock }, credentials)
  const running = await startLocalNodes(server.local, observed, {
    count,
    prefix,
    identity: identityOf(store),
    prefixSetting: 'nodes.prefix',
    seed,
    stages: stages === '' ? undefined : await fixedStages(stages),
    authority,
    version,
    schedules: true,
    gate,
  })
  opening.defer(() => running.close())
  return running
}

/** The rooms of nodes are loaded for them alone. */
async function fixedStages(text: string): Promise<StageSource> {
  const { parseStages } = await import('../../lib/hollownode/index.ts')
  const stages = parseStages(text, 'nodes.stages')
  return { current: () => stages, subscribe() {} }
}

function adminClient(api: LocalApi, services: { readonly clock: Clock }): Client {
  const { user } = adminEntry('')
  const known = { ...user, groups: [...user.groups, authenticatedGroup] }
  const transport = createLoopbackTransport(api, { user: known, userAgent: 'pilothouse' })
  return createClient(withRetryAfter(transport, services))
}
