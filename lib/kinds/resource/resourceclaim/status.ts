import type * as v1 from '../../../../api/gen/resource.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1123Label,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkRequiredChoice, checkUnique } from '../../check.ts'
import { checkNodeSelector } from '../../core/podspec/scheduling.ts'
import { checkConditions } from '../../meta/conditions.ts'
import { requestNames } from '../deviceclaim.ts'
import { checkDriver, checkOpaque, checkPoolName, checkRawObject } from '../names.ts'

const path = FieldPath.root('status')
const resultsMax = 32
const configMax = 64
const consumersMax = 256
const conditionsMax = 8

export const statusOf = (object: ApiObject): v1.ResourceClaimStatus =>
  (object['status'] ?? {}) as v1.ResourceClaimStatus

export function validateStatusUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const [now, before] = [statusOf(object), statusOf(old)]
  const { requests = [] } = (object['spec'] as v1.ResourceClaimSpec).devices
  checkConsumers(errors, now.reservedFor ?? [])
  checkDeviceStates(errors, now)
  if (now.allocation && before.allocation) {
    if (!semanticEqual(now.allocation, before.allocation))
      errors.push(fieldErrors.immutable(path.child('allocation'), now.allocation))
  } else if (now.allocation) checkAllocation(errors, now.allocation, requestNames(requests))
  if (now.reservedFor?.length) {
    const at = path.child('reservedFor')
    const isNew = now.reservedFor.some(({ uid }) => !before.reservedFor?.some((other) => other.uid === uid))
    if (!now.allocation) errors.push(fieldErrors.forbidden(at, 'may not be specified when `allocated` is not set'))
    else if (isNew && object.metadata.deletionTimestamp !== undefined) {
      const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
      errors.push(fieldErrors.forbidden(at, why))
    }
  }
  return errors
}

/**
 * Removes the drivers' reports about devices that the claim has no longer: a client that removes the allocation may not
 * know of them, and would be refused.
 */
export function dropDeallocated(object: ApiObject, old: ApiObject): void {
  const [now, before] = [statusOf(object), statusOf(old)]
  if (!now.devices) return
  const left = allocatedDevices(now)
  const freed = allocatedDevices(before).difference(left)
  const devices = now.devices.filter((device) => !freed.has(deviceKey(device)))
  if (devices.length === now.devices.length) return
  const { devices: _reported, ...rest } = now
  object['status'] = devices.length > 0 ? { ...rest, devices } : rest
}

function allocatedDevices({ allocation }: v1.ResourceClaimStatus): Set<string> {
  return new Set(allocation?.devices.results?.map(deviceKey))
}

function deviceKey({
  driver,
  pool,
  device,
  shareID = '',
}: {
  readonly driver: string
  readonly pool: string
  readonly device: string
  readonly shareID?: string
}): string {
  return [driver, pool, device, shareID].join('/')
}

function checkConsumers(errors: FieldError[], consumers: readonly v1.ResourceClaimConsumerReference[]): void {
  const at = path.child('reservedFor')
  if (consumers.length > consumersMax) errors.push(fieldErrors.tooMany(at, consumers.length, consumersMax))
  const seen = new Set<string>()
  consumers.forEach((consumer, index) => {
    for (const field of ['resource', 'name', 'uid'] as const)
      checkPresent(errors, consumer[field], at.index(index).child(field))
    checkUnique(errors, seen, consumer.uid, at.index(index).child('uid'))
  })
}

function checkAllocation(errors: FieldError[], allocation: v1.AllocationResult, requests: ReadonlySet<string>): void {
  const at = path.child('allocation')
  const { results = [], config = [] } = allocation.devices
  const resultsPath = at.child('devices').child('results')
  if (results.length > resultsMax) errors.push(fieldErrors.tooMany(resultsPath, results.length, resultsMax))
  results.forEach((result, index) => {
    const here = resultsPath.index(index)
    checkRequestName(errors, result.request, requests, here.child('request'))
    checkDriver(errors, result.driver, here.child('driver'))
    checkPoolName(errors, result.pool, here.child('pool'))
    checkFormat(errors, result.device, here.child('device'), validateDns1123Label)
  })
  const configPath = at.child('devices').child('config')
  if (config.length > configMax) errors.push(fieldErrors.tooMany(configPath, config.length, configMax))
  config.forEach((each, index) => {
    const here = configPath.index(index)
    checkRequiredChoice(errors, each.source, here.child('source'), ['FromClaim', 'FromClass'])
    each.requests?.forEach((name, place) =>
      checkRequestName(errors, name, requests, here.child('requests').index(place)),
    )
    checkOpaque(errors, each.opaque, here.child('opaque'))
  })
  if (allocation.nodeSelector) checkNodeSelector(errors, allocation.nodeSelector, at.child('nodeSelector'))
}

function checkRequestName(errors: FieldError[], name: string, requests: ReadonlySet<string>, at: FieldPath): void {
  if (requests.has(name)) return
  const why = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
  errors.push(fieldErrors.invalid(at, name, why))
}

/** Drivers report only on allocated devices. */
function checkDeviceStates(errors: FieldError[], status: v1.ResourceClaimStatus): void {
  const allocated = allocatedDevices(status)
  status.devices?.forEach((device, index) => {
    const at = path.child('devices').index(index)
    checkDriver(errors, device.driver, at.child('driver'))
    checkPoolName(errors, device.pool, at.child('pool'))
    checkFormat(errors, device.device, at.child('device'), validateDns1123Label)
    if (!allocated.has(deviceKey(device)))
      errors.push(fieldErrors.invalid(at, deviceKey(device), 'must be an allocated device in the claim'))
    const count = device.conditions?.length ?? 0
    if (count > conditionsMax) errors.push(fieldErrors.tooMany(at.child('conditions'), count, conditionsMax))
    checkConditions(errors, device.conditions, at.child('conditions'))
    if (device.data !== undefined) checkRawObject(errors, device.data, at.child('data'))
  })
}
