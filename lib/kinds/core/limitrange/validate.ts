import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  canonicalQuantity,
  compareQuantities,
  type FieldError,
  FieldPath,
  fieldErrors,
  quantityMilliValue,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat } from '../../check.ts'
import { checkContainerResourceName, checkResourceName, isNativeResource } from '../podspec/resources.ts'

const path = FieldPath.root('spec').child('limits')
const standardTypes = new Set(['Pod', 'Container', 'PersistentVolumeClaim'])
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const

export function validateLimitRange(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const types = new Set<string>()
  const { limits = [] } = (object['spec'] ?? {}) as core.LimitRangeSpec
  limits.forEach((item, index) => {
    const at = path.index(index)
    checkType(errors, item.type ?? '', at.child('type'))
    if (types.has(item.type)) errors.push(fieldErrors.duplicate(at.child('type'), item.type))
    types.add(item.type)
    checkItem(errors, item, at)
  })
  return errors
}

function checkType(errors: FieldError[], type: string, at: FieldPath): void {
  const findings = validateQualifiedName(type)
  checkFormat(errors, type, at, () => findings)
  if (findings.length === 0 && !type.includes('/') && !standardTypes.has(type))
    errors.push(fieldErrors.invalid(at, type, 'must be a standard limit type or fully qualified'))
}

function checkItem(errors: FieldError[], item: core.LimitRangeItem, at: FieldPath): void {
  const names = new Set<string>()
  for (const list of lists) {
    const isDefault = list === 'default' || list === 'defaultRequest'
    if (isDefault && item.type === 'Pod') {
      if (Object.keys(item[list] ?? {}).length > 0)
        errors.push(fieldErrors.forbidden(at.child(list), "may not be specified when `type` is 'Pod'"))
      continue
    }
    if (list === 'maxLimitRequestRatio' && item.type === 'PersistentVolumeClaim') checkClaim(errors, item, at)
    for (const name of Object.keys(item[list] ?? {})) {
      names.add(name)
      if (item.type === 'Pod' || item.type === 'Container')
        checkContainerResourceName(errors, name, at.child(list).key(name))
      else checkResourceName(errors, name, at.child(list).key(name))
    }
  }
  for (const name of [...names].sort()) checkOrder(errors, item, name, at)
}

function checkClaim(errors: FieldError[], item: core.LimitRangeItem, at: FieldPath): void {
  if (item.min?.['storage'] !== undefined || item.max?.['storage'] !== undefined) return
  const why = 'either minimum or maximum storage value is required, but neither was provided'
  errors.push(fieldErrors.required(at.child('limits'), why))
}

/**
 * Pairs of ordered limits: the smaller, the shown value, the larger, the field, and the names of the two in the
 * message.
 */
const orders = [
  ['min', 'min', 'max', 'min', 'min', 'max'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest', 'min', 'default request'],
  ['defaultRequest', 'defaultRequest', 'max', 'defaultRequest', 'default request', 'max'],
  ['defaultRequest', 'defaultRequest', 'default', 'defaultRequest', 'default request', 'default limit'],
  ['min', 'min', 'default', 'default', 'min', 'default'],
  ['default', 'max', 'max', 'default', 'default', 'max'],
] as const

function checkOrder(errors: FieldError[], item: core.LimitRangeItem, name: string, at: FieldPath): void {
  for (const [low, shown, high, field, lowName, highName] of orders) {
    const lowest = item[low]?.[name]
    const highest = item[high]?.[name]
    if (lowest === undefined || highest === undefined || compareQuantities(lowest, highest) <= 0) continue
    const value = item[shown]?.[name] ?? ''
    const why = `${lowName} value ${text(lowest)} is greater than ${highName} value ${text(highest)}`
    errors.push(fieldErrors.invalid(at.child(field).key(name), text(value), why))
  }
  checkRatio(errors, item, name, at)
  const limit = item.default?.[name]
  const request = item.defaultRequest?.[name]
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined) return
  if (compareQuantities(limit, request) === 0) return
  const why = `default value ${text(limit)} must equal to defaultRequest value ${text(request)} in ${name}`
  errors.push(fieldErrors.invalid(at.child('defaultRequest').key(name), text(request), why))
}

function checkRatio(errors: FieldError[], item: core.LimitRangeItem, name: string, at: FieldPath): void {
  const ratio = item.maxLimitRequestRatio?.[name]
  if (ratio === undefined) return
  const here = at.child('maxLimitRequestRatio').key(name)
  if (compareQuantities(ratio, '1') < 0)
    errors.push(fieldErrors.invalid(here, text(ratio), `ratio ${text(ratio)} is less than 1`))
  const min = item.min?.[name]
  const max = item.max?.[name]
  if (min === undefined || max === undefined) return
  const most = Number(quantityMilliValue(max)) / Number(quantityMilliValue(min))
  if (Number(quantityMilliValue(ratio)) / 1000 <= most) return
  const why = `ratio ${text(ratio)} is greater than max/min = ${most.toFixed(6)}`
  errors.push(fieldErrors.invalid(here, text(ratio), why))
}

/** Native resources may be overcommitted; resources that come in whole pieces may not. */
function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !name.startsWith('hugepages-')
}

function text(quantity: string): string {
  return canonicalQuantity(quantity)
}
