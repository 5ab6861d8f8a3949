import type * as core from '../../../api/gen/core/v1.ts'
import { deepEqual } from '../../object/index.ts'

/** Whether `wide` tolerates every taint that `narrow` does. */
function covers(wide: core.Toleration, narrow: core.Toleration): boolean {
  if (deepEqual(wide, narrow)) return true
  const { key = '', operator = '', effect = '', tolerationSeconds, value = '' } = wide
  if ((narrow.key ?? '') !== key && !(key === '' && operator === 'Exists')) return false
  if (effect !== '' && (narrow.effect ?? '') !== effect) return false
  if (effect === 'NoExecute' && tolerationSeconds !== undefined)
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > tolerationSeconds) return false
  if (operator === 'Exists') return true
  return (operator === '' || operator === 'Equal') && narrow.operator === 'Equal' && (narrow.value ?? '') === value
}

/** Both lists as one, without tolerations that another one covers; of equal ones the first stays. */
export function mergeTolerations(
  first: readonly core.Toleration[],
  second: readonly core.Toleration[],
): core.Toleration[] {
  const all = [...first, ...second]
  const merged: core.Toleration[] = []
  for (const [index, one] of all.entries()) {
    if (merged.some((other) => covers(other, one))) continue
    const isCoveredLater = all.slice(index + 1).some((other) => !deepEqual(one, other) && covers(other, one))
    if (!isCoveredLater) merged.push(one)
  }
  return merged
}

/** Whether each toleration is covered by one of the list; an empty list allows all. */
export function areAllowed(tolerations: readonly core.Toleration[], allowed: readonly core.Toleration[]): boolean {
  return allowed.length === 0 || tolerations.every((one) => allowed.some((other) => covers(other, one)))
}
