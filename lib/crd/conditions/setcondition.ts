import type { Condition } from '../definition/definition.ts'

/** Replaces one of the conditions; keeps its time where its status is unchanged. */
export function setCondition(
  conditions: readonly Condition[],
  { type, status, reason, message }: { type: string; status: string; reason: string; message: string },
  now: string,
): Condition[] {
  const old = conditions.find((one) => one.type === type)
  const lastTransitionTime = old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : now
  const condition: Condition = { type, status, lastTransitionTime, reason, message }
  return old ? conditions.map((one) => (one === old ? condition : one)) : [...conditions, condition]
}
