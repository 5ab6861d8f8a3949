import type { Condition } from '../definition/definition.ts'

/** The conditions with one of them set: its time is kept where its status is, and the other members are replaced. */
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
