import type { EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { observe } from '../../../lib/controllers/endpointslicemirroring/observe.ts'
import { plan } from '../../../lib/controllers/endpointslicemirroring/plan.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

const { services, endpoints } = resources.core.v1

function shown({ metadata, addressType, ports, endpoints: all }: Frozen<EndpointSlice>): object {
  const [owner] = metadata.ownerReferences ?? []
  const { labels, annotations } = metadata
  return { addressType, labels, annotations, owner: `${owner?.kind}/${owner?.name}`, ports, endpoints: all }
}

runScripts('endpointslicemirroring', ({ key, input, lister }) => {
  const listers = {
    services: lister(services),
    endpoints: lister(endpoints),
    slices: lister(resources.discovery.v1.endpointslices),
  }
  const planned = plan(observe(listers, key), Number(input['max']))
  const { create, update, invalid, skipped } = planned
  return {
    ...(create.length > 0 ? { create: create.map(shown) } : {}),
    ...(update.length > 0 ? { update: update.map(shown) } : {}),
    ...(planned.delete.length > 0 ? { delete: planned.delete.map(({ metadata }) => metadata.name) } : {}),
    ...(invalid > 0 ? { invalid } : {}),
    ...(skipped > 0 ? { skipped } : {}),
  }
})
