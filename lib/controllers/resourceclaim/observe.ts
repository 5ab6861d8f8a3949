import type { Pod } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { podsOfClaim } from './plan.ts'

type PodsByName = ReadonlyMap<string, Frozen<Pod> | undefined>

/**
 * The claim's pods by name, as they are for certain. `shown`: what the informer shows of a name; `read`: what the server
 * says. Where the informer shows no pod or another one, it may be behind: a reservation that the scheduler has just made
 * for a new pod must not be dropped.
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
