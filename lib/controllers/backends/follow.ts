import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import { type Change, keyOf, type Lister, namespaceOf } from '../../controller/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { isReady, isTerminal } from '../workloads/podstate.ts'
import { addressesOf, matchesSelector, selectsPods } from './backend.ts'

/** Keys of the services whose endpoints a change of a pod may change. */
export function servicesOf({ object, before, deleted }: Change<Pod>, services: Lister<Service>): string[] {
  if (before && !deleted && deepEqual(traits(before), traits(object))) return []
  const keys: string[] = []
  for (const service of services.in(namespaceOf(object))) {
    if (!selectsPods(service)) continue
    if (matchesSelector(service, object) || (before && matchesSelector(service, before))) keys.push(keyOf(service))
  }
  return keys
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
