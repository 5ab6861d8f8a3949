import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { publicHalfOf, readSigningKey } from '../../lib/authn/index.ts'
import type { Logger } from '../../lib/base/index.ts'
import {
  type ApiserverConfig,
  defaultKubelets,
  reasonOf,
  type StoreConfig,
  startsController,
} from '../../lib/controlplane/index.ts'
import { createFeatureGates, parseEmulation } from '../../lib/features/index.ts'
import type { Cidr } from '../../lib/object/index.ts'
import type { KeyPair } from '../../lib/pki/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { defaultPodSecurity } from '../apiserver/podsecurity.ts'
import { serversProblem } from '../apiserver/storeoverrides.ts'
import { adminEntry, type Credentials, kubeletClientOf, tokenIssuer } from './credentials.ts'
import { controllersOfPlugins } from './flags.ts'
import { frontProxyHeaders } from './frontproxy.ts'
import type { ControlPlaneClock } from './testkit/clock.ts'

/** Storage of a control plane. */
export type ControlPlaneStorage =
  /** In memory: lost after `stop`. */
  | 'memory'
  /** In a folder of this machine, with the certificates; only one control plane at a time may use it. */
  | { readonly dir: string }
  /** In etcd, which may be shared. */
  | {
      readonly etcd: readonly string[]
      /** Prefix of all keys. Default `/registry`. */
      readonly prefix?: string
      /** PEM texts. */
      readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
    }

/** Nodes without machines. */
export interface HollowNodeOptions {
  readonly count: number
  /** Nodes are called `<prefix>-0` and so on; control planes on one etcd need different ones. Default `hollow`. */
  readonly prefix?: string
  /** Stage objects (kwok.x-k8s.io/v1alpha1) in YAML: what happens to pods and nodes, and when. */
  readonly stages?: string
  /** The same seed chooses the same nodes and stages. */
  readonly seed?: number
}

export interface ControlPlaneOptions {
  /** Default `memory`. */
  readonly storage?: ControlPlaneStorage
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Additional names and addresses of the server, for its certificate. */
  readonly names?: readonly string[]
  /** Release to behave like, `1.33` to `1.36`, as --emulated-version. Default `1.36`. */
  readonly emulatedVersion?: string
  /** `{ WatchList: true }`. */
  readonly featureGates?: Readonly<Record<string, boolean>>
  /** `{ 'api/beta': true }`, as --runtime-config. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>
  /**
   * Controllers to run: true for all that are on by default, or names as for `--controllers`. Default false: no
   * controller changes the objects of a test.
   */
  readonly controllers?: boolean | readonly string[]
  /**
   * Nodes without machines, `hollow-0` and so on, with a scheduler: pods become ready there, and have logs, commands and
   * ports. Default 0.
   */
  readonly nodes?: number | HollowNodeOptions
  /** Its time: that of the machine, or one that tests move forward; only for storage in memory. Default `machine`. */
  readonly clock?: ControlPlaneClock
  /** Receives the server's log lines. Default: they are discarded. */
  readonly logger?: Logger
  /** How long to wait for the store. Default 10 s. */
  readonly startTimeoutMs?: number
}

/** Credentials with a serving certificate of their authority. */
export type PlaneCredentials = Credentials & { readonly serving: KeyPair }

const serviceBlock: Cidr = { family: 'IPv4', base: 0x0a_00_00_00n, bits: 24, size: 256n }

/** The server's configuration for these options. */
export function planeConfig(options: ControlPlaneOptions, credentials: PlaneCredentials): ApiserverConfig {
  const { storage = 'memory', host = '127.0.0.1', port = 0, startTimeoutMs = 10_000 } = options
  const set = new Map(Object.entries(options.featureGates ?? {}).map(([name, on]) => [name, String(on)]))
  const { serving, caCertificate, adminToken, frontProxy } = credentials
  const signingKey = readSigningKey(credentials.tokenKey)
  const emulation = emulationOf(options)
  return {
    version: programVersion(emulation),
    emulation,
    gates: createFeatureGates({ set, release: emulation.release }),
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
      proxyAuthorities: frontProxy.authority,
    },
    requestHeader: frontProxyHeaders,
    aggregation: {
      routesToEndpoints: false,
      rejectsRedirects: true,
      proxyClient: { cert: frontProxy.client.certificate, key: frontProxy.client.key },
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
      disable: idlePlugins(wantedControllers(options.controllers)),
      tolerationSeconds: { notReadySeconds: 300, unreachableSeconds: 300 },
      podSecurity: defaultPodSecurity,
    },
    kubelets: { ...defaultKubelets, client: kubeletClientOf(credentials) },
    runtimeConfig: options.runtimeConfig ?? {},
    priorityAndFairness: true,
    allowPrivileged: true,
    eventTtlSeconds: 3600,
    deleteCollectionWorkers: 64,
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
    // A test that ends does not wait for open connections.
    server: { host, port, shutdownLimitMs: 1000 },
  }
}

/** The options that determine what is stored and how; control planes that share them can share snapshots. */
export function formOf(options: ControlPlaneOptions): Readonly<Record<string, string>> {
  const { featureGates = {}, runtimeConfig = {}, nodes = 0 } = options
  const sorted = (settings: Readonly<Record<string, boolean>>): string =>
    JSON.stringify(settings, Object.keys(settings).toSorted())
  return {
    version: programVersion(emulationOf(options)).gitVersion,
    featureGates: sorted(featureGates),
    runtimeConfig: sorted(runtimeConfig),
    nodes: JSON.stringify(nodes),
  }
}

function emulationOf({ emulatedVersion }: ControlPlaneOptions): NonNullable<ApiserverConfig['emulation']> {
  try {
    // JavaScript callers may give a number.
    const release = emulatedVersion === undefined ? [] : [String(emulatedVersion)]
    return { ...parseEmulation(release, []), servesNewerVersions: false, servesNewerNamed: false }
  } catch (error) {
    throw new Error(`emulatedVersion: ${reasonOf(error)}`, { cause: error })
  }
}

/** The greatest number of hollow nodes in a process. */
export const nodesMax = 5000

export function checkNodeCount(given: ControlPlaneOptions['nodes']): void {
  const nodes = typeof given === 'object' ? given.count : given
  if (nodes !== undefined && !(Number.isInteger(nodes) && nodes >= 0 && nodes <= nodesMax))
    throw new Error(`nodes must be a number from 0 to ${nodesMax}`)
  if (typeof given === 'object' && given.prefix !== undefined)
    checkNodePrefix(given.prefix, (message) => new Error(`nodes.prefix ${message}`))
}

/** Names of nodes become labels, which have 63 characters at most. */
const prefixCharactersMax = 50

export function checkNodePrefix(prefix: string, failure: (message: string) => Error): void {
  if (
    typeof prefix !== 'string' ||
    prefix.length > prefixCharactersMax ||
    !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(prefix)
  )
    throw failure(
      `must be 1 to ${prefixCharactersMax} lower case letters, digits and '-', with a letter or digit at both ends`,
    )
}

/**
 * The identity of this process in elections of its scheduler and nodes; undefined where nothing else reaches the store. A
 * store in a folder has one process at a time: the next one is the same candidate, and need not wait for a lease.
 */
export function identityOf({ backend }: StoreConfig): string | undefined {
  if (backend === 'memory') return undefined
  return backend === 'embedded' ? `${hostname()}_built-in` : `${hostname()}_${randomUUID()}`
}

/** Nothing outlives a control plane with this storage. */
export function isInMemory(storage: ControlPlaneStorage | undefined): boolean {
  return storage === undefined || storage === 'memory'
}

/** JavaScript callers have no type checks. Throws an Error of one line. */
export function checkStorage(storage: ControlPlaneStorage | undefined): void {
  if (storage === undefined || storage === 'memory') return
  if (typeof storage !== 'object' || storage === null || !('dir' in storage || 'etcd' in storage))
    throw new Error("storage must be 'memory', { dir } or { etcd }")
  if ('dir' in storage) {
    if (typeof storage.dir !== 'string' || storage.dir === '') throw new Error('storage.dir must name a folder')
    return
  }
  if (!Array.isArray(storage.etcd) || storage.etcd.length === 0) throw new Error('storage.etcd must name servers')
  const problem = serversProblem(storage.etcd)
  if (problem !== undefined) throw new Error(`storage.etcd: ${problem}`)
}

function storeOf(storage: ControlPlaneStorage): StoreConfig {
  if (storage === 'memory') return { backend: 'memory' }
  if ('dir' in storage) return { backend: 'embedded', directory: join(storage.dir, 'store') }
  const { etcd, tls } = storage
  return { backend: 'etcd3', endpoints: etcd, leaseReuseSeconds: 60, tls }
}

export function wantedControllers(controllers: ControlPlaneOptions['controllers'] = false): readonly string[] {
  return typeof controllers === 'boolean' ? (controllers ? ['*'] : []) : controllers
}

/** All plugins that need controllers, except ResourceQuota where its controller runs. */
function idlePlugins(controllers: readonly string[]): string[] {
  const isCounting = startsController(controllers, 'resourcequota-controller')
  return Object.keys(controllersOfPlugins).filter((plugin) => !(plugin === 'ResourceQuota' && isCounting))
}
