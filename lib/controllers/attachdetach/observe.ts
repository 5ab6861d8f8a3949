import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import type { CSIDriver, VolumeAttachment } from '../../../api/gen/storage.k8s.io/v1.ts'
import { type Index, isControlledBy, joinKey, type Lister } from '../../controller/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'
import { isTerminal } from '../shared/podstate.ts'

export interface Listers {
  readonly pods: Lister<Pod>
  readonly nodes: Lister<Node>
  readonly claims: Lister<PersistentVolumeClaim>
  readonly volumes: Lister<PersistentVolume>
  readonly attachments: Lister<VolumeAttachment>
  readonly drivers: Lister<CSIDriver>
}

export const managedAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach'
const keepAnnotation = 'volumes.kubernetes.io/keep-terminated-pod-volumes'

/** Pods on a node, by the claims that they use. */
const podsByClaim: Index<Pod> = {
  values: (pod) => ((pod.spec.nodeName ?? '') === '' ? [] : claimKeysOf(pod)),
}

export const podsByNode: Index<Pod> = {
  values: (pod) => ((pod.spec.nodeName ?? '') === '' || !pod.spec.volumes ? [] : [pod.spec.nodeName ?? '']),
}

export const attachmentsByVolume: Index<VolumeAttachment> = {
  values: ({ spec }) => (spec.source.persistentVolumeName === undefined ? [] : [spec.source.persistentVolumeName]),
}

export const attachmentsByNode: Index<VolumeAttachment> = { values: ({ spec }) => [spec.nodeName] }

export function claimKeysOf({ metadata, spec }: Frozen<Pod>): string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claimName = persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined)
    return claimName === undefined ? [] : [joinKey(metadata.namespace ?? '', claimName)]
  })
}

/** The nodes to which the volume should be attached, each with the pods that need it there. */
export function wantedNodes(volume: Frozen<PersistentVolume>, listers: Listers): Map<string, Frozen<Pod>[]> {
  const found = new Map<string, Frozen<Pod>[]>()
  const { csi, claimRef } = volume.spec
  if (!csi || !claimRef || listers.drivers.get(csi.driver)?.spec.attachRequired === false) return found
  const claimKey = joinKey(claimRef.namespace ?? '', claimRef.name ?? '')
  const claim = listers.claims.get(claimKey)
  if (claim?.metadata.uid !== claimRef.uid || claim?.spec.volumeName !== volume.metadata.name) return found
  if (claim?.status.phase !== 'Bound') return found
  for (const pod of listers.pods.by(podsByClaim, claimKey)) {
    const { nodeName = '' } = pod.spec
    const node = listers.nodes.get(nodeName)
    if (node?.metadata.annotations?.[managedAnnotation] === undefined) continue
    if (isOver(pod) && node.metadata.annotations[keepAnnotation] !== 'true') continue
    if (!mayUse(pod, claim)) continue
    const known = found.get(nodeName)
    if (known) known.push(pod)
    else found.set(nodeName, [pod])
  }
  return found
}

/** A claim with the name of an ephemeral volume's claim that was not created for the pod is not the pod's. */
function mayUse(pod: Frozen<Pod>, claim: Frozen<PersistentVolumeClaim>): boolean {
  const { name } = claim.metadata
  const byName = pod.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name)
  return byName === true || isControlledBy(claim, pod as Frozen<ApiObject>)
}

/** Its containers do not run, and never will again. */
function isOver(pod: Frozen<Pod>): boolean {
  if (isTerminal(pod)) return true
  if (pod.metadata.deletionTimestamp === undefined) return false
  const { containerStatuses = [] } = pod.status
  return containerStatuses.every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined)
}
