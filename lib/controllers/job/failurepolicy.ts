import type { PodFailurePolicyRule } from '../../../api/gen/batch/v1.ts'
import type { Frozen } from '../../object/index.ts'
import type { SomeJob, SomePod } from './pod.ts'

/** `byRule`: a rule of the policy decided; without one, a failure counts. */
export type Verdict = { readonly byRule: boolean } & (
  | { readonly action: 'Count' | 'Ignore' | 'FailIndex' }
  | { readonly action: 'FailJob'; readonly message: string }
)

/** The verdict of the first matching rule on a failed pod. */
export function judge({ spec }: SomeJob, pod: SomePod): Verdict {
  const { namespace = '', name = '' } = pod.metadata
  if (pod.status.phase !== 'Failed') return { action: 'Count', byRule: false }
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const why = matched(rule, pod, `${namespace}/${name}`)
    if (why === undefined || !isAction(rule.action)) continue
    // Without a limit per index there is no index to fail.
    if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) return { action: 'Count', byRule: true }
    if (rule.action !== 'FailJob') return { action: rule.action, byRule: true }
    return { action: 'FailJob', byRule: true, message: `${why} matching FailJob rule at index ${index}` }
  }
  return { action: 'Count', byRule: false }
}

function isAction(action: string): action is Verdict['action'] {
  return ['Count', 'Ignore', 'FailIndex', 'FailJob'].includes(action)
}

function matched({ onExitCodes, onPodConditions }: Frozen<PodFailurePolicyRule>, pod: SomePod, name: string) {
  if (onExitCodes) {
    const { containerName, operator, values = [] } = onExitCodes
    for (const each of [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])]) {
      const code = each.state.terminated?.exitCode
      if (code === undefined || code === 0 || (containerName !== undefined && containerName !== each.name)) continue
      if (values.includes(code) === (operator === 'In'))
        return `Container ${each.name} for pod ${name} failed with exit code ${code}`
    }
    return undefined
  }
  for (const { type, status } of onPodConditions ?? [])
    if (pod.status.conditions?.some((each) => each.type === type && each.status === status))
      return `Pod ${name} has condition ${type}`
  return undefined
}
