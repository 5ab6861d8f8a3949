import type * as v1 from '../../../api/gen/apiserver.config.k8s.io/v1.ts'
import { parseDurationMs, quote, StatusError, validateDns1123Subdomain } from '../../object/index.ts'
import { type KindCodec, readTypeMeta } from '../../scheme/index.ts'
import { compileConditions, conditionsMax } from '../webhook/conditions.ts'
import { type AuthorizationMode, type AuthorizersConfig, authorizationModes, type WebhookConfig } from './config.ts'

const group = 'apiserver.config.k8s.io'
const versions = ['v1', 'v1beta1', 'v1alpha1']
const timeoutMsMax = 30_000

/** Parses --authorization-config (YAML or JSON), strictly. Throws an Error of one line with all problems. */
export function parseAuthorizationConfig(text: string, codec: KindCodec): AuthorizersConfig {
  const configuration = decode(text, codec)
  const problems: string[] = []
  const { authorizers = [] } = configuration
  if (authorizers.length === 0)
    problems.push('authorizers: Required value: at least one authorization mode must be defined')
  const config = authorizers.map((authorizer, at) => authorizerOf(authorizer, `authorizers[${at}]`, problems))
  checkRepeated(authorizers, problems)
  if (problems.length > 0) throw new Error(problems.join('; '))
  return { authorizers: config }
}

function decode(text: string, codec: KindCodec): v1.AuthorizationConfiguration {
  const { apiVersion } = readTypeMeta(text)
  const version = versions.find((each) => apiVersion === `${group}/${each}`)
  try {
    const { object } = codec.decodeObject(Buffer.from(text), {
      mediaType: 'application/yaml',
      expected: { group, version: version ?? 'v1', kind: 'AuthorizationConfiguration' },
      fieldValidation: 'Strict',
    })
    // The kind's type describes the decoded object; all versions have the same fields.
    if (version !== undefined) return object as v1.AuthorizationConfiguration
  } catch (error) {
    throw error instanceof StatusError ? new Error(error.message.replaceAll('\n', ' '), { cause: error }) : error
  }
  throw new Error(`apiVersion: ${quote(apiVersion)} is none of ${group}/${versions.join(', ')}`)
}

function authorizerOf(
  { type, name, webhook }: v1.AuthorizerConfiguration,
  path: string,
  problems: string[],
): AuthorizersConfig['authorizers'][number] {
  checkWord(type, `${path}.type`, authorizationModes, problems)
  if (name === '') problems.push(`${path}.name: Required value`)
  else
    for (const why of validateDns1123Subdomain(name))
      problems.push(`${path}.name: Invalid value: ${quote(name)}: ${why}`)
  const of = { type: type as AuthorizationMode, name }
  if (type !== 'Webhook') {
    if (webhook) problems.push(`${path}.webhook: Invalid value: may only be specified when type=Webhook`)
    return of
  }
  if (webhook) return { ...of, webhook: webhookOf(webhook, `${path}.webhook`, problems) }
  problems.push(`${path}.webhook: Required value: required when type=Webhook`)
  return of
}

function webhookOf(webhook: v1.WebhookConfiguration, path: string, problems: string[]): WebhookConfig {
  const { connectionInfo, matchConditions = [], matchConditionSubjectAccessReviewVersion: conditionVersion } = webhook
  const timeoutMs = durationMs(webhook.timeout, `${path}.timeout`, problems)
  if (timeoutMs === 0) problems.push(`${path}.timeout: Required value`)
  else if (timeoutMs < 0 || timeoutMs > timeoutMsMax)
    problems.push(`${path}.timeout: Invalid value: ${quote(webhook.timeout)}: must be > 0s and <= 30s`)
  checkWord(webhook.subjectAccessReviewVersion, `${path}.subjectAccessReviewVersion`, ['v1beta1', 'v1'], problems)
  if (matchConditions.length > 0 || conditionVersion)
    checkWord(conditionVersion, `${path}.matchConditionSubjectAccessReviewVersion`, ['v1'], problems)
  checkWord(webhook.failurePolicy, `${path}.failurePolicy`, ['NoOpinion', 'Deny'], problems)
  const conditions = matchConditions.map(({ expression }) => expression)
  checkConditions(conditions, path, problems)
  return {
    kubeconfig: connectionOf(connectionInfo, `${path}.connectionInfo`, problems),
    // Validation has checked the values.
    version: webhook.subjectAccessReviewVersion as WebhookConfig['version'],
    failurePolicy: webhook.failurePolicy as WebhookConfig['failurePolicy'],
    timeoutMs,
    authorizedTtlMs: ttlMs(
      webhook.authorizedTTL,
      webhook.cacheAuthorizedRequests,
      300_000,
      `${path}.authorizedTTL`,
      problems,
    ),
    unauthorizedTtlMs: ttlMs(
      webhook.unauthorizedTTL,
      webhook.cacheUnauthorizedRequests,
      30_000,
      `${path}.unauthorizedTTL`,
      problems,
    ),
    conditions,
  }
}

function checkConditions(conditions: readonly string[], path: string, problems: string[]): void {
  if (conditions.length > conditionsMax) {
    problems.push(`${path}.matchConditions: Too many: ${conditions.length}: must have at most ${conditionsMax} items`)
    return
  }
  const seen = new Set<string>()
  conditions.forEach((condition, at) => {
    const where = `${path}.matchConditions[${at}].expression`
    if (condition.trim() === '') problems.push(`${where}: Required value`)
    else if (seen.has(condition)) problems.push(`${where}: Duplicate value: ${quote(condition)}`)
    seen.add(condition)
  })
  try {
    compileConditions(conditions.filter((condition) => condition.trim() !== ''))
  } catch (error) {
    problems.push(`${path}.${error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)}`)
  }
}

function connectionOf(
  { type, kubeConfigFile }: v1.WebhookConnectionInfo,
  path: string,
  problems: string[],
): string | undefined {
  checkWord(type, `${path}.type`, ['InClusterConfig', 'KubeConfigFile'], problems)
  if (type === 'KubeConfigFile') {
    const where = `${path}.kubeConfigFile`
    if (!kubeConfigFile) problems.push(`${where}: Required value`)
    else if (!kubeConfigFile.startsWith('/'))
      problems.push(`${where}: Invalid value: ${quote(kubeConfigFile)}: must be an absolute path`)
    return kubeConfigFile
  }
  if (kubeConfigFile) problems.push(`${path}.kubeConfigFile: Invalid value: can only be set when type=KubeConfigFile`)
  return undefined
}

function ttlMs(
  text: string | undefined,
  caches: boolean | undefined,
  fallbackMs: number,
  path: string,
  problems: string[],
): number {
  if (caches === false) return 0
  const ms = durationMs(text, path, problems)
  if (ms < 0) problems.push(`${path}: Invalid value: ${quote(text ?? '')}: must be > 0s`)
  return ms === 0 ? fallbackMs : ms
}

function durationMs(text: string | undefined, path: string, problems: string[]): number {
  if (text === undefined || text === '') return 0
  try {
    return parseDurationMs(text)
  } catch {
    problems.push(`${path}: Invalid value: ${quote(text)}: not a duration`)
    return 1
  }
}

function checkWord(word: string | undefined, path: string, allowed: readonly string[], problems: string[]): void {
  if (!word) problems.push(`${path}: Required value`)
  else if (!allowed.includes(word))
    problems.push(`${path}: Unsupported value: ${quote(word)}: supported values: ${allowed.map(quote).join(', ')}`)
}

function checkRepeated(authorizers: readonly v1.AuthorizerConfiguration[], problems: string[]): void {
  const types = new Set<string>()
  const names = new Set<string>()
  authorizers.forEach(({ type, name }, at) => {
    if (type !== 'Webhook' && type && types.has(type))
      problems.push(`authorizers[${at}].type: Duplicate value: ${quote(type)}`)
    if (name !== '' && names.has(name)) problems.push(`authorizers[${at}].name: Duplicate value: ${quote(name)}`)
    types.add(type)
    names.add(name)
  })
}
