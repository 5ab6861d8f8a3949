import type { Pod } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { podsOfClaim } from './plan.ts'

type PodsByName = ReadonlyMap<string, Frozen<Pod> | undefined>

/**
 * The claim's present pods by name. `shown`: the informer's pod of a name; `read`: the server's. The informer may lag
 * where it shows no pod or one of another uid: a new reservation of the scheduler for a new pod must not be dropped.
 */
export async function podsNow(
  claim: Frozen<ResourceClaim>,
  shown: (name: string) => Frozen<Pod> | undefined,
  read: (name: string) => Promise<Frozen<Pod> | undefined>,
): Promise<PodsByName> {
  const known = new Map<string, Frozen<Pod> | undefined>()
  const asked = new Set<string>()
  for (const { name, uid } of podsOfClaim(claim)) {
    if (asked.has(name)) continue
    const pod = shown(name)
    if (pod?.metadata.uid === uid) known.set(name, pod)
    else {
      asked.add(name)
      known.set(name, await read(name))
    }
  }
  return known
}
