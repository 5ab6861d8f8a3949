import type * as core from '../../../api/gen/core/v1.ts'
import { deepEqual } from '../../object/index.ts'

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

/** True when whatever taint `narrow` tolerates, and for how long, `wide` tolerates, too. */
function covers(wide: core.Toleration, narrow: core.Toleration): boolean {
  if (deepEqual(wide, narrow)) return true
  const isForAll = !wide.key && wide.operator === 'Exists'
  if ((wide.key ?? '') !== (narrow.key ?? '') && !isForAll) return false
  if (wide.effect && wide.effect !== narrow.effect) return false
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    const isShorter = narrow.tolerationSeconds !== undefined && narrow.tolerationSeconds <= wide.tolerationSeconds
    if (!isShorter) return false
  }
  if (wide.operator === 'Exists') return true
  return (narrow.operator || 'Equal') === 'Equal' && (wide.value ?? '') === (narrow.value ?? '')
}
