import { join } from 'node:path'
import { publicHalfOf, readSigningKey } from '../../lib/authn/index.ts'
import { type Clock, type Logger, silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createLoopbackTransport,
  type LocalApi,
  withRetryAfter,
} from '../../lib/client/index.ts'
import { createFeatureGates } from '../../lib/features/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { servingNames } from '../../lib/pki/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { heldAlive, processSurroundings } from '../surroundings.ts'
import { defaultPodSecurity } from '../apiserver/podsecurity.ts'
import { isServer } from '../apiserver/storeoverrides.ts'
import { adminEntry, type Credentials, keepCredentials, makeCredentials, tokenIssuer } from './credentials.ts'
import { pluginsNeedingControllers } from './flags.ts'
import { formatKubeconfig } from './kubeconfig.ts'
import type { Cidr } from '../../lib/object/index.ts'
import type { Manager } from '../../lib/controller/index.ts'
import {
  type ApiserverConfig,
  checkControllerNames,
  composeApiserver,
  startLocalControllers,
  type StoreConfig,
} from '../../lib/controlplane/index.ts'
import { authenticatedGroup } from '../../lib/request/index.ts'

export type { LogFields, Logger } from '../../lib/base/index.ts'

/** Where a control plane keeps its objects. */
export type ControlPlaneStorage =
  /** Nowhere: they are gone after `stop`. */
  | 'memory'
  /** In a folder of this machine, with the certificates; one control plane at a time may use it. */
  | { readonly dir: string }
  /** In etcd, which others may share. */
  | {
      readonly etcd: readonly string[]
      /** Of all keys. Default `/registry`. */
      readonly prefix?: string
      /** PEM texts. */
      readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
    }

export interface ControlPlaneOptions {
  /** Default `memory`. */
  readonly storage?: ControlPlaneStorage
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Further names and addresses that clients reach the server by, for its certificate. */
  readonly names?: readonly string[]
  /** `{ WatchList: true }`. */
  readonly featureGates?: Readonly<Record<string, boolean>>
  /** `{ 'api/beta': true }`, as --runtime-config. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>
  /**
   * Controllers that run beside the server: true for all that are on by default, or names as `--controllers` takes them.
   * Default false: what a test makes stays as it is.
   */
  readonly controllers?: boolean | readonly string[]
  /** Hears what the server has to say. Default: nobody. */
  readonly logger?: Logger
  /** How long to wait for the store. Default 10 s. */
  readonly startTimeoutMs?: number
}

/** A Kubernetes-compatible API server in this process. */
export interface ControlPlane {
  /** `https://127.0.0.1:34567`. */
  readonly url: string
  /** The text of a kubeconfig whose user may do everything: for a file, or a client library. */
  readonly kubeconfig: string
  /** Bearer token of that user. */
  readonly adminToken: string
  /** PEM; verifies the server's certificate. */
  readonly caCertificate: string
  /** A client of that user that needs no socket. */
  readonly client: Client
  /** Ends it in good order; afterwards nothing of it is left in this process. May be called more than once. */
  stop(): Promise<void>
  /** `await using plane = await startControlPlane()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a control plane and resolves when it is ready to serve. Several may run in one process. Rejects with an Error
 * of one line when the storage or the port can't be used, or an option makes no sense; nothing is left behind then.
 *
 *     const plane = await startControlPlane()
 *     await fetch(`${plane.url}/api/v1/namespaces`, { headers: { authorization: `Bearer ${plane.adminToken}` } })
 *     await plane.stop()
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  checkStorage(options.storage)
  const wanted = wantedControllers(options.controllers)
  checkControllerNames(wanted)
  const services = { clock: systemClock, random: systemRandom }
  const { storage = 'memory', host = '127.0.0.1', names = [] } = options
  const serving = servingNames({ more: [host, ...names] })
  const credentials =
    typeof storage === 'object' && 'dir' in storage
      ? await keepCredentials(services, storage.dir, serving)
      : makeCredentials(services, serving)
  const config = configOf(options, credentials)
  const observed = { ...services, log: options.logger ?? silentLogger, metrics: createMetrics() }
  const server = await heldAlive(() => composeApiserver(config, { ...processSurroundings, ...observed }))
  let manager: Manager | undefined
  try {
    await server.started
    if (wanted.length > 0) {
      const settings = { rootCa: credentials.caCertificate, serviceAccountPrivateKey: credentials.tokenKey }
      const gate = (name: string): boolean => config.gates.gate(name)
      manager = await startLocalControllers(server.local, observed, { wanted, settings, gate })
    }
  } catch (error) {
    await server.stop()
    throw error
  }
  const { caCertificate, adminToken } = credentials
  const end = async (): Promise<void> => {
    await manager?.close()
    await server.stop()
  }
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= end())
  return Object.freeze({
    url: server.url,
    kubeconfig: formatKubeconfig({ url: server.url, caCertificate, token: adminToken }),
    adminToken,
    caCertificate,
    client: adminClient(server.local, services),
    stop,
    [Symbol.asyncDispose]: stop,
  })
}

function wantedControllers(controllers: ControlPlaneOptions['controllers'] = false): readonly string[] {
  return typeof controllers === 'boolean' ? (controllers ? ['*'] : []) : controllers
}

function adminClient(api: LocalApi, services: { readonly clock: Clock }): Client {
  const { user } = adminEntry('')
  const known = { ...user, groups: [...user.groups, authenticatedGroup] }
  const transport = createLoopbackTransport(api, { user: known, userAgent: 'pilothouse' })
  return createClient(withRetryAfter(transport, services))
}

const serviceBlock: Cidr = { family: 'IPv4', base: 0x0a_00_00_00n, bits: 24, size: 256n }

function configOf(options: ControlPlaneOptions, credentials: Credentials): ApiserverConfig {
  const { storage = 'memory', host = '127.0.0.1', port = 0, startTimeoutMs = 10_000 } = options
  const set = new Map(Object.entries(options.featureGates ?? {}).map(([name, on]) => [name, String(on)]))
  const { serving, caCertificate, adminToken } = credentials
  const signingKey = readSigningKey(credentials.tokenKey)
  return {
    version: programVersion(),
    gates: createFeatureGates({ set }),
    store: storeOf(storage),
    storagePrefix: typeof storage === 'object' && 'etcd' in storage ? (storage.prefix ?? '/registry') : '/registry',
    storageMediaType: 'application/vnd.kubernetes.protobuf',
    storageStartTimeoutMs: startTimeoutMs,
    storageLivenessTimeoutMs: 2000,
    storageReadinessTimeoutMs: 2000,
    compactionIntervalMs: 5 * 60_000,
    storageSizePeriodMs: 30_000,
    certificates: {
      serving: { cert: serving.certificate, key: serving.key },
      named: [],
      clientAuthorities: caCertificate,
    },
    tokens: [adminEntry(adminToken)],
    anonymous: false,
    apiAudiences: [tokenIssuer],
    serviceAccounts: {
      issuers: [tokenIssuer],
      keys: [publicHalfOf(signingKey)],
      signingKey,
      lookup: true,
      keysUri: '',
      expirationSecondsMax: 0,
      extendExpiration: true,
    },
    authorization: { modes: ['AlwaysAllow'] },
    admission: {
      enable: [],
      disable: pluginsNeedingControllers,
      tolerationSeconds: { notReadySeconds: 300, unreachableSeconds: 300 },
      podSecurity: defaultPodSecurity,
    },
    runtimeConfig: options.runtimeConfig ?? {},
    priorityAndFairness: true,
    allowPrivileged: true,
    eventTtlSeconds: 3600,
    deleteCollectionWorkers: 1,
    minRequestTimeoutMs: 1800 * 1000,
    externalHost: host,
    hostName: host,
    services: {
      blocks: [serviceBlock],
      nodePorts: { first: 30_000, last: 32_767 },
      advertised: host,
      keepsEndpoints: true,
      ownNodePort: 0,
    },
    // A test that ends waits for nobody.
    server: { host, port, shutdownLimitMs: 1000 },
  }
}

/** Callers in JavaScript have no types. Throws an Error of one line. */
function checkStorage(storage: ControlPlaneStorage | undefined): void {
  if (storage === undefined || storage === 'memory') return
  if (typeof storage !== 'object' || storage === null || !('dir' in storage || 'etcd' in storage))
    throw new Error("storage must be 'memory', { dir } or { etcd }")
  if ('dir' in storage) {
    if (typeof storage.dir !== 'string' || storage.dir === '') throw new Error('storage.dir must name a folder')
    return
  }
  if (!Array.isArray(storage.etcd) || storage.etcd.length === 0) throw new Error('storage.etcd must name servers')
  const wrong = storage.etcd.find((server) => !isServer(server))
  if (wrong !== undefined)
    throw new Error(`storage.etcd: "${wrong}" is not of the form https://host:port or unix://path`)
}

function storeOf(storage: ControlPlaneStorage): StoreConfig {
  if (storage === 'memory') return { backend: 'memory' }
  if ('dir' in storage) return { backend: 'embedded', directory: join(storage.dir, 'store') }
  const { etcd, tls } = storage
  return { backend: 'etcd3', endpoints: etcd, leaseReuseSeconds: 60, ...(tls && { tls }) }
}
