import type * as v1 from '../../../api/gen/apiserver.config.k8s.io/v1.ts'
import { type FieldError, FieldPath, fieldErrors, parseDurationMs } from '../../object/index.ts'
import type { ParseOptions } from './configuration.ts'
import { parseResource } from './rules.ts'

const aesKeySizes = [16, 24, 32]
const secretboxKeySizes = [32]

/** All errors of a configuration; none shows a secret. */
export function validateConfiguration(
  { resources = [] }: v1.EncryptionConfiguration,
  { reload }: ParseOptions,
): FieldError[] {
  const root = FieldPath.root('resources')
  if (resources.length === 0) return [fieldErrors.required(root, 'at least one resources is required')]
  const names = new Set<string>()
  return resources.flatMap(({ resources: named = [], providers = [] }, at) => {
    const path = root.index(at)
    return [
      ...atLeastOne(named, path.child('resources')),
      ...atLeastOne(providers, path.child('providers')),
      ...validateNames(named, path.child('resources')),
      ...validateOverlap(named, path.child('resources')),
      ...providers.flatMap((provider, index) =>
        validateProvider(provider, path.child('providers').index(index), names, reload),
      ),
    ]
  })
}

function atLeastOne(list: readonly unknown[], path: FieldPath): FieldError[] {
  return list.length === 0 ? [fieldErrors.required(path, `at least one ${path.toString()} is required`)] : []
}

function validateNames(names: readonly string[], path: FieldPath): FieldError[] {
  return names.flatMap((name, at) => {
    const why = nameProblem(name)
    return why === undefined ? [] : [fieldErrors.invalid(path.index(at), name, why)]
  })
}

const withoutRest = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'])

function nameProblem(name: string): string | undefined {
  if (name !== name.toLowerCase()) return 'resource name should not contain capital letters'
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"
  if (withoutRest.has(name)) return 'resources which do not have REST API/s cannot be encrypted'
  const { group, resource } = parseResource(name)
  if (group === 'events.k8s.io')
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file"
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption"
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported'
  return undefined
}

function validateOverlap(names: readonly string[], path: FieldPath): FieldError[] {
  const parsed = names.map(parseResource)
  const wholeGroups = new Set(parsed.filter(({ resource }) => resource === '*').map(({ group }) => group))
  const isCovered = names.length > 1 && wholeGroups.has('*')
  const overlaps = parsed.some(({ group, resource }) => resource !== '*' && wholeGroups.has(group)) || isCovered
  const repeats = new Set(names).size < names.length
  return [
    ...(repeats ? [fieldErrors.invalid(path, names, 'the same resource cannot be specified multiple times')] : []),
    ...(overlaps && !repeats
      ? [
          fieldErrors.invalid(
            path,
            names,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ]
}

function validateProvider(
  provider: v1.ProviderConfiguration,
  path: FieldPath,
  names: Set<string>,
  reload: boolean,
): FieldError[] {
  const { aescbc, aesgcm, secretbox, kms } = provider
  const set = Object.entries(provider).filter(([, value]) => value !== undefined)
  const shown = Object.fromEntries(set.map(([name]) => [name, 'REDACTED']))
  if (set.length === 0) {
    const why = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
    return [fieldErrors.invalid(path, shown, why)]
  }
  const several = 'more than one provider specified in a single element, should split into different list elements'
  return [
    ...(set.length > 1 ? [fieldErrors.invalid(path, shown, several)] : []),
    ...(kms ? validateKms(kms, path.child('kms'), names, reload) : []),
    ...(aesgcm ? validateKeys(aesgcm.keys, path.child('aesgcm').child('keys'), aesKeySizes) : []),
    ...(aescbc ? validateKeys(aescbc.keys, path.child('aescbc').child('keys'), aesKeySizes) : []),
    ...(secretbox ? validateKeys(secretbox.keys, path.child('secretbox').child('keys'), secretboxKeySizes) : []),
  ]
}

function validateKeys(keys: readonly v1.Key[] = [], path: FieldPath, sizes: readonly number[]): FieldError[] {
  if (keys.length === 0) return [fieldErrors.required(path, 'at least one keys is required')]
  return keys.flatMap(({ name, secret }, at) => [
    ...(name ? [] : [fieldErrors.required(path.index(at).child('name'), 'name is a mandatory field for a key')]),
    ...validateSecret(secret, path.index(at).child('secret'), sizes),
  ])
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function validateSecret(secret: string | undefined, path: FieldPath, sizes: readonly number[]): FieldError[] {
  if (!secret) return [fieldErrors.required(path, 'secret is a mandatory field for a key')]
  const text = secret.replace(/[\r\n]/g, '')
  if (!base64.test(text)) return [fieldErrors.invalid(path, 'REDACTED', 'secrets must be base64 encoded')]
  const size = Buffer.from(text, 'base64').length
  if (sizes.includes(size)) return []
  const why = `secret is not of the expected length, got ${size}, expected one of [${sizes.join(' ')}]`
  return [fieldErrors.invalid(path, 'REDACTED', why)]
}

function validateKms(
  { apiVersion, name, cachesize, endpoint, timeout }: v1.KMSConfiguration,
  path: FieldPath,
  names: Set<string>,
  reload: boolean,
): FieldError[] {
  // Without a version it is v1.
  const version = apiVersion || 'v1'
  const findings = validateKmsName(name, version, path.child('name'), names, reload)
  names.add(name)
  if (timeout !== undefined && (parseDurationMs(timeout) ?? 0) <= 0)
    findings.push(fieldErrors.invalid(path.child('timeout'), timeout, 'timeout should be a positive value'))
  findings.push(...validateEndpoint(endpoint, path.child('endpoint')))
  if (cachesize !== undefined && version === 'v2')
    findings.push(fieldErrors.invalid(path.child('cachesize'), cachesize, 'cachesize is not supported in v2'))
  if (cachesize === 0 && version !== 'v2') {
    const why = 'cachesize should be a positive value, or negative to disable'
    findings.push(fieldErrors.invalid(path.child('cachesize'), cachesize, why))
  }
  if (version !== 'v1' && version !== 'v2') {
    const why = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported'
    findings.push(fieldErrors.invalid(path.child('apiVersion'), apiVersion, why))
  }
  return findings
}

function validateKmsName(
  name: string,
  version: string,
  path: FieldPath,
  names: ReadonlySet<string>,
  reload: boolean,
): FieldError[] {
  if (!name) return [fieldErrors.required(path, 'name is a mandatory field for a provider')]
  const isFirst = version === 'v1'
  return [
    ...(!isFirst && name.includes(':')
      ? [fieldErrors.invalid(path, name, `invalid KMS provider name ${name}, must not contain ':'`)]
      : []),
    ...((reload || !isFirst) && names.has(name)
      ? [fieldErrors.invalid(path, name, `duplicate KMS provider name ${name}, names must be unique`)]
      : []),
  ]
}

function validateEndpoint(endpoint: string | undefined, path: FieldPath): FieldError[] {
  if (!endpoint) return [fieldErrors.invalid(path, '', 'endpoint is a mandatory field for a kms')]
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(endpoint)?.[1] ?? ''
  if (Array.from(endpoint).some((sign) => sign < ' ' || sign === '\x7f')) {
    const why = `invalid endpoint for kms provider, error: parse ${JSON.stringify(endpoint)}: net/url: invalid control character in URL`
    return [fieldErrors.invalid(path, endpoint, why)]
  }
  if (scheme.toLowerCase() !== 'unix') {
    const why = `unsupported scheme ${JSON.stringify(scheme.toLowerCase())} for KMS provider, only unix is supported`
    return [fieldErrors.invalid(path, endpoint, why)]
  }
  return []
}
