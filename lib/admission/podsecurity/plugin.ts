import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock, Metrics } from '../../base/index.ts'
import { type FieldError, statusErrors } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import type { PodShape, Violation } from './check.ts'
import { warnOfExisting } from './existing.ts'
import { createPodSecurityMetrics, type PodSecurityMetrics } from './metrics.ts'
import {
  formatStandard,
  isStricter,
  labelPrefix,
  type Mode,
  modes,
  type NamespaceLevels,
  policyOf,
  type Standard,
} from './policy.ts'
import { changesMuch, makesPods, podShape, templateShape } from './shape.ts'
import { describeFindings, violationsOf } from './violations.ts'

interface PodSecurityDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  /** The namespace in a cache; undefined: it is not there. */
  cached(name: string): core.Namespace | undefined
  /** The namespace in the store. */
  live(name: string, signal: AbortSignal): Promise<core.Namespace | undefined>
  /** Pods of a namespace in a cache. */
  pods(namespace: string, signal: AbortSignal): Promise<readonly core.Pod[]>
}

interface PodSecurityOptions extends PodSecuritySettings {
  /** Minor release whose rules `latest` selects. */
  readonly newestMinor: number
}

/** The operator's cluster-wide settings. */
export interface PodSecuritySettings {
  /** The policy of namespaces without labels. */
  readonly defaults: NamespaceLevels
  readonly exemptions: {
    readonly usernames: readonly string[]
    readonly namespaces: readonly string[]
    readonly runtimeClasses: readonly string[]
  }
}

interface World extends PodSecurityDependencies {
  readonly options: PodSecurityOptions
  readonly counts: PodSecurityMetrics
}

/** Subresources that don't change the pod's spec. */
const harmless = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'])

/** Enforces the Pod Security Standard in the labels of a pod's namespace. */
export function createPodSecurity(dependencies: PodSecurityDependencies, options: PodSecurityOptions): AdmissionPlugin {
  const counts = createPodSecurityMetrics(dependencies.metrics, options.newestMinor)
  const world: World = { ...dependencies, options, counts }
  return {
    name: 'PodSecurity',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { resource, subresource } = attributes
      if (resource.resource === 'pods' && resource.group === '')
        return harmless.has(subresource) ? undefined : checkPod(world, attributes)
      if (concernsResource(attributes, 'namespaces')) return checkNamespace(world, attributes)
      return subresource === '' && makesPods(resource) ? checkTemplate(world, attributes) : undefined
    },
  }
}

/** Checks that the labels are readable, and warns of existing pods that violate the new level. */
async function checkNamespace(world: World, attributes: AdmissionAttributes): Promise<void> {
  const { operation, object, oldObject, name, namespace, kind, signal } = attributes
  const { defaults, exemptions, newestMinor } = world.options
  const { policy, errors } = policyOf(object?.metadata.labels, defaults)
  const before = policyOf(oldObject?.metadata.labels, defaults)
  const isNewError = errors.length > 0 && (operation === 'CREATE' || !sameErrors(errors, before.errors))
  if (isNewError) throw statusErrors.invalid(kind, name, errors)
  const [next, old] = [policy.enforce, before.policy.enforce]
  if (operation === 'CREATE' || next.level === 'privileged') return
  if (next.version === old.version && !isStricter(next.level, old.level)) return
  if (exemptions.namespaces.includes(namespace)) return
  const pods = await world.pods(name, signal)
  for (const text of warnOfExisting(world.clock, name, pods, next, newestMinor)) attributes.warn(text)
}

function sameErrors(left: readonly FieldError[], right: readonly FieldError[]): boolean {
  const texts = (errors: readonly FieldError[]): string =>
    errors.map((each) => `${each.field} ${each.message}`).join('\n')
  return texts(left) === texts(right)
}

function checkPod(world: World, attributes: AdmissionAttributes): void | Promise<void> {
  return withPolicy(world, attributes, (found) => {
    const { policy, errors } = found
    if (errors.length === 0 && modes.every((mode) => policy[mode].level === 'privileged')) {
      world.counts.evaluated(attributes, 'allow', policy.enforce, 'enforce')
      annotate(attributes, 'enforce-policy', formatStandard(policy.enforce))
      return
    }
    const pod = attributes.object as core.Pod
    if (attributes.operation === 'UPDATE' && !changesMuch(pod, attributes.oldObject as core.Pod)) return
    judge(world, attributes, found, podShape(pod), true)
  })
}

/**
 * Warns the client that writes a pod template, because the pods themselves are refused later, without the client's
 * notice.
 */
function checkTemplate(world: World, attributes: AdmissionAttributes): void | Promise<void> {
  return withPolicy(world, attributes, (found) => {
    const { policy, errors } = found
    if (errors.length === 0 && policy.audit.level === 'privileged' && policy.warn.level === 'privileged') return
    const shape = attributes.object && templateShape(attributes.resource, attributes.object)
    if (shape) judge(world, attributes, found, shape, false)
  })
}

interface NamespacePolicy {
  readonly policy: NamespaceLevels
  readonly errors: readonly FieldError[]
}

/** Calls `check` with the namespace's policy, unless the request is exempt. */
function withPolicy(
  world: World,
  attributes: AdmissionAttributes,
  check: (found: NamespacePolicy) => void,
): void | Promise<void> {
  const { namespace, user, signal } = attributes
  const { exemptions, defaults } = world.options
  if (exemptions.namespaces.includes(namespace)) return exempt(world, attributes, 'namespace')
  if (exemptions.usernames.includes(user.name)) return exempt(world, attributes, 'user')
  const known = world.cached(namespace)
  if (known) return check(policyOf(known.metadata.labels, defaults))
  return world.live(namespace, signal).then((found) => {
    if (!found) throw statusErrors.internal(`failed to lookup namespace ${namespace}`)
    check(policyOf(found.metadata.labels, defaults))
  })
}

function exempt({ counts }: World, attributes: AdmissionAttributes, by: string): undefined {
  counts.exempted(attributes)
  annotate(attributes, 'exempt', by)
  return undefined
}

function annotate(attributes: AdmissionAttributes, key: string, value: string): void {
  attributes.annotate(labelPrefix + key, value)
}

function judge(
  world: World,
  attributes: AdmissionAttributes,
  { policy, errors }: NamespacePolicy,
  shape: PodShape,
  enforces: boolean,
): void {
  const { counts, options } = world
  if (options.exemptions.runtimeClasses.includes(shape.spec.runtimeClassName ?? ''))
    return exempt(world, attributes, 'runtimeClass')
  if (errors.length > 0) {
    const texts = errors.map(({ field, message }) => `${field}: ${message}`)
    annotate(attributes, 'error', `Failed to parse policy: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`)
    counts.failed(attributes)
  }
  const known = new Map<string, Violation[]>()
  const findingsOf = (standard: Standard): Violation[] => {
    const key = formatStandard(standard)
    const findings = known.get(key) ?? violationsOf(shape, standard, options.newestMinor)
    known.set(key, findings)
    return findings
  }
  const violations = (mode: Mode): string => {
    const standard = policy[mode]
    const findings = findingsOf(standard)
    if (findings.length > 0) counts.evaluated(attributes, 'deny', standard, mode)
    else if (mode === 'enforce') counts.evaluated(attributes, 'allow', standard, mode)
    return findings.length === 0 ? '' : `PodSecurity "${formatStandard(standard)}": ${describeFindings(findings)}`
  }
  if (enforces) annotate(attributes, 'enforce-policy', formatStandard(policy.enforce))
  const enforced = enforces ? violations('enforce') : ''
  const audited = violations('audit')
  if (audited !== '') annotate(attributes, 'audit-violations', `would violate ${audited}`)
  if (enforced !== '') throw refusal(attributes, `violates ${enforced}`)
  const warned = violations('warn')
  if (warned !== '') attributes.warn(`would violate ${warned}`)
}
