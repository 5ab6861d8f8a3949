import type * as v1 from '../../../../api/gen/discovery.k8s.io/v1.ts'
import type * as v1beta1 from '../../../../api/gen/discovery.k8s.io/v1beta1.ts'
import type { ApiObject } from '../../../object/index.ts'

const zoneLabel = 'topology.kubernetes.io/zone'
const hostLabel = 'kubernetes.io/hostname'

/** The same slice as v1, which has fields for labels of v1beta1. Shares nested values with `object`. */
export function sliceFromV1beta1(object: ApiObject): ApiObject {
  const { endpoints } = object as v1beta1.EndpointSlice
  return { ...object, endpoints: endpoints?.map(endpointFromV1beta1) }
}

function endpointFromV1beta1({ topology, ...endpoint }: v1beta1.Endpoint): v1.Endpoint {
  if (!topology) return endpoint
  const { [zoneLabel]: zone, ...rest } = topology
  // A host label that differs from the node's name stays.
  if (rest[hostLabel] === endpoint.nodeName) delete rest[hostLabel]
  return {
    ...endpoint,
    ...(zone === undefined ? {} : { zone }),
    ...(Object.keys(rest).length === 0 ? {} : { deprecatedTopology: rest }),
  }
}
