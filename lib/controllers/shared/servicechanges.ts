import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import { type InformerEvent, keyOf, type Lister } from '../../controller/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { addressesOf } from './podaddresses.ts'
import { isReady, isTerminal } from './podstate.ts'
import { servicesFor } from './serviceselector.ts'

/** Keys of the services whose endpoints a change of a pod may change. */
export function servicesChangedBy(
  { object, before, deleted }: InformerEvent<Pod>,
  services: Lister<Service>,
): string[] {
  if (before && !deleted && deepEqual(traits(before), traits(object))) return []
  const keys = new Set<string>()
  for (const state of before ? [object, before] : [object])
    for (const service of servicesFor(state, services)) keys.add(keyOf(service))
  return [...keys]
}

/** The fields of a pod that endpoints depend on. */
function traits(pod: Frozen<Pod>): unknown {
  const { metadata, spec } = pod
  return [
    metadata.uid,
    metadata.labels ?? {},
    metadata.deletionTimestamp !== undefined,
    isReady(pod),
    isTerminal(pod),
    addressesOf(pod),
    spec.nodeName ?? '',
    spec.hostname ?? '',
    spec.subdomain ?? '',
  ]
}
