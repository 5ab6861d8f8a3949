import type { DeviceTaintRule } from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import type { Frozen } from '../../object/index.ts'

/** Reports the progress of a rule's evictions in its status. */
export const conditionType = 'EvictionInProgress'

/** Counts of a rule's effects; for a rule with the effect None, as if it were NoExecute. */
export interface RuleCounts {
  /** Pods to be evicted, now or later, and their namespaces. */
  readonly pods: number
  readonly namespaces: number
  /** Devices in slices. */
  readonly published: number
  /** Allocated devices. */
  readonly allocated: number
  /** Pods evicted for this rule since the controller's start. */
  readonly evicted: number
}

export interface RuleCondition {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** The condition in the stock words. */
export function conditionOf({ spec }: Frozen<DeviceTaintRule>, counts: RuleCounts): RuleCondition {
  const { evicted } = counts
  const { status, reason, message } = beforeEvicted(spec.taint.effect, counts)
  const evictions = evicted === 0 ? '' : `${plural(evicted, 'pod', 'pods')} evicted since starting the controller.`
  return { status, reason, message: [message, evictions].filter((text) => text !== '').join(' ') }
}

function beforeEvicted(effect: string, { pods, namespaces, published, allocated, evicted }: RuleCounts): RuleCondition {
  const where = plural(namespaces, 'namespace', 'different namespaces')
  if (effect === 'None') {
    const message =
      `${plural(published, 'published device', 'published devices')} selected. ` +
      `${plural(allocated, 'allocated device', 'allocated devices')} selected. ` +
      `${plural(pods, 'pod', 'pods')} would be evicted in ${where} if the effect was NoExecute. ` +
      'This information will not be updated again. Recreate the DeviceTaintRule to trigger an update.'
    return { status: 'False', reason: 'NoEffect', message }
  }
  if (effect !== 'NoExecute')
    return { status: 'False', reason: 'OtherEffect', message: 'Eviction only happens for the NoExecute effect.' }
  if (pods > 0) {
    const message = `${plural(pods, 'pod needs', 'pods need')} to be evicted in ${where}.`
    return { status: 'True', reason: 'PodsPendingEviction', message }
  }
  return { status: 'False', reason: evicted > 0 ? 'Completed' : 'NotStarted', message: '' }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
