import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'
import { checkFormat, checkRequiredChoice, checkSupported } from '../check.ts'

const effects = ['NoExecute', 'NoSchedule', 'None']

export function checkTaint(errors: FieldError[], taint: v1.DeviceTaint, path: FieldPath): void {
  checkFormat(errors, taint.key, path.child('key'), validateQualifiedName)
  if (taint.value) checkFormat(errors, taint.value, path.child('value'), validateLabelValue)
  checkRequiredChoice(errors, taint.effect, path.child('effect'), effects)
}

export function checkDeviceToleration(errors: FieldError[], toleration: v1.DeviceToleration, path: FieldPath): void {
  const { key = '', operator = '', value = '', effect = '' } = toleration
  if (key !== '') checkFormat(errors, key, path.child('key'), validateQualifiedName)
  checkRequiredChoice(errors, operator, path.child('operator'), ['Equal', 'Exists'])
  if (operator === 'Exists' && value !== '')
    errors.push(fieldErrors.invalid(path.child('value'), value, 'must be empty for operator `Exists`'))
  if (operator === 'Equal') checkFormat(errors, value, path.child('value'), validateLabelValue)
  if (effect !== '') checkSupported(errors, effect, path.child('effect'), effects)
}
