import type { DeviceTaintRule } from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { isNotFound, type TurnResult } from '../../controller/index.ts'
import { type Frozen, formatTime, parseTime, type ResourceType } from '../../object/index.ts'
import { conditionOf, conditionType } from './condition.ts'
import { observeRule, type Shown } from './observe.ts'

/** The shortest time between two status updates of one rule. */
export const ruleStatusMs = 10_000

const fieldManager = 'device-taint-eviction-controller'

/** Keeps the status of rules. */
export interface RuleStatus {
  /** Counts a pod that was evicted for this rule. */
  evicted(rule: Frozen<DeviceTaintRule>): void
  forget(rule: Frozen<DeviceTaintRule>): void
  /** Updates the condition of a rule, or returns when that is due. */
  update(name: string, client: Client): Promise<TurnResult>
}

export function createRuleStatus(clock: Clock, type: ResourceType<DeviceTaintRule>, shown: Shown): RuleStatus {
  /** Numbers of evicted pods since the start, by the uid of the rule. */
  const counts = new Map<string, number>()
  const uidOf = ({ metadata }: Frozen<DeviceTaintRule>): string => metadata.uid ?? ''
  return {
    evicted: (rule) => void counts.set(uidOf(rule), (counts.get(uidOf(rule)) ?? 0) + 1),
    forget: (rule) => void counts.delete(uidOf(rule)),
    async update(name, client) {
      const rule = shown.rules?.get(name)
      if (!rule) return {}
      const { uid, generation } = rule.metadata
      const before = rule.status?.conditions?.find((each) => each.type === conditionType)
      const nowMs = clock.now()
      if (before && before.observedGeneration === generation) {
        const sinceMs = before.lastTransitionTime === undefined ? 0 : parseTime(before.lastTransitionTime)
        const waitMs = sinceMs + ruleStatusMs - nowMs
        if (waitMs > 0) return { againAfterMs: waitMs }
      }
      const wanted = conditionOf(rule, { ...observeRule(shown, rule), evicted: counts.get(uidOf(rule)) ?? 0 })
      const isSame =
        before?.observedGeneration === generation &&
        before?.status === wanted.status &&
        before.reason === wanted.reason &&
        before.message === wanted.message
      // Others may delete pods as well, which causes no turn of the rule.
      const result = wanted.status === 'True' ? { againAfterMs: ruleStatusMs } : {}
      if (isSame) return result
      const lastTransitionTime = formatTime(nowMs)
      const condition = { type: conditionType, ...wanted, observedGeneration: generation, lastTransitionTime }
      const body = {
        apiVersion: `${type.group}/${type.version}`,
        kind: type.kind,
        metadata: { name, uid },
        status: { conditions: [condition] },
      }
      try {
        await client.resource(type).patchStatus({ name }, 'apply', body, { fieldManager, force: true })
      } catch (error) {
        // The rule was deleted, or the server is of 1.33 or 1.34, where rules have no status.
        if (!isNotFound(error)) throw error
      }
      return result
    },
  }
}
