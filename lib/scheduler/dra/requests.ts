import type { DeviceSelector, DeviceSubRequest, ExactDeviceRequest } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import type { Alternative, Claim, DeviceSnapshot, Request } from './contract.ts'

/** The requests of a claim. A text: no node can satisfy them, for that reason. */
export function requestsOf(claim: Claim, { classes }: Pick<DeviceSnapshot, 'classes'>): Request[] | string {
  const requests: Request[] = []
  for (const { name, exactly, firstAvailable = [] } of claim.spec.devices.requests ?? []) {
    const given: readonly { readonly name: string; readonly of: Frozen<ExactDeviceRequest | DeviceSubRequest> }[] =
      exactly ? [{ name, of: exactly }] : firstAvailable.map((each) => ({ name: `${name}/${each.name}`, of: each }))
    const alternatives: Alternative[] = []
    for (const each of given) {
      const deviceClass = classes.get(each.of.deviceClassName)
      if (!deviceClass) return `request ${each.name}: device class ${each.of.deviceClassName} does not exist`
      alternatives.push(alternativeOf(claim, each.name, each.of, deviceClass.spec.selectors ?? []))
    }
    requests.push({ claim, name, alternatives })
  }
  return requests
}

function alternativeOf(
  { metadata }: Claim,
  name: string,
  request: Frozen<ExactDeviceRequest | DeviceSubRequest>,
  ofClass: readonly Frozen<DeviceSelector>[],
): Alternative {
  const from = (selectors: readonly Frozen<DeviceSelector>[], origin: string) =>
    selectors.flatMap(({ cel }, index) =>
      cel ? [{ expression: cel.expression, origin: `${origin}: selector #${index}` }] : [],
    )
  return {
    name,
    className: request.deviceClassName,
    selectors: [
      ...from(ofClass, `class ${request.deviceClassName}`),
      ...from(request.selectors ?? [], `claim ${metadata.namespace ?? ''}/${metadata.name ?? ''}`),
    ],
    wantsAll: request.allocationMode === 'All',
    count: request.count ?? 1,
    adminAccess: 'adminAccess' in request && request.adminAccess === true,
    tolerations: request.tolerations ?? [],
    capacity: request.capacity?.requests ?? {},
  }
}
