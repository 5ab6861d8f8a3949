import type { Taint, Toleration } from '../../../../api/gen/core/v1.ts'
import type { Frozen } from '../../../object/index.ts'

export function tolerates(tolerations: readonly Frozen<Toleration>[], taint: Frozen<Taint>): boolean {
  return tolerations.some(({ key = '', operator = '', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false
    if (key !== '' && key !== taint.key) return false
    if (operator === 'Exists') return true
    return (operator === '' || operator === 'Equal') && value === (taint.value ?? '') && key !== ''
  })
}
