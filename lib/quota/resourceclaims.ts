import { addTo, emptyAmounts } from './amounts.ts'
import type { Evaluator } from './evaluator.ts'

const count = 'count/resourceclaims.resource.k8s.io'
const suffix = '.deviceclass.resource.k8s.io/devices'
/** Maximum number of devices of an allocation: a request for all devices may use as many. */
const devicesMax = 32

/** A device request in the form of any version: earlier ones have the fields of `exactly` at the top level. */
interface DeviceRequest {
  readonly deviceClassName?: string
  readonly allocationMode?: string
  readonly count?: number
  readonly exactly?: DeviceRequest
  readonly firstAvailable?: readonly DeviceRequest[]
}

/** Claims, and their requested devices by device class. */
export const resourceClaims: Evaluator = {
  resource: { group: 'resource.k8s.io', resource: 'resourceclaims' },
  charges: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matching: (asked) => asked.filter((name) => name === count || name.endsWith(suffix)),
  usage(object) {
    const { spec } = object as { spec?: { devices?: { requests?: readonly DeviceRequest[] } } }
    const used = emptyAmounts()
    used[count] = '1'
    for (const request of spec?.devices?.requests ?? [])
      for (const [name, devices] of devicesOf(request)) addTo(used, `${name}${suffix}`, String(devices))
    return used
  },
}

/** The scheduler chooses one of the alternatives, unknown which: the maximum of each class counts. */
function devicesOf(request: DeviceRequest): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  const alternatives = request.firstAvailable?.length ? request.firstAvailable : [request.exactly ?? request]
  for (const { deviceClassName = '', allocationMode, count: asked = 1 } of alternatives) {
    if (deviceClassName === '') continue
    const devices = allocationMode === 'All' ? devicesMax : asked
    most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, devices))
  }
  return most
}
