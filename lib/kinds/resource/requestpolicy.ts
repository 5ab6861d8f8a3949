import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldErrors,
  quantityValue,
} from '../../object/index.ts'
import { checkUnique } from '../check.ts'

const valuesMax = 10

/** A device whose requests share it may limit the amounts of a capacity that one request takes. */
export function checkCapacity(
  errors: FieldError[],
  capacity: v1.DeviceCapacity,
  isShared: boolean,
  at: FieldPath,
): void {
  const policy = capacity.requestPolicy
  if (!policy) return
  const path = at.child('requestPolicy')
  if (!isShared) {
    errors.push(fieldErrors.forbidden(path, 'allowMultipleAllocations must be true'))
    return
  }
  const { default: amount, validValues = [], validRange } = policy
  if (validValues.length > 0 && validRange) {
    const why = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
    errors.push(fieldErrors.forbidden(path, why))
    return
  }
  const kind = validValues.length > 0 ? 'validValues' : validRange && 'validRange'
  if (kind === undefined) return
  if (amount === undefined) errors.push(fieldErrors.required(path.child('default'), `required when ${kind} is defined`))
  else if (validRange) checkRange(errors, { amount, most: capacity.value, ...validRange }, path.child(kind))
  else checkValues(errors, { amount, most: capacity.value }, validValues, path.child(kind))
}

interface Amounts {
  /** The default. */
  readonly amount: string
  /** The whole capacity. */
  readonly most: string
}

const shown = canonicalQuantity
const isAbove = (left: string, right: string): boolean => compareQuantities(left, right) > 0

function checkValues(
  errors: FieldError[],
  { amount, most }: Amounts,
  values: readonly string[],
  path: FieldPath,
): void {
  values.forEach((value, index) => {
    if (index > 0 && isAbove(values[index - 1] ?? value, value))
      errors.push(fieldErrors.invalid(path.index(index), shown(value), 'values must be sorted in ascending order'))
  })
  const mismatch = fieldErrors.invalid(path, shown(amount), 'default value is not valid according to the requestPolicy')
  if (values.length > valuesMax) {
    errors.push(fieldErrors.tooMany(path, values.length, valuesMax), mismatch)
    return
  }
  values.forEach((value, index) => {
    const why = `option is larger than capacity value: ${shown(most)}`
    if (isAbove(value, most)) errors.push(fieldErrors.invalid(path.index(index), shown(value), why))
  })
  const seen = new Set<string>()
  values.forEach((value, index) => checkUnique(errors, seen, String(quantityValue(value)), path.index(index)))
  if (!values.some((value) => compareQuantities(value, amount) === 0)) errors.push(mismatch)
}

function checkRange(
  errors: FieldError[],
  { amount, most, min, max, step }: Amounts & v1.CapacityRequestPolicyRange,
  path: FieldPath,
): void {
  const invalid = (name: string, value: string, why: string): void =>
    void errors.push(fieldErrors.invalid(path.child(name), shown(value), why))
  if (min === undefined) {
    errors.push(fieldErrors.required(path.child('min'), 'required when validRange is defined'))
    return
  }
  if (isAbove(min, most)) invalid('min', min, `min is larger than capacity value: ${shown(most)}`)
  if (isAbove(min, amount)) invalid('min', amount, `default is less than min: ${shown(min)}`)
  if (max !== undefined) {
    if (isAbove(min, max)) invalid('max', min, `min is larger than max: ${shown(max)}`)
    if (isAbove(max, most)) invalid('max', max, `max is larger than capacity value: ${shown(most)}`)
    if (isAbove(amount, max)) invalid('max', amount, `default is more than max: ${shown(max)}`)
  }
  if (step === undefined) return
  const next = addQuantities(min, step)
  if (isAbove(next, most))
    invalid('step', step, `one step ${shown(next)} is larger than capacity value: ${shown(most)}`)
  for (const value of max === undefined ? [amount] : [amount, max])
    if (!isMultiple(value, min, step))
      invalid('step', value, `value is not a multiple of a given step (${shown(step)}) from (${shown(min)})`)
}

/** Whether steps lead from `min` to the value, in whole units. The stock server crashes for a step of 0. */
function isMultiple(value: string, min: string, step: string): boolean {
  const size = quantityValue(step)
  return size !== 0n && (quantityValue(value) - quantityValue(min)) % size === 0n
}
