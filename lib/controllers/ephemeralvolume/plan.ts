import type { PersistentVolumeClaim, Pod, Volume } from '../../../api/gen/core/v1.ts'
import { controllerReference, joinKey, keyOf, namespaceOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

export function ephemeralVolumesOf({ spec }: Frozen<Pod>): readonly Frozen<Volume>[] {
  return (spec.volumes ?? []).filter(({ ephemeral }) => ephemeral?.volumeClaimTemplate !== undefined)
}

export function claimNameOf({ metadata }: Frozen<Pod>, { name }: Frozen<Volume>): string {
  return `${metadata.name}-${name}`
}

export function claimFor(pod: Frozen<Pod>, volume: Frozen<Volume>): Frozen<PersistentVolumeClaim> {
  const { metadata = {}, spec } = volume.ephemeral?.volumeClaimTemplate ?? {}
  const { labels, annotations } = metadata
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      namespace: namespaceOf(pod),
      name: claimNameOf(pod, volume),
      labels,
      annotations,
      ownerReferences: [controllerReference(pod)],
    },
    spec: spec ?? { resources: {} },
    status: {},
  }
}

export function notOwned(pod: Frozen<Pod>, volume: Frozen<Volume>): string {
  const claim = joinKey(namespaceOf(pod), claimNameOf(pod, volume))
  return `PVC ${claim} was not created for pod ${keyOf(pod)} (pod is not owner)`
}
