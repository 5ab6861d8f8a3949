import type {
  DefaultTolerationSecondsOptions,
  EventLimit,
  ImagePolicyOptions,
  LimitedResource,
  PodNodeSelectorSettings,
  PodSecuritySettings,
  PodTolerationSettings,
} from '../admission/index.ts'
import type { RequestHeaderOptions, TokenEntry, TokenKey } from '../authn/index.ts'
import type { AbacPolicy, AuthorizationMode } from '../authz/index.ts'
import type { CacheOptions } from '../cache/index.ts'
import type { CredentialsFor, ServerEndpoint } from '../client/index.ts'
import type { ConsoleSettings } from '../console/index.ts'
import type { ControllerFailure } from '../controller/index.ts'
import type { Emulation, FeatureGates, VersionInfo } from '../features/index.ts'
import type { GroupResource } from '../object/index.ts'
import type { MediaType, NewerVersions, RuntimeConfig } from '../scheme/index.ts'
import type { CertificateFiles, ListenerTlsOptions, ServerOptions, TlsMaterial } from '../server/index.ts'
import type { DataEncryptionKeys } from '../storage/index.ts'
import type { AuditConfig } from './access/auditing.ts'
import type { IssuersConfig } from './access/issuers.ts'
import type { TokenWebhookConfig } from './access/tokenwebhook.ts'
import type { AggregationSettings } from './api/aggregation.ts'
import type { KubeletSettings } from './api/nodeproxy.ts'
import type { ServicesConfig } from './api/serviceaddresses.ts'
import type { PeerSettings } from './peers/peers.ts'
import type { TracingConfig } from './process/tracing.ts'
import type { EncryptionConfig } from './storage/encryption.ts'

/** The store of all resources. */
export type StoreConfig =
  | {
      readonly backend: 'etcd3'
      readonly endpoints: readonly string[]
      /** PEM texts. */
      readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
      readonly leaseReuseSeconds: number
    }
  | {
      readonly backend: 'embedded'
      readonly directory: string
      /** The folder is encrypted with these. */
      readonly encryptionKeys?: DataEncryptionKeys | undefined
    }
  | { readonly backend: 'memory' }

/** Resources with a separate etcd; `*` means all of a group. */
interface StoreOverride {
  readonly resources: readonly GroupResource[]
  readonly store: StoreConfig
}

export type StorageMediaType = MediaType

/** The configuration of authorization. */
export interface AuthorizationSettings {
  /** In the order of evaluation; none with a configuration file. */
  readonly modes: readonly AuthorizationMode[]
  /** Aggregates ClusterRoles in the server, when no controller does. */
  readonly aggregatesRoles?: boolean
  /** The policies of ABAC. */
  readonly policies?: readonly AbacPolicy[]
  /** The settings of the mode Webhook. */
  readonly webhook?: {
    readonly kubeconfig: string
    readonly version: 'v1' | 'v1beta1'
    readonly authorizedTtlMs: number
    readonly unauthorizedTtlMs: number
  }
  /** The path of --authorization-config, which is followed while the server runs. */
  readonly file?: string
}

/** Tokens of service accounts. */
export interface ServiceAccountConfig {
  /** The first is the issuer of new tokens; all are accepted. */
  readonly issuers: readonly string[]
  readonly keys: readonly TokenKey[]
  /** Absent: tokens are checked, not issued. */
  readonly signingKey?: TokenKey
  /** Socket of a program that has the keys, signs tokens and names its public keys; excludes `keys` and `signingKey`. */
  readonly signingEndpoint?: string
  /** Refuses legacy tokens whose secret or account is deleted. */
  readonly lookup: boolean
  /** Public URL of the keys; '': this server's. */
  readonly keysUri: string
  /** 0: no limit. */
  readonly expirationSecondsMax: number
  readonly extendExpiration: boolean
}

/** The plugins that call webhooks. */
export type WebhookPlugin = 'MutatingAdmissionWebhook' | 'ValidatingAdmissionWebhook'

/** The configuration of admission. */
export interface AdmissionSettings {
  readonly enable: readonly string[]
  readonly disable: readonly string[]
  /** How long pods stay on failing nodes, unless they have such a toleration themselves. */
  readonly tolerationSeconds: DefaultTolerationSecondsOptions
  readonly podSecurity: PodSecuritySettings
  /** Default: no namespace restricts its nodes. */
  readonly podNodeSelector?: PodNodeSelectorSettings
  /** Default: nothing is added, all is allowed. */
  readonly podTolerations?: PodTolerationSettings
  /** The server that decides about images. */
  readonly imagePolicy?: ImagePolicyOptions & { readonly endpoint: ServerEndpoint }
  /** Absent: events are not limited. */
  readonly eventLimits?: readonly EventLimit[]
  /** Resources that may only be used in namespaces with a quota for them. */
  readonly limitedResources?: readonly LimitedResource[]
  /** Folders with webhook configurations or policies, by plugin: absolute paths. */
  readonly staticManifests?: Readonly<Record<string, string>>
  /** The credentials of this server at webhooks' servers, by plugin. */
  readonly webhookCredentials?: Readonly<Record<WebhookPlugin, CredentialsFor | undefined>>
}

/**
 * The configuration of an API server: flags are parsed, files are read if they are read only once, contradictions are
 * excluded.
 */
export interface ApiserverConfig {
  readonly version: VersionInfo
  readonly gates: FeatureGates
  /** Undefined: the newest release. */
  readonly emulation?: (Emulation & NewerVersions) | undefined
  readonly store: StoreConfig
  readonly storeOverrides?: readonly StoreOverride[]
  /** The prefix of all keys, without a slash at the end. */
  readonly storagePrefix: string
  /** The budget of encoded objects in caches; see CacheOptions. */
  readonly caching?: Partial<Pick<CacheOptions, 'entryBytesPerStored' | 'entryBytesMax'>> | undefined
  /**
   * Files from which caches of etcd begin, in this folder. Absent: all is read from etcd at each start. `writes`: absent,
   * or false where another process writes them.
   */
  readonly mirrors?: { readonly directory: string; readonly writes?: boolean } | undefined
  readonly storageMediaType: StorageMediaType
  /** By group; other groups are stored in the versions of their tables. */
  readonly storageVersions?: Readonly<Record<string, string>>
  readonly storageStartTimeoutMs: number
  readonly storageLivenessTimeoutMs: number
  readonly storageReadinessTimeoutMs: number
  /** 0: never. */
  readonly compactionIntervalMs: number
  /** Interval of reads of the store's size for metrics. 0: never. */
  readonly storageSizePeriodMs: number
  /** Files are read again when they change. */
  readonly certificates: CertificateFiles | TlsMaterial
  readonly tokens: readonly TokenEntry[]
  readonly anonymous: boolean
  /** The API's own audiences: a token must be for one of them. */
  readonly apiAudiences: readonly string[]
  readonly serviceAccounts?: ServiceAccountConfig | undefined
  /** Tokens of bootstrap secrets are accepted. */
  readonly bootstrapTokens?: boolean
  readonly audit?: AuditConfig | undefined
  /** Absent: values are stored without encryption. */
  readonly encryption?: EncryptionConfig | undefined
  /** Absent: no console. */
  readonly console?: ConsoleSettings | undefined
  /** Absent: no tracing. */
  readonly tracing?: TracingConfig | undefined
  /** --egress-selector-config-file. */
  readonly egress?: { readonly file: string } | undefined
  readonly issuers?: IssuersConfig | undefined
  readonly tokenWebhook?: TokenWebhookConfig | undefined
  /** Front proxies are trusted; their authorities are among the certificates. */
  readonly requestHeader?: RequestHeaderOptions | undefined
  readonly authorization: AuthorizationSettings
  readonly admission: AdmissionSettings
  /** Default: without a client certificate, by cluster addresses, redirects refused. */
  readonly aggregation?: AggregationSettings
  /** Default: without a client certificate, and without verification of kubelets' certificates. */
  readonly kubelets?: KubeletSettings | undefined
  /** Absent: requests for resources that only other replicas serve are not forwarded. */
  readonly peers?: PeerSettings | undefined
  readonly runtimeConfig: RuntimeConfig
  /** False: requests are limited by the in-flight limits alone. */
  readonly priorityAndFairness: boolean
  readonly allowPrivileged: boolean
  readonly eventTtlSeconds: number
  readonly deleteCollectionWorkers: number
  /** Default: true. */
  readonly garbageCollection?: boolean
  readonly minRequestTimeoutMs: number
  /** The server's host name for clients, without the port. */
  readonly externalHost: string
  /** The name of this machine, which distinguishes replicas. */
  readonly hostName: string
  /** Number of processes that serve together; they share the machine's cores. Default 1. */
  readonly processes?: number | undefined
  /** Identifies this run of the server, the same in all of its processes. Default: random. */
  readonly runId?: string | undefined
  readonly services: ServicesConfig
  /** All flags with their values as text, for /flagz. */
  readonly shownFlags?: Readonly<Record<string, string>>
  /** Latest failures of the controllers of this process; absent: it runs none. */
  readonly controllerFailures?: (() => readonly ControllerFailure[]) | undefined
  /** Unix socket with the debug pages. */
  readonly debugSocketPath?: string
  readonly server: Partial<ServerOptions> & { readonly tls?: ListenerTlsOptions }
  /** Log lines about settings that should be changed. */
  readonly warnings?: readonly string[]
}
