import { hostname, networkInterfaces } from 'node:os'
import { parseTokenFile } from '../../lib/authn/index.ts'
import type { Clock, Random } from '../../lib/base/index.ts'
import {
  type ApiserverConfig,
  reasonOf,
  type StorageMediaType,
  type StoreConfig,
} from '../../lib/controlplane/index.ts'
import { createFeatureGates, type Emulation, type FeatureGates, type VersionInfo } from '../../lib/features/index.ts'
import { FlagError, showFlags } from '../../lib/flags/index.ts'
import { isLoopback, parseCidr, parseGroupVersion, parseIp } from '../../lib/object/index.ts'
import { servingNames } from '../../lib/pki/index.ts'
import {
  type CertificateFiles,
  cipherList,
  cipherWarnings,
  curveList,
  tlsVersion,
  validateServerOptions,
} from '../../lib/server/index.ts'
import { pairInCertDir } from '../certdir.ts'
import { admissionSettings } from './configureadmission.ts'
import { auditConfig } from './configureauditing.ts'
import { authorizationSettings } from './configureauthorization.ts'
import { consoleSettings } from './configureconsole.ts'
import { emulationSettings } from './configureemulation.ts'
import { issuersConfig } from './configureissuers.ts'
import { kubeletSettings } from './configurekubelets.ts'
import { peerSettings } from './configurepeers.ts'
import { serviceAccountConfig } from './configuretokens.ts'
import { tokenWebhookConfig } from './configuretokenwebhook.ts'
import { encodedBytesMax } from './encodedbytes.ts'
import { dataEncryptionKeys, readOptional, withFlagName } from './flagfiles.ts'
import { type ApiserverFlags, apiserverFlags } from './flags.ts'
import { cleanPrefix, enabledBy } from './rules.ts'
import { parseStoreOverrides } from './storeoverrides.ts'

/**
 * Makes the server's configuration from its flags. Reads files that are only read once, and makes a serving certificate
 * where none is configured. The flags have passed `checkFlags`; `given` names those that were set. Rejects with
 * FlagError.
 */
export async function configure(
  flags: ApiserverFlags,
  services: { clock: Clock; random: Random },
  versionOf: (emulation: Emulation) => VersionInfo,
  given: ReadonlySet<string> = new Set(),
): Promise<ApiserverConfig> {
  const authorization = await authorizationSettings(flags)
  const emulation = emulationSettings(flags)
  const { release } = emulation
  const gates = withFlagName('feature-gates', () => createFeatureGates({ set: flags['feature-gates'], release }))
  return {
    version: versionOf(emulation),
    emulation,
    gates,
    ...(await storeConfigs(flags)),
    storagePrefix: cleanPrefix(flags['etcd-prefix']),
    caching: { entryBytesPerStored: flags['watch-cache-encoded-ratio'], entryBytesMax: encodedBytesMax() },
    mirrors: flags['watch-cache-directory'] === '' ? undefined : { directory: flags['watch-cache-directory'] },
    // checkFlags has checked the values.
    storageMediaType: flags['storage-media-type'] as StorageMediaType,
    storageVersions: storageVersions(flags),
    authorization,
    storageStartTimeoutMs: flags['storage-initialization-timeout'],
    storageLivenessTimeoutMs: flags['etcd-healthcheck-timeout'],
    storageReadinessTimeoutMs: flags['etcd-readycheck-timeout'],
    compactionIntervalMs: flags['etcd-compaction-interval'],
    storageSizePeriodMs: flags['etcd-db-metric-poll-interval'],
    certificates: await certificateFiles(flags, services),
    tokens: await tokens(flags),
    apiAudiences: flags['api-audiences'].length > 0 ? flags['api-audiences'] : flags['service-account-issuer'],
    serviceAccounts: await serviceAccountConfig(flags, gates.gate),
    bootstrapTokens: flags['enable-bootstrap-token-auth'],
    requestHeader: requestHeader(flags),
    audit: auditConfig(flags),
    encryption: encryptionConfig(flags),
    console: consoleSettings(flags, given),
    tracing: flags['tracing-config-file'] === '' ? undefined : { file: flags['tracing-config-file'] },
    egress: flags['egress-selector-config-file'] === '' ? undefined : { file: flags['egress-selector-config-file'] },
    issuers: await issuers(flags, given),
    tokenWebhook: tokenWebhookConfig(flags),
    // As on the stock server: with AlwaysAllow, anonymous requests are refused.
    anonymous: flags['anonymous-auth'] && !authorization.modes.includes('AlwaysAllow'),
    kubelets: kubeletSettings(flags),
    peers: await peerSettings(flags, gates, advertisedAddress(flags)),
    admission: await admissionSettings(flags, { ...services, gates }),
    aggregation: {
      routesToEndpoints: flags['enable-aggregator-routing'],
      rejectsRedirects: flags['aggregator-reject-forwarding-redirect'],
      ...proxyClient(flags),
    },
    runtimeConfig: Object.fromEntries(
      Array.from(flags['runtime-config'], ([key, value]) => [key, enabledBy(value) === true]),
    ),
    priorityAndFairness: flags['enable-priority-and-fairness'],
    allowPrivileged: flags['allow-privileged'],
    eventTtlSeconds: Math.ceil(flags['event-ttl'] / 1000),
    deleteCollectionWorkers: flags['delete-collection-workers'],
    garbageCollection: flags['enable-garbage-collector'],
    minRequestTimeoutMs: flags['min-request-timeout'] * 1000,
    externalHost: flags['external-hostname'] || advertisedAddress(flags),
    hostName: hostname(),
    services: servicesConfig(flags),
    shownFlags: showFlags(apiserverFlags, flags),
    debugSocketPath: flags['debug-socket-path'],
    server: serverOptions(flags, gates),
    warnings: [...cipherWarnings(flags['tls-cipher-suites']), ...proxyClientWarnings(flags)],
  }
}

/** As on the stock server, no certificate is shown where only one of the files is named. */
function proxyClient(flags: ApiserverFlags): Pick<NonNullable<ApiserverConfig['aggregation']>, 'proxyClient'> {
  const { 'proxy-client-cert-file': certFile, 'proxy-client-key-file': keyFile } = flags
  return certFile === '' || keyFile === '' ? {} : { proxyClient: { certFile, keyFile } }
}

function proxyClientWarnings(flags: ApiserverFlags): string[] {
  const names = ['proxy-client-cert-file', 'proxy-client-key-file'] as const
  const [missing, ...others] = names.filter((name) => flags[name] === '')
  if (missing === undefined || others.length > 0) return []
  return names.filter((name) => name !== missing).map((name) => `--${name} has no effect without --${missing}`)
}

function encryptionConfig(flags: ApiserverFlags): ApiserverConfig['encryption'] {
  const file = flags['encryption-provider-config']
  return file === '' ? undefined : { file, reload: flags['encryption-provider-config-automatic-reload'] }
}

function storageVersions(flags: ApiserverFlags): Record<string, string> {
  return Object.fromEntries(
    flags['storage-versions'].map((text) => {
      const version = parseGroupVersion(text)
      if (!version) throw new FlagError(`--storage-versions: ${JSON.stringify(text)} is no version such as apps/v1`)
      return [version.group, version.version]
    }),
  )
}

function servicesConfig(flags: ApiserverFlags): ApiserverConfig['services'] {
  const ranges = (flags['service-cluster-ip-range'] || '10.0.0.0/24').split(',')
  return {
    blocks: ranges.map((range) => {
      const block = parseCidr(range.trim())
      if (!block)
        throw new FlagError(`--service-cluster-ip-range: ${JSON.stringify(range)} is not a range of addresses`)
      return block
    }),
    nodePorts: flags['service-node-port-range'],
    advertised: advertisedAddress(flags),
    keepsEndpoints: flags['endpoint-reconciler-type'] !== 'none',
    ownNodePort: flags['kubernetes-service-node-port'],
  }
}

async function storeConfigs(flags: ApiserverFlags): Promise<Pick<ApiserverConfig, 'store' | 'storeOverrides'>> {
  if (flags['storage-backend'] === 'memory') return { store: { backend: 'memory' } }
  if (flags['etcd-servers'].length === 0) {
    const encryptionKeys = await dataEncryptionKeys(flags['data-encryption-key-file'])
    return { store: { backend: 'embedded', directory: flags['data-dir'], encryptionKeys } }
  }
  const [ca, cert, key] = await Promise.all([
    readOptional('etcd-cafile', flags['etcd-cafile']),
    readOptional('etcd-certfile', flags['etcd-certfile']),
    readOptional('etcd-keyfile', flags['etcd-keyfile']),
  ])
  const etcdAt = (servers: readonly string[]): StoreConfig => ({
    backend: 'etcd3',
    endpoints: servers.map((server) => server.replace(/\/$/, '')),
    tls: { ca, cert, key },
    leaseReuseSeconds: flags['lease-reuse-duration-seconds'],
  })
  const overrides = parseStoreOverrides(flags['etcd-servers-overrides'])
  return {
    store: etcdAt(flags['etcd-servers']),
    storeOverrides: overrides.map(({ resources, servers }) => ({ resources, store: etcdAt(servers) })),
  }
}

async function certificateFiles(
  flags: ApiserverFlags,
  services: { clock: Clock; random: Random },
): Promise<CertificateFiles> {
  return {
    ...(await servingFiles(flags, services)),
    named: flags['tls-sni-cert-key'],
    clientAuthorityFile: flags['client-ca-file'] || undefined,
    proxyAuthorityFile: flags['requestheader-client-ca-file'] || undefined,
  }
}

async function servingFiles(
  flags: ApiserverFlags,
  services: { clock: Clock; random: Random },
): Promise<Pick<CertificateFiles, 'certFile' | 'keyFile'>> {
  if (flags['tls-cert-file'] !== '') return { certFile: flags['tls-cert-file'], keyFile: flags['tls-private-key-file'] }
  const pair = await pairInCertDir(services, { folder: flags['cert-dir'], names: namesToServe(flags) })
  return { certFile: pair.certificateFile, keyFile: pair.keyFile }
}

async function issuers(flags: ApiserverFlags, given: ReadonlySet<string>): Promise<ApiserverConfig['issuers']> {
  try {
    return await issuersConfig(flags, given)
  } catch (error) {
    throw new FlagError(`--oidc-ca-file: ${reasonOf(error)}`, { cause: error })
  }
}

function requestHeader(flags: ApiserverFlags): ApiserverConfig['requestHeader'] {
  if (flags['requestheader-client-ca-file'] === '') return undefined
  return {
    allowedNames: flags['requestheader-allowed-names'],
    usernameHeaders: flags['requestheader-username-headers'],
    uidHeaders: flags['requestheader-uid-headers'],
    groupHeaders: flags['requestheader-group-headers'],
    extraPrefixes: flags['requestheader-extra-headers-prefix'],
  }
}

/** Every name and address by which clients may reach the server. */
export function namesToServe(flags: ApiserverFlags): string[] {
  const [serviceRange = ''] = flags['service-cluster-ip-range'].split(',')
  const more = [flags['advertise-address'], flags['bind-address'], flags['external-hostname'], advertisedAddress(flags)]
  return withFlagName('service-cluster-ip-range', () => servingNames({ serviceRange, hostName: hostname(), more }))
}

/**
 * --advertise-address, else the bind address, else the host's first address that other hosts can reach (a loopback
 * address only reaches this host).
 */
function advertisedAddress(flags: ApiserverFlags): string {
  if (flags['advertise-address'] !== '') return flags['advertise-address']
  const bound = flags['bind-address']
  const address = parseIp(bound)
  if (address && address.value !== 0n && !isLoopback(address)) return bound
  const addresses = Object.values(networkInterfaces()).flatMap((network) => network ?? [])
  const usable = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  return (usable.find(({ family }) => family === 'IPv4') ?? usable[0])?.address ?? '127.0.0.1'
}

async function tokens(flags: ApiserverFlags): Promise<ApiserverConfig['tokens']> {
  const text = await readOptional('token-auth-file', flags['token-auth-file'])
  return text === undefined ? [] : withFlagName('token-auth-file', () => parseTokenFile(text))
}

function serverOptions(flags: ApiserverFlags, gates: FeatureGates): ApiserverConfig['server'] {
  const minVersion = withFlagName('tls-min-version', () => tlsVersion(flags['tls-min-version']))
  const ciphers = withFlagName('tls-cipher-suites', () => cipherList(flags['tls-cipher-suites'], minVersion))
  const curves = withFlagName('tls-curve-preferences', () => curveList(flags['tls-curve-preferences']))
  const options = {
    host: flags['bind-address'] || '0.0.0.0',
    port: flags['secure-port'],
    portSharing: flags['permit-port-sharing'],
    requestTimeoutMs: flags['request-timeout'],
    maxRequestsInFlight: flags['max-requests-inflight'],
    maxMutatingRequestsInFlight: flags['max-mutating-requests-inflight'],
    http2: !flags['disable-http2-serving'],
    http2StreamsMax: flags['http2-max-streams-per-connection'] || 1000,
    goawayChance: flags['goaway-chance'],
    corsAllowedOrigins: flags['cors-allowed-origins'],
    strictTransportSecurityDirectives: flags['strict-transport-security-directives'],
    compressResponses: gates.enabled('APIResponseCompression'),
    profiling: flags.profiling,
    livezGracePeriodMs: flags['livez-grace-period'],
    shutdownDelayMs: flags['shutdown-delay-duration'],
    shutdownSendRetryAfter: flags['shutdown-send-retry-after'],
    shutdownWatchGracePeriodMs: flags['shutdown-watch-termination-grace-period'],
    shutdownLimitMs: flags['request-timeout'],
  }
  try {
    validateServerOptions(options)
  } catch (error) {
    throw new FlagError(reasonOf(error), { cause: error })
  }
  return { ...options, tls: { minVersion, ciphers, curves } }
}
