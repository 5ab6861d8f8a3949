import type { Condition } from '../../../api/gen/meta/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateConditionReason,
  validateQualifiedName,
} from '../../object/index.ts'
import { checkFormat, checkSupported, checkUnique } from '../check.ts'

const reasonBytesMax = 1024
const messageBytesMax = 32 * 1024

/** Checks conditions of the form that all newer kinds share; one of each type. */
export function checkConditions(
  errors: FieldError[],
  conditions: readonly Partial<Condition>[] | undefined,
  path: FieldPath,
): void {
  const seen = new Set<string>()
  conditions?.forEach(({ type = '', status = '', observedGeneration = 0, ...rest }, index) => {
    const at = path.index(index)
    checkUnique(errors, seen, type, at.child('type'))
    checkFormat(errors, type, at.child('type'), validateQualifiedName)
    checkSupported(errors, status, at.child('status'), ['False', 'True', 'Unknown'])
    if (observedGeneration < 0) {
      const why = 'must be greater than or equal to zero'
      errors.push(fieldErrors.invalid(at.child('observedGeneration'), observedGeneration, why))
    }
    if (!rest.lastTransitionTime) errors.push(fieldErrors.required(at.child('lastTransitionTime')))
    const { reason = '', message = '' } = rest
    if (reason === '') errors.push(fieldErrors.required(at.child('reason')))
    else {
      checkFormat(errors, reason, at.child('reason'), validateConditionReason)
      if (Buffer.byteLength(reason) > reasonBytesMax)
        errors.push(fieldErrors.tooLong(at.child('reason'), reasonBytesMax))
    }
    if (Buffer.byteLength(message) > messageBytesMax)
      errors.push(fieldErrors.tooLong(at.child('message'), messageBytesMax))
  })
}
