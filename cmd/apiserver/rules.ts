import { posix } from 'node:path'
import { knownAdmissionPlugins } from '../../lib/controlplane/index.ts'
import { FlagError, type ParsedFlags } from '../../lib/flags/index.ts'
import { parseCidr } from '../../lib/object/index.ts'
import { auditProblem } from './configureauditing.ts'
import { authorizationProblem } from './configureauthorization.ts'
import { consoleProblem } from './configureconsole.ts'
import { issuersProblem } from './configureissuers.ts'
import { serviceAccountProblem } from './configuretokens.ts'
import { tokenWebhookProblem } from './configuretokenwebhook.ts'
import type { ApiserverFlags, apiserverFlags } from './flags.ts'
import { serversProblem, storeOverridesProblem } from './storeoverrides.ts'

type Parsed = ParsedFlags<typeof apiserverFlags>
type Rule = (values: ApiserverFlags, given: ReadonlySet<string>) => string | undefined

const oidcFlags = ['oidc-issuer-url', 'oidc-client-id', 'oidc-ca-file', 'oidc-username-claim', 'oidc-groups-claim']
const storageMediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
]
/**
 * Fewer addresses are of no use: the first is the API's own, and some are reserved for services that request a fixed
 * one.
 */
const addressesMin = 8n
const processesMax = 256
const backends = ['', 'etcd3', 'embedded', 'memory']

/** Forbidden flag values and combinations. Each rule returns one line, or undefined without a problem. */
const rules: readonly Rule[] = [
  (values) => oneOf('--storage-backend', values['storage-backend'], backends),
  (values) => oneOf('--storage-media-type', values['storage-media-type'], storageMediaTypes),
  (values) =>
    values['storage-media-type'] === 'application/cbor' &&
    values['feature-gates'].get('CBORServingAndStorage') !== 'true'
      ? '--storage-media-type=application/cbor needs --feature-gates=CBORServingAndStorage=true'
      : undefined,
  (values) => oneOf('--logging-format', values['logging-format'], ['text', 'json']),
  (values) => {
    const backend = values['storage-backend']
    const hasServers = values['etcd-servers'].length > 0
    if (hasServers && (backend === 'embedded' || backend === 'memory'))
      return `--storage-backend=${backend} and --etcd-servers exclude each other`
    if (backend === 'etcd3' && !hasServers) return '--storage-backend=etcd3 needs --etcd-servers'
    if (values['data-encryption-key-file'] !== '' && (hasServers || backend === 'memory'))
      return '--data-encryption-key-file is for the embedded store: --encryption-provider-config encrypts what goes to etcd'
    if (backend === 'embedded' && values['data-dir'] === '') return '--storage-backend=embedded needs --data-dir'
    if (backend === '' && !hasServers && values['data-dir'] === '')
      return 'no store: set --etcd-servers, or --data-dir for an embedded one, or --storage-backend=memory'
    return undefined
  },
  (values) => {
    const problem = serversProblem(values['etcd-servers'])
    return problem && `--etcd-servers: ${problem}`
  },
  ({ processes, 'etcd-servers': servers }) => {
    if (!/^(auto|[1-9]\d{0,2})$/.test(processes) || Number(processes) > processesMax)
      return `--processes: "${processes}" is neither auto nor a number from 1 to ${processesMax}`
    return processes !== '1' && servers.length === 0
      ? '--processes needs --etcd-servers: only one process can use a store in memory or in a folder'
      : undefined
  },
  storeOverridesProblem,
  (values) => bothOrNeither(values, 'etcd-certfile', 'etcd-keyfile'),
  (values) => bothOrNeither(values, 'tls-cert-file', 'tls-private-key-file'),
  (values) =>
    /^\S+$/.test(values['etcd-prefix']) && cleanPrefix(values['etcd-prefix']) !== ''
      ? undefined
      : '--etcd-prefix must name a path below the root',
  (values) =>
    values['encryption-provider-config-automatic-reload'] && values['encryption-provider-config'] === ''
      ? '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config'
      : undefined,
  ({ 'max-requests-inflight': reads, 'max-mutating-requests-inflight': writes, ...values }) =>
    values['enable-priority-and-fairness'] && reads + writes <= 0
      ? `invalid configuration: MaxRequestsInFlight=${reads} and MaxMutatingRequestsInFlight=${writes}; ` +
        'they must add up to something positive'
      : undefined,
  authorizationProblem,
  (values, given) => {
    const other = values['authentication-config'] === '' ? undefined : oidcFlags.find((flag) => given.has(flag))
    return other === undefined ? undefined : `--authentication-config and --${other} exclude each other`
  },
  (values) => {
    for (const flag of ['admission-control', 'enable-admission-plugins', 'disable-admission-plugins'] as const) {
      const unknown = values[flag].find((name) => !knownAdmissionPlugins.includes(name))
      if (unknown !== undefined) return `--${flag}: plugin ${JSON.stringify(unknown)} is unknown`
    }
    return undefined
  },
  (values) => {
    const both = values['enable-admission-plugins'].find((name) => values['disable-admission-plugins'].includes(name))
    return both === undefined
      ? undefined
      : `${both} is in both --enable-admission-plugins and --disable-admission-plugins`
  },
  (_values, given) => {
    const other = ['enable-admission-plugins', 'disable-admission-plugins'].find((flag) => given.has(flag))
    return given.has('admission-control') && other !== undefined
      ? `--admission-control and --${other} exclude each other`
      : undefined
  },
  (values) => {
    const wrong = [...values['runtime-config']].find(([, value]) => enabledBy(value) === undefined)
    return wrong === undefined ? undefined : `--runtime-config: ${wrong[0]}=${wrong[1]} is neither true nor false`
  },
  (values) => {
    const { 'runtime-config': config } = values
    const nothing = config.size === 1 && enabledBy(config.get('api/all') ?? '') === false
    return nothing ? '--runtime-config: with only api/all=false nothing would be served' : undefined
  },
  serviceAccountProblem,
  auditProblem,
  issuersProblem,
  consoleProblem,
  tokenWebhookProblem,
  (values) =>
    values['requestheader-client-ca-file'] !== '' && values['requestheader-username-headers'].length === 0
      ? '--requestheader-client-ca-file needs --requestheader-username-headers'
      : undefined,
  (values) => {
    const blocks = values['service-cluster-ip-range'].split(',').map((range) => parseCidr(range.trim()))
    const families = new Set(blocks.map((block) => block?.family))
    // The flag's parser reports a malformed CIDR block.
    if (blocks.includes(undefined)) return undefined
    if (families.size < blocks.length) return '--service-cluster-ip-range takes one range, or one of each family'
    return blocks.some((block) => block && block.size < addressesMin)
      ? `--service-cluster-ip-range: a range must have at least ${addressesMin} IP addresses`
      : undefined
  },
  (values) =>
    oneOf('--endpoint-reconciler-type', values['endpoint-reconciler-type'], ['lease', 'master-count', 'none']),
  (values) => {
    const { first, last } = values['service-node-port-range']
    const own = values['kubernetes-service-node-port']
    return own !== 0 && (own < first || own > last)
      ? `--kubernetes-service-node-port=${own} is not in --service-node-port-range=${first}-${last}`
      : undefined
  },
]

/**
 * A prefix of keys as the stock server understands it: `registry` and `/registry/` are `/registry`. '' for the root.
 */
export function cleanPrefix(prefix: string): string {
  return posix.join('/', prefix).replace(/\/$/, '')
}

/** Parses a value of --runtime-config; a key without a value is enabled. Undefined for any other text. */
export function enabledBy(value: string): boolean | undefined {
  if (/^(|1|t|T|true|TRUE|True)$/.test(value)) return true
  return /^(0|f|F|false|FALSE|False)$/.test(value) ? false : undefined
}

/** Throws FlagError with the first contradiction. */
export function checkFlags({ values, given }: Pick<Parsed, 'values' | 'given'>): void {
  for (const rule of rules) {
    const problem = rule(values, given)
    if (problem !== undefined) throw new FlagError(problem)
  }
}

/** Throws FlagError for values that only `up` and the library may use: any free port (they print theirs). */
export function checkServerFlags({ values }: Pick<Parsed, 'values'>): void {
  const port = values['secure-port']
  if (port === 0)
    throw new FlagError(`--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`)
}

function oneOf(flag: string, value: string, allowed: readonly string[]): string | undefined {
  if (allowed.includes(value)) return undefined
  return `${flag}: "${value}" is none of ${allowed.filter((each) => each !== '').join(', ')}`
}

type FileFlag = 'etcd-certfile' | 'etcd-keyfile' | 'tls-cert-file' | 'tls-private-key-file'

function bothOrNeither(values: ApiserverFlags, first: FileFlag, second: FileFlag): string | undefined {
  if ((values[first] === '') === (values[second] === '')) return undefined
  const [given, missing] = values[first] === '' ? [second, first] : [first, second]
  return `--${given} needs --${missing}`
}
