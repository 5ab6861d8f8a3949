import type { PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { isControlledBy } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

export const finalizer = 'kubernetes.io/pvc-protection'

type Intention = 'add' | 'remove' | 'nothing'

/** Plans the change of the claim's finalizer, given the pods of its namespace. */
export function plan(claim: Frozen<PersistentVolumeClaim>, pods: Iterable<Frozen<Pod>>): Intention {
  const isProtected = claim.metadata.finalizers?.includes(finalizer) === true
  if (claim.metadata.deletionTimestamp === undefined) return isProtected ? 'nothing' : 'add'
  if (!isProtected) return 'nothing'
  for (const pod of pods) if (uses(pod, claim)) return 'nothing'
  return 'remove'
}

/** A scheduled pod uses its claims in any phase; the claims of its ephemeral volumes until it is shut down. */
function uses(pod: Frozen<Pod>, claim: Frozen<PersistentVolumeClaim>): boolean {
  if ((pod.spec.nodeName ?? '') === '') return false
  const { name } = claim.metadata
  return (pod.spec.volumes ?? []).some((volume) => {
    if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName === name
    if (!volume.ephemeral || isShutDown(pod)) return false
    return `${pod.metadata.name}-${volume.name}` === name && isControlledBy(claim, pod)
  })
}

function isShutDown({ metadata }: Frozen<Pod>): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0
}
