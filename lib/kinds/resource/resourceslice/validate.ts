import type * as v1 from '../../../../api/gen/resource.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkUnique } from '../../check.ts'
import { checkNodeSelector } from '../../core/podspec/scheduling.ts'
import { checkDriver, checkPoolName, checkQualifiedName } from '../names.ts'
import { checkCapacity } from '../requestpolicy.ts'
import { checkTaint } from '../taints.ts'

const path = FieldPath.root('spec')
const devicesMax = 128
/** Maximum number of devices with taints or counters, which are larger. */
const largeDevicesMax = 64
const propertiesMax = 32
const taintsMax = 16
const bindingConditionsMax = 4
const valueBytesMax = 64

export const specOf = (object: ApiObject): v1.ResourceSliceSpec => object['spec'] as v1.ResourceSliceSpec

export function validateSlice(object: ApiObject, old: ApiObject | undefined): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkDriver(errors, spec.driver, path.child('driver'))
  checkPool(errors, spec.pool)
  if (old) checkUnchanged(errors, spec, specOf(old))
  checkNodes(errors, spec)
  checkDevices(errors, spec)
  if (spec.sharedCounters?.length && spec.devices?.length)
    errors.push(fieldErrors.invalid(path, null, 'only one of `sharedCounters` or `devices` is allowed'))
  spec.sharedCounters?.forEach(({ name, counters }, index) => {
    const at = path.child('sharedCounters').index(index)
    if (checkPresent(errors, name, at.child('name'))) checkFormat(errors, name, at.child('name'), validateDns1123Label)
    if (Object.keys(counters ?? {}).length === 0) errors.push(fieldErrors.required(at.child('counters')))
  })
  return errors
}

function checkPool(errors: FieldError[], pool: v1.ResourcePool): void {
  const at = path.child('pool')
  checkPoolName(errors, pool.name, at.child('name'))
  if (pool.resourceSliceCount <= 0) {
    const why = 'must be greater than zero'
    errors.push(fieldErrors.invalid(at.child('resourceSliceCount'), pool.resourceSliceCount, why))
  }
  if (pool.generation < 0) {
    const why = 'must be greater than or equal to zero'
    errors.push(fieldErrors.invalid(at.child('generation'), pool.generation, why))
  }
}

/** Fields that identify a slice can't change. */
function checkUnchanged(errors: FieldError[], now: v1.ResourceSliceSpec, before: v1.ResourceSliceSpec): void {
  if (now.pool.name !== before.pool.name)
    errors.push(fieldErrors.immutable(path.child('pool').child('name'), now.pool.name))
  if (now.driver !== before.driver) errors.push(fieldErrors.immutable(path.child('driver'), now.driver))
  if (now.nodeName !== before.nodeName) errors.push(fieldErrors.immutable(path.child('nodeName'), now.nodeName ?? null))
}

/** Where the devices can be used: exactly one of the fields. */
function checkNodes(errors: FieldError[], spec: v1.ResourceSliceSpec): void {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec
  if (nodeName === '')
    errors.push(fieldErrors.invalid(path.child('nodeName'), '', 'must be either unset or set to a non-empty string'))
  else if (nodeName !== undefined) checkFormat(errors, nodeName, path.child('nodeName'), validateDns1123Subdomain)
  if (nodeSelector) {
    const at = path.child('nodeSelector')
    checkNodeSelector(errors, nodeSelector, at)
    if (nodeSelector.nodeSelectorTerms?.length !== 1) {
      const why = 'must have exactly one node selector term'
      errors.push(fieldErrors.invalid(at.child('nodeSelectorTerms'), nodeSelector.nodeSelectorTerms, why))
    }
  }
  for (const name of ['allNodes', 'perDeviceNodeSelection'] as const)
    if (spec[name] === false)
      errors.push(fieldErrors.invalid(path.child(name), false, 'must be either unset or set to true'))
  const said = [nodeName, nodeSelector, allNodes, perDeviceNodeSelection].filter(Boolean).length
  const why = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
  if (said === 0) errors.push(fieldErrors.required(path, why))
  if (said > 1) errors.push(fieldErrors.invalid(path, null, `${why}, but multiple fields are set`))
}

function checkDevices(errors: FieldError[], spec: v1.ResourceSliceSpec): void {
  const { devices = [] } = spec
  const isLarge = devices.some(({ taints, consumesCounters }) => taints?.length || consumesCounters?.length)
  const most = isLarge ? largeDevicesMax : devicesMax
  const all = path.child('devices')
  if (devices.length > most) errors.push(fieldErrors.tooMany(all, devices.length, most))
  const names = new Set<string>()
  devices.forEach((device, index) => {
    const at = all.index(index)
    checkDevice(errors, device, at)
    checkDeviceNodes(errors, device, spec.perDeviceNodeSelection === true, at)
    checkUnique(errors, names, device.name, at)
  })
}

function checkDevice(errors: FieldError[], device: v1.Device, at: FieldPath): void {
  checkFormat(errors, device.name, at.child('name'), validateDns1123Label)
  const { attributes = {}, capacity = {}, taints = [] } = device
  const count = Object.keys(attributes).length + Object.keys(capacity).length
  if (count > propertiesMax) {
    const why = `the total number of attributes and capacities must not exceed ${propertiesMax}`
    errors.push(fieldErrors.invalid(at, count, why))
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    const here = at.child('attributes').key(name)
    checkQualifiedName(errors, name, here)
    checkAttribute(errors, attribute, here)
  }
  for (const [name, amount] of Object.entries(capacity)) {
    const here = at.child('capacity').key(name)
    checkQualifiedName(errors, name, here)
    checkCapacity(errors, amount, device.allowMultipleAllocations === true, here)
  }
  device.consumesCounters?.forEach(({ counterSet, counters }, index) => {
    const here = at.child('consumesCounters').index(index)
    checkPresent(errors, counterSet, here.child('counterSet'))
    if (Object.keys(counters ?? {}).length === 0) errors.push(fieldErrors.required(here.child('counters')))
  })
  checkBinding(errors, device, at)
  if (taints.length > taintsMax) errors.push(fieldErrors.tooMany(at.child('taints'), taints.length, taintsMax))
  taints.forEach((taint, index) => checkTaint(errors, taint, at.child('taints').index(index)))
}

/** Conditions that decide, once a device is prepared, whether its pod is bound: of success, and of failure. */
function checkBinding(errors: FieldError[], device: v1.Device, at: FieldPath): void {
  const { bindingConditions = [], bindingFailureConditions = [] } = device
  for (const list of ['bindingConditions', 'bindingFailureConditions'] as const) {
    const conditions = device[list] ?? []
    const here = at.child(list)
    if (conditions.length > bindingConditionsMax)
      errors.push(fieldErrors.tooMany(here, conditions.length, bindingConditionsMax))
    const seen = new Set<string>()
    conditions.forEach((condition, index) => checkUnique(errors, seen, condition, here.index(index)))
  }
  const failures = at.child('bindingFailureConditions')
  bindingFailureConditions.forEach((condition, index) => {
    if (!bindingConditions.includes(condition)) return
    const why = 'bindingFailureConditions must not overlap with bindingConditions'
    errors.push(fieldErrors.invalid(failures.index(index), condition, why))
  })
  if (bindingConditions.length === 0 && bindingFailureConditions.length > 0) {
    const why = 'bindingConditions are required to use bindingFailureConditions'
    errors.push(fieldErrors.invalid(at.child('bindingConditions'), bindingConditions, why))
  }
  if (bindingFailureConditions.length === 0 && bindingConditions.length > 0) {
    const why = 'bindingFailureConditions are required to use bindingConditions'
    errors.push(fieldErrors.invalid(failures, bindingFailureConditions, why))
  }
}

function checkAttribute(errors: FieldError[], attribute: v1.DeviceAttribute, at: FieldPath): void {
  const { string, version } = attribute
  if (string !== undefined && Buffer.byteLength(string) > valueBytesMax)
    errors.push(fieldErrors.tooLong(at.child('string'), valueBytesMax))
  if (version !== undefined) {
    const here = at.child('version')
    if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(version)) {
      const why = 'must be a string compatible with semver.org spec 2.0.0'
      errors.push(fieldErrors.invalid(here, version, why))
    }
    if (Buffer.byteLength(version) > valueBytesMax) errors.push(fieldErrors.tooLong(here, valueBytesMax))
  }
  const values = Object.values(attribute).filter((value) => value !== undefined)
  if (values.length !== 1) errors.push(fieldErrors.invalid(at, '', 'exactly one value must be specified'))
}

function checkDeviceNodes(errors: FieldError[], device: v1.Device, isPerDevice: boolean, at: FieldPath): void {
  const { nodeName, nodeSelector, allNodes } = device
  const said = [nodeName, nodeSelector, allNodes].filter((value) => value !== undefined).length
  if (!isPerDevice) {
    if (said === 0) return
    const why =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
    errors.push(fieldErrors.invalid(at, null, why))
    return
  }
  if (nodeName === '') errors.push(fieldErrors.invalid(at.child('nodeName'), '', 'must not be empty'))
  else if (nodeName !== undefined) checkFormat(errors, nodeName, at.child('nodeName'), validateDns1123Subdomain)
  if (nodeSelector) checkNodeSelector(errors, nodeSelector, at.child('nodeSelector'))
  if (allNodes === false)
    errors.push(fieldErrors.invalid(at.child('allNodes'), false, 'must be either unset or set to true'))
  const why =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
  if (said === 0) errors.push(fieldErrors.required(at, why))
  if (said > 1) errors.push(fieldErrors.invalid(at, null, why))
}
