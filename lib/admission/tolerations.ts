import type * as core from '../../api/gen/core/v1.ts'
import { deepEqual } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'
import { refusal } from './refusal.ts'

/** Lists are compared item by item: 500 items with one key take some 40 ms. */
export const tolerationsMax = 250

/** Throws 403 for a list that is too long to compare. */
export function checkLength(attributes: AdmissionAttributes, tolerations: readonly core.Toleration[]): void {
  if (tolerations.length > tolerationsMax)
    throw refusal(attributes, `a pod may have ${tolerationsMax} tolerations at most where they are merged with others`)
}

/** Merges both lists, without tolerations that another one covers; among equal ones the first stays. */
export function mergeTolerations(
  own: readonly core.Toleration[],
  added: readonly core.Toleration[],
): core.Toleration[] {
  const all = [...own, ...added]
  const merged: core.Toleration[] = []
  all.forEach((toleration, index) => {
    if (merged.some((kept) => covers(kept, toleration))) return
    const later = all.slice(index + 1)
    if (later.some((other) => !deepEqual(other, toleration) && covers(other, toleration))) return
    merged.push(toleration)
  })
  return merged
}

/** Whether each toleration is covered by one of the list; an empty list allows all. */
export function areAllowed(tolerations: readonly core.Toleration[], allowed: readonly core.Toleration[]): boolean {
  return allowed.length === 0 || tolerations.every((one) => allowed.some((other) => covers(other, one)))
}

/** True when `wide` tolerates every taint that `narrow` tolerates, and for at least as long. */
function covers(wide: core.Toleration, narrow: core.Toleration): boolean {
  const isForAll = !wide.key && wide.operator === 'Exists'
  if ((wide.key ?? '') !== (narrow.key ?? '') && !isForAll) return false
  if (deepEqual(wide, narrow)) return true
  if (wide.effect && wide.effect !== narrow.effect) return false
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    const isShorter = narrow.tolerationSeconds !== undefined && narrow.tolerationSeconds <= wide.tolerationSeconds
    if (!isShorter) return false
  }
  if (wide.operator === 'Exists') return true
  return (narrow.operator || 'Equal') === 'Equal' && (wide.value ?? '') === (narrow.value ?? '')
}
