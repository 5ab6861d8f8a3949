import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import { compareQuantities, type Frozen } from '../../object/index.ts'

export const resizerAnnotation = 'volume.kubernetes.io/storage-resizer'

export interface Plan {
  readonly type: 'Normal' | 'Warning'
  readonly message: string
  /** The driver to be named in the claim. */
  readonly resizer?: string
}

/** Volume sources of former in-tree plugins: the plugin's name, and the driver's. */
const migrated = [
  ['awsElasticBlockStore', 'kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['azureDisk', 'kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['azureFile', 'kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['cinder', 'kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['gcePersistentDisk', 'kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['portworxVolume', 'kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['vsphereVolume', 'kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
] as const

/** A bound claim requests more than its capacity. */
export function grows({ spec, status }: Frozen<PersistentVolumeClaim>): boolean {
  if (status.phase !== 'Bound') return false
  const [wanted, had] = [spec.resources.requests?.['storage'], status.capacity?.['storage']]
  return wanted !== undefined && had !== undefined && compareQuantities(wanted, had) > 0
}

/** Undefined: nothing to record. */
export function plan(
  claim: Frozen<PersistentVolumeClaim>,
  volume: Frozen<PersistentVolume> | undefined,
): Plan | undefined {
  if (!volume || !grows(claim) || volume.spec.claimRef?.uid !== claim.metadata.uid) return undefined
  for (const [source, plugin, resizer] of migrated) {
    if (volume.spec[source] === undefined) continue
    const message = `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`
    const isNamed = claim.metadata.annotations?.[resizerAnnotation] === resizer
    return { type: 'Normal', message, resizer: isNamed ? undefined : resizer }
  }
  const type = volume.spec.csi || volume.spec.flexVolume ? 'Normal' : 'Warning'
  return { type, message: 'waiting for an external controller to expand this PVC' }
}
