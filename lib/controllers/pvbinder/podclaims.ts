import type { Pod } from '../../../api/gen/core/v1.ts'
import { type Index, joinKey, keyOf, type Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Volume } from './types.ts'

/** Keys of the claims that the pod uses. */
function claimKeysOf({ metadata, spec }: Frozen<Pod>): string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claimName = persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined)
    return claimName === undefined ? [] : [joinKey(metadata.namespace ?? '', claimName)]
  })
}

/** Pods that wait for a node, by the claims that they use. */
export const unscheduledPods: Index<Pod> = {
  values: (pod) => ((pod.spec.nodeName ?? '') === '' ? claimKeysOf(pod) : []),
}

const podsByClaim: Index<Pod> = { values: claimKeysOf }

/** Pods that have not ended and use the claim that the volume names. */
export function podsUsing({ spec: { claimRef } }: Volume, pods: Lister<Pod>): string[] {
  const claimKey = joinKey(claimRef?.namespace ?? '', claimRef?.name ?? '')
  return pods
    .by(podsByClaim, claimKey)
    .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .map(keyOf)
    .sort()
}
