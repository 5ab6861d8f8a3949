import type { DeviceConstraint } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import type { DeviceInfo } from './deviceindex.ts'
import { qualified } from './selectors.ts'

/** A constraint over the devices that a search has chosen for one claim so far. */
export interface RunningConstraint {
  /** False: the device does not satisfy it. `request`: with `name/subrequest`, as in results. */
  add(request: string, device: DeviceInfo): boolean
  /** Takes back the last `add` that returned true. */
  remove(request: string): void
}

export function createConstraint({
  requests = [],
  matchAttribute,
  distinctAttribute,
}: Frozen<DeviceConstraint>): RunningConstraint {
  const attribute = matchAttribute ?? distinctAttribute
  const isAbout = (request: string): boolean =>
    requests.length === 0 || requests.includes(request) || requests.includes(request.split('/')[0] ?? '')
  const values: string[] = []
  return {
    add(request, device) {
      if (!isAbout(request)) return true
      const value = attribute === undefined ? undefined : attributeOf(device, attribute)
      if (value === undefined) return false
      const fits = matchAttribute === undefined ? !values.includes(value) : values.every((each) => each === value)
      if (fits) values.push(value)
      return fits
    },
    remove(request) {
      if (isAbout(request)) values.pop()
    },
  }
}

/** The value with its type; undefined: the device lacks the attribute, or it is a list. */
function attributeOf({ driver, device }: DeviceInfo, name: string): string | undefined {
  const [domain, id] = qualified(name, driver)
  const { attributes = {} } = device
  const value = attributes[`${domain}/${id}`] ?? (domain === driver ? attributes[id] : undefined)
  if (!value) return undefined
  const [entry] = Object.entries(value).filter(([, each]) => each !== undefined && !Array.isArray(each))
  return entry && JSON.stringify(entry)
}
