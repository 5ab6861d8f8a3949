import { annotated, annotations, type Claim, type Volume } from './types.ts'

/** The former in-tree volume plugins, and the CSI drivers that replace them. */
const drivers = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
])

const formerFinalizer = 'kubernetes.io/pv-controller'

export function driverFor(plugin: string): string | undefined {
  return drivers.get(plugin)
}

/** The volume with an annotation of the driver that replaces its plugin. Undefined: it needs no change. */
export function migratedVolume(volume: Volume): Volume | undefined {
  const changed = withDriver(volume, volume.metadata.annotations?.[annotations.provisionedBy])
  const { finalizers = [] } = volume.metadata
  if (!changed?.driver || !finalizers.includes(formerFinalizer)) return changed?.object
  const kept = finalizers.filter((each) => each !== formerFinalizer)
  const { object } = changed
  return { ...object, metadata: { ...object.metadata, finalizers: kept } }
}

export function migratedClaim(claim: Claim): Claim | undefined {
  const { [annotations.provisioner]: provisioner, [annotations.betaProvisioner]: beta } =
    claim.metadata.annotations ?? {}
  return withDriver(claim, provisioner ?? beta)?.object
}

function withDriver<T extends Volume | Claim>(
  object: T,
  plugin: string | undefined,
): { readonly object: T; readonly driver: string | undefined } | undefined {
  if (plugin === undefined) return undefined
  const driver = drivers.get(plugin)
  if (object.metadata.annotations?.[annotations.migratedTo] === driver) return undefined
  return { object: annotated(object, { [annotations.migratedTo]: driver }), driver }
}
