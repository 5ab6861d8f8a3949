import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import type * as v1beta1 from '../../../api/gen/resource.k8s.io/v1beta1.ts'

/**
 * In v1beta1 a request for one kind of device has its fields at the top level, and a device has all of its fields in
 * `basic`.
 */

export function claimToV1beta1(claim: v1.DeviceClaim): v1beta1.DeviceClaim {
  if (!claim.requests) return claim as v1beta1.DeviceClaim
  const requests = claim.requests.map(({ exactly, ...request }) => ({ deviceClassName: '', ...request, ...exactly }))
  return { ...claim, requests } as v1beta1.DeviceClaim
}

export function claimFromV1beta1(claim: v1beta1.DeviceClaim): v1.DeviceClaim {
  if (!claim.requests) return claim as v1.DeviceClaim
  const requests = claim.requests.map(({ name, firstAvailable, ...exactly }) => {
    const isEmpty = Object.values(exactly).every((value) => value === undefined || value === '')
    return { name, ...(isEmpty ? {} : { exactly }), ...(firstAvailable ? { firstAvailable } : {}) }
  })
  return { ...claim, requests } as v1.DeviceClaim
}

export function deviceToV1beta1({ name, ...basic }: v1.Device): v1beta1.Device {
  return { name, basic } as v1beta1.Device
}

export function deviceFromV1beta1({ name, basic }: v1beta1.Device): v1.Device {
  return { name, ...basic } as v1.Device
}
