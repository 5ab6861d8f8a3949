import type {
  EventLimit,
  ImagePolicyOptions,
  LimitedResource,
  PodNodeSelectorSettings,
  PodTolerationSettings,
} from '../../lib/admission/index.ts'
import { parseNodeLabels } from '../../lib/admission/index.ts'
import { isRecord } from '../../lib/base/index.ts'
import { decodeYaml } from '../../lib/codec/index.ts'
import { quote } from '../../lib/object/index.ts'

type Fields = Readonly<Record<string, unknown>>

const cacheSizeDefault = 4096

/** `podNodeSelectorPluginConfig`: the cluster's default, and the labels that pods of a namespace may use. */
export function parsePodNodeSelector(text: string): PodNodeSelectorSettings {
  const { podNodeSelectorPluginConfig: given } = fieldsOf(text, ['podNodeSelectorPluginConfig'])
  const entries = Object.entries(
    given === undefined || given === null ? {} : recordOf('podNodeSelectorPluginConfig', given),
  )
  const labels = entries.map(([name, value]): [string, Readonly<Record<string, string>>] => {
    const parsed = typeof value === 'string' ? parseNodeLabels(value) : undefined
    if (!parsed)
      throw new Error(
        `podNodeSelectorPluginConfig.${name}: Invalid value: ${JSON.stringify(value)}: must be key=value, separated by commas`,
      )
    return [name, parsed]
  })
  const { clusterDefaultNodeSelector: clusterDefault = {} } = Object.fromEntries(labels)
  return { clusterDefault, allowed: new Map(labels.filter(([name]) => name !== 'clusterDefaultNodeSelector')) }
}

/** A Configuration of podtolerationrestriction.admission.k8s.io/v1alpha1. */
export function parsePodTolerations(text: string): PodTolerationSettings {
  const fields = configurationOf(text, ['podtolerationrestriction.admission.k8s.io/v1alpha1'], 'Configuration', [
    'default',
    'whitelist',
  ])
  const keys = ['key', 'operator', 'value', 'effect', 'tolerationSeconds']
  const list = (name: string): PodTolerationSettings['defaults'] =>
    listOf(name, fields[name]).map((item, index) =>
      knownOnly(`${name}[${index}]`, recordOf(`${name}[${index}]`, item), keys),
    )
  return { defaults: list('default'), allowed: list('whitelist') }
}

const limitTypes: readonly string[] = ['Server', 'Namespace', 'User', 'SourceAndObject']

/** A Configuration of eventratelimit.admission.k8s.io/v1alpha1. */
export function parseEventLimits(text: string): readonly EventLimit[] {
  const { limits } = configurationOf(text, ['eventratelimit.admission.k8s.io/v1alpha1'], 'Configuration', ['limits'])
  const items = listOf('limits', limits)
  if (items.length === 0) throw new Error('limits: Invalid value: []: must not be empty')
  return items.map((item, index) => {
    const at = `limits[${index}]`
    const { type, qps, burst, cacheSize = 0 } = knownOnly(at, recordOf(at, item), ['type', 'qps', 'burst', 'cacheSize'])
    if (!limitTypes.includes(String(type)))
      throw new Error(
        `${at}.type: Unsupported value: ${quote(String(type ?? ''))}: supported values: ${limitTypes.map(quote).join(', ')}`,
      )
    const positive = (name: string, value: unknown): number => {
      if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
      throw new Error(`${at}.${name}: Invalid value: ${JSON.stringify(value ?? 0)}: must be positive`)
    }
    if (typeof cacheSize !== 'number' || !Number.isInteger(cacheSize) || cacheSize < 0)
      throw new Error(`${at}.cacheSize: Invalid value: ${JSON.stringify(cacheSize)}: must not be negative`)
    return {
      type: type as EventLimit['type'],
      qps: positive('qps', qps),
      burst: positive('burst', burst),
      cacheSize: cacheSize === 0 ? cacheSizeDefault : cacheSize,
    }
  })
}

/**
 * A ResourceQuotaConfiguration. Scopes are those of quotas (Terminating, BestEffort and so on), or a priority class.
 */
export function parseLimitedResources(text: string): readonly LimitedResource[] {
  const groups = [
    'apiserver.config.k8s.io/v1',
    'resourcequota.admission.k8s.io/v1',
    'resourcequota.admission.k8s.io/v1beta1',
    'resourcequota.admission.k8s.io/v1alpha1',
  ]
  const { limitedResources } = configurationOf(text, groups, 'ResourceQuotaConfiguration', ['limitedResources'])
  return listOf('limitedResources', limitedResources).map((item, index) => {
    const at = `limitedResources[${index}]`
    const fields = knownOnly(at, recordOf(at, item), ['apiGroup', 'resource', 'matchContains', 'matchScopes'])
    if (typeof fields['resource'] !== 'string' || fields['resource'] === '')
      throw new Error(`${at}.resource: Required value`)
    return {
      group: String(fields['apiGroup'] ?? ''),
      resource: fields['resource'],
      contains: listOf(`${at}.matchContains`, fields['matchContains']).map(String),
      scopes: listOf(`${at}.matchScopes`, fields['matchScopes']).map((scope, position) => {
        const where = `${at}.matchScopes[${position}]`
        const { scopeName, operator, values } = knownOnly(where, recordOf(where, scope), [
          'scopeName',
          'operator',
          'values',
        ])
        if (typeof scopeName !== 'string' || typeof operator !== 'string')
          throw new Error(`${where}: Required value: scopeName, operator`)
        return { scopeName, operator, values: listOf(`${where}.values`, values).map(String) }
      }),
    } as LimitedResource
  })
}

/** Settings of webhooks or policies; paths are '' where they are not set. */
export interface RulesSettings {
  /** A kubeconfig whose users are named after servers. */
  readonly kubeConfigFile: string
  /** A folder of webhook configurations or policies. */
  readonly staticManifestsDir: string
}

/** A WebhookAdmissionConfiguration. */
export function parseWebhookAdmission(text: string): RulesSettings {
  const names = ['apiVersion', 'kind', 'kubeConfigFile', 'staticManifestsDir']
  const { apiVersion, kind, kubeConfigFile = '', staticManifestsDir = '' } = fieldsOf(text, names)
  const known =
    (apiVersion === 'apiserver.config.k8s.io/v1' && kind === 'WebhookAdmissionConfiguration') ||
    (apiVersion === 'apiserver.config.k8s.io/v1alpha1' && kind === 'WebhookAdmission')
  if (!known) throw new Error('apiVersion and kind must be apiserver.config.k8s.io/v1, WebhookAdmissionConfiguration')
  return {
    kubeConfigFile: pathOf('kubeConfigFile', kubeConfigFile),
    staticManifestsDir: pathOf('staticManifestsDir', staticManifestsDir),
  }
}

/** A ValidatingAdmissionPolicyConfiguration or MutatingAdmissionPolicyConfiguration. */
export function parsePolicyAdmission(kind: string): (text: string) => RulesSettings {
  return (text) => {
    const { staticManifestsDir = '' } = configurationOf(text, ['apiserver.config.k8s.io/v1'], kind, [
      'staticManifestsDir',
    ])
    return { kubeConfigFile: '', staticManifestsDir: pathOf('staticManifestsDir', staticManifestsDir) }
  }
}

function pathOf(field: string, value: unknown): string {
  if (typeof value !== 'string') throw new Error(`${field}: Invalid value: ${JSON.stringify(value)}: must be a path`)
  return value
}

/** Settings of image policies: the kubeconfig of the server that decides, and how long its answers are cached. */
export function parseImagePolicy(text: string): ImagePolicyOptions & { readonly kubeConfigFile: string } {
  const { imagePolicy } = fieldsOf(text, ['imagePolicy'])
  const names = ['kubeConfigFile', 'allowTTL', 'denyTTL', 'retryBackoff', 'defaultAllow']
  const {
    kubeConfigFile = '',
    defaultAllow = false,
    ...times
  } = knownOnly('imagePolicy', recordOf('imagePolicy', imagePolicy), names)
  if (typeof kubeConfigFile !== 'string' || kubeConfigFile === '')
    throw new Error('imagePolicy.kubeConfigFile: Required value')
  /** 0 means the default, -1 none. */
  const time = (name: string, byDefault: number, max: number): number => {
    const value = times[name] ?? 0
    if (value === 0) return byDefault
    if (value === -1) return 0
    if (typeof value === 'number' && value >= 1 && value <= max) return value
    throw new Error(`imagePolicy.${name}: Invalid value: ${JSON.stringify(value)}: valid value is between 1 and ${max}`)
  }
  return {
    kubeConfigFile,
    allowTtlMs: time('allowTTL', 300, 1800) * 1000,
    denyTtlMs: time('denyTTL', 30, 1800) * 1000,
    retryBackoffMs: time('retryBackoff', 500, 300_000),
    defaultAllow: defaultAllow === true,
  }
}

function configurationOf(text: string, versions: readonly string[], kind: string, names: readonly string[]): Fields {
  const fields = fieldsOf(text, ['apiVersion', 'kind', ...names])
  if (!versions.includes(String(fields['apiVersion'])) || fields['kind'] !== kind)
    throw new Error(`apiVersion and kind must be ${versions.join(' or ')}, ${kind}`)
  return fields
}

function fieldsOf(text: string, names: readonly string[]): Fields {
  return knownOnly('', recordOf('the file', decodeYaml(Buffer.from(text)).value), names)
}

/** Throws for a field that would be ignored: an operator relies on the file's contents. */
function knownOnly(at: string, fields: Fields, names: readonly string[]): Fields {
  const unknown = Object.keys(fields).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`unknown field ${quote(at === '' ? unknown : `${at}.${unknown}`)}`)
  return fields
}

function recordOf(at: string, value: unknown): Fields {
  if (!isRecord(value)) throw new Error(`${at}: Invalid value: must be an object`)
  return value
}

function listOf(at: string, value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Error(`${at}: Invalid value: must be a list`)
  return value
}
