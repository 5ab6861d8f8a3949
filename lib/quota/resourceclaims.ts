import { addTo, emptyAmounts } from './amounts.ts'
import type { Evaluator } from './evaluator.ts'

const count = 'count/resourceclaims.resource.k8s.io'
const suffix = '.deviceclass.resource.k8s.io/devices'
/** An allocation has at most so many devices: one that asks for all of them may take as many. */
const devicesMax = 32

/** A request of devices as any version writes it: the earlier ones have the fields of `exactly` on the request itself. */
interface DeviceRequest {
  readonly deviceClassName?: string
  readonly allocationMode?: string
  readonly count?: number
  readonly exactly?: DeviceRequest
  readonly firstAvailable?: readonly DeviceRequest[]
}

/** Claims, and the devices that they ask for by device class. */
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

/** The scheduler takes one of the alternatives, unknown which: the most of each class counts. */
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
