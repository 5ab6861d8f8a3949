import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import type { StorageClass } from '../../../api/gen/storage.k8s.io/v1.ts'
import { compareQuantities, type Frozen, parseDurationMs, parseTime } from '../../object/index.ts'
import { annotationPrefix } from '../pods/behaviour.ts'

/** The name of the driver, as storage classes call it. */
export const driverName = 'volumes.hollow.pilothouse'

const provisionerAnnotation = 'volume.kubernetes.io/storage-provisioner'
const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node'
const provisionedByAnnotation = 'pv.kubernetes.io/provisioned-by'
const delayAnnotation = `${annotationPrefix}provision-delay`
const failureAnnotation = `${annotationPrefix}provision-failure`

/** The driver's next step for a claim. */
export type ClaimStep =
  | { readonly do: 'provision'; readonly volume: PersistentVolume }
  | { readonly do: 'expand'; readonly volume: Frozen<PersistentVolume>; readonly size: string }
  | { readonly do: 'fail'; readonly message: string }
  | { readonly do: 'wait'; readonly untilMs: number }
  | undefined

interface Seen {
  readonly claim: Frozen<PersistentVolumeClaim>
  readonly storageClass: Frozen<StorageClass> | undefined
  /** The volume of a bound claim. */
  readonly volume: Frozen<PersistentVolume> | undefined
  readonly nowMs: number
}

export function planClaim({ claim, storageClass, volume, nowMs }: Seen): ClaimStep {
  const { metadata, spec, status } = claim
  if (metadata.deletionTimestamp !== undefined) return undefined
  const wanted = spec.resources.requests?.['storage'] ?? '0'
  if (spec.volumeName) {
    if (volume?.spec.csi?.driver !== driverName || status.phase !== 'Bound') return undefined
    const isLarger = compareQuantities(wanted, status.capacity?.['storage'] ?? '0') > 0
    return isLarger ? { do: 'expand', volume, size: wanted } : undefined
  }
  const { annotations = {} } = metadata
  if (annotations[provisionerAnnotation] !== driverName || storageClass?.provisioner !== driverName) return undefined
  const isDelayed = storageClass.volumeBindingMode === 'WaitForFirstConsumer'
  if (isDelayed && annotations[selectedNodeAnnotation] === undefined) return undefined
  const failure = annotations[failureAnnotation]
  if (failure !== undefined) return { do: 'fail', message: `failed to provision volume: ${failure}` }
  const unknown = spec.dataSource ?? spec.dataSourceRef
  if (unknown) return { do: 'fail', message: `failed to provision volume: volumes are not made of a ${unknown.kind}` }
  const untilMs = delayOf(annotations[delayAnnotation], metadata.creationTimestamp)
  if (untilMs > nowMs) return { do: 'wait', untilMs }
  return { do: 'provision', volume: volumeFor(claim, storageClass, wanted) }
}

/** A volume of the driver whose claim is gone, and that is not kept. */
export function isReleased({ metadata, spec, status }: Frozen<PersistentVolume>): boolean {
  return (
    spec.csi?.driver === driverName &&
    metadata.annotations?.[provisionedByAnnotation] === driverName &&
    metadata.deletionTimestamp === undefined &&
    spec.persistentVolumeReclaimPolicy === 'Delete' &&
    status.phase === 'Released'
  )
}

/** The end of a delay since the claim was made; a text that is no duration delays nothing. */
function delayOf(text: string | undefined, since: string | undefined): number {
  if (text === undefined || since === undefined) return 0
  try {
    return parseTime(since) + parseDurationMs(text)
  } catch {
    return 0
  }
}

function volumeFor(
  { metadata, spec }: Frozen<PersistentVolumeClaim>,
  { metadata: { name: storageClassName = '' }, reclaimPolicy = 'Delete', mountOptions = [] }: Frozen<StorageClass>,
  size: string,
): PersistentVolume {
  const { namespace, name, uid = '' } = metadata
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedByAnnotation]: driverName } },
    spec: {
      capacity: { storage: size },
      accessModes: [...(spec.accessModes ?? [])],
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      csi: { driver: driverName, volumeHandle: uid },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName,
      volumeMode: spec.volumeMode ?? 'Filesystem',
      ...(mountOptions.length === 0 ? {} : { mountOptions: [...mountOptions] }),
    },
    status: {},
  }
}
