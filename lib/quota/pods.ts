import type * as core from '../../api/gen/core/v1.ts'
import { compareQuantities } from '../object/index.ts'
import { type Amounts, emptyAmounts } from './amounts.ts'
import type { Evaluator, EvaluatorOptions, QuotaWrite } from './evaluator.ts'
import { podResources, type ResourceTotals, resourcesOf, type WithResources } from './podresources.ts'
import { type QuotaScope, selectsClass } from './scopes.ts'

/** Resources whose request has two names in a quota; the limit has one. */
const computed = ['cpu', 'memory', 'ephemeral-storage']
const standard = new Set([
  'count/pods',
  'pods',
  ...computed.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
])
/** Resources that every container must have if a quota limits them. */
const mustBeStated = new Set(['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]))

/** Pods and their requested resources. Finished pods count as objects only. */
export function pods(options: EvaluatorOptions): Evaluator {
  const { podLevelResources: podLevel, inPlaceResize, isOverdue } = options
  return {
    resource: { group: '', resource: 'pods' },
    charges: (write) =>
      write.subresource === ''
        ? write.operation === 'CREATE' || movesBetweenScopes(write)
        : write.operation === 'UPDATE' && write.subresource === 'resize',
    matching: (asked) => asked.filter((name) => standard.has(name) || isHugePages(name) || isExtended(name)),
    usage(object) {
      const pod = object as core.Pod
      if (isTerminal(pod) || isOverdue(pod.metadata)) return { 'count/pods': '1' }
      const totals = podResources(pod, { podLevel, overhead: true, held: inPlaceResize })
      return { 'count/pods': '1', pods: '1', ...quotaNames(totals) }
    },
    isIn: (scope, object) => isInScope(scope, object as core.Pod, podLevel),
    missing: (names, object) => missingResources(names, (object as core.Pod).spec, podLevel),
  }
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')
}

/** `requests.example.com/thing`: resources of other vendors. */
function isExtended(name: string): boolean {
  return name.startsWith('requests.') && isExtendedResource(name.slice('requests.'.length))
}

function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')
}

function isTerminal({ status }: core.Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded'
}

/** Requests and limits under their names in quotas. */
function quotaNames({ requests, limits }: ResourceTotals): Amounts {
  const used = emptyAmounts()
  for (const [name, amount] of Object.entries(requests)) {
    if (computed.includes(name) || isHugePages(name)) {
      used[name] = amount
      used[`requests.${name}`] = amount
    } else if (isExtendedResource(name)) used[`requests.${name}`] = amount
  }
  for (const [name, amount] of Object.entries(limits)) if (computed.includes(name)) used[`limits.${name}`] = amount
  return used
}

function missingResources(names: readonly string[], spec: core.PodSpec, podLevel: boolean): string | undefined {
  const required = names.filter((name) => mustBeStated.has(name))
  if (required.length === 0) return undefined
  const ofPod = podLevel ? quotaNames(resourcesOf(spec)) : {}
  const lacking = new Map<string, Set<string>>()
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const stated = quotaNames(resourcesOf(container))
    for (const name of required) {
      if (stated[name] !== undefined || ofPod[name] !== undefined) continue
      const containers = lacking.get(name) ?? new Set()
      lacking.set(name, containers.add(container.name))
    }
  }
  if (lacking.size === 0) return undefined
  const texts = [...lacking.keys()]
    .sort()
    .map((name) => `${name} for: ${[...(lacking.get(name) ?? [])].sort().join(',')}`)
  return `must specify ${texts.join('; ')}`
}

function isInScope(scope: QuotaScope, { spec }: core.Pod, podLevel: boolean): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(spec)
    case 'NotTerminating':
      return !isTerminating(spec)
    case 'BestEffort':
      return isBestEffort(spec, podLevel)
    case 'NotBestEffort':
      return !isBestEffort(spec, podLevel)
    case 'PriorityClass':
      return selectsClass(scope, spec.priorityClassName ?? '')
    case 'CrossNamespacePodAffinity':
      return looksIntoOtherNamespaces(spec)
    default:
      return false
  }
}

/**
 * Among the fields that scopes select by, only the deadline can change (and the resources, by the subresource resize).
 */
function movesBetweenScopes({ object, oldObject }: QuotaWrite): boolean {
  if (object === undefined || oldObject === undefined) return false
  return isTerminating((object as core.Pod).spec) !== isTerminating((oldObject as core.Pod).spec)
}

function isTerminating({ activeDeadlineSeconds }: core.PodSpec): boolean {
  return activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0
}

/** No requests and no limits. */
function isBestEffort(spec: core.PodSpec, podLevel: boolean): boolean {
  const parts: readonly WithResources[] =
    podLevel && spec.resources ? [spec] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  return parts.every((part) => {
    const { requests, limits } = resourcesOf(part)
    return [requests, limits].every((list) =>
      ['cpu', 'memory'].every((name) => compareQuantities(list[name] ?? '0', '0') <= 0),
    )
  })
}

function looksIntoOtherNamespaces({ affinity }: core.PodSpec): boolean {
  const parts = [affinity?.podAffinity, affinity?.podAntiAffinity]
  return parts.some((part) =>
    [
      ...(part?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(({ namespaces, namespaceSelector }) => (namespaces?.length ?? 0) > 0 || namespaceSelector !== undefined),
  )
}
