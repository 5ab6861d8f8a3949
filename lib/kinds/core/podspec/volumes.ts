import type * as core from '../../../../api/gen/core/v1.ts'
import { appendAll } from '../../../base/index.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type ObjectMeta,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent } from '../../check.ts'
import { checkClaimSpec } from '../persistentvolumeclaim/spec.ts'
import { isPortalTooLong, longPortal, volumeSourceChecks } from './volumesources.ts'

/** Volumes of a pod by name, for the rules of their mounts. */
export type VolumesByName = ReadonlyMap<string, core.Volume>

/** `meta`: the pod's, whose name is the prefix of ephemeral claims' names; undefined in a template. */
export function checkVolumes(
  errors: FieldError[],
  volumes: readonly core.Volume[] | undefined,
  meta: ObjectMeta | undefined,
  path: FieldPath,
): VolumesByName {
  const byName = new Map<string, core.Volume>()
  const ephemeralClaims = new Set<string>()
  for (const volume of volumes ?? [])
    if (volume.ephemeral && meta?.name) ephemeralClaims.add(`${meta.name}-${volume.name}`)
  volumes?.forEach((volume, index) => {
    const at = path.index(index)
    const found: FieldError[] = []
    checkSource(found, volume, meta, at)
    const name = at.child('name')
    if (checkPresent(found, volume.name, name)) {
      checkFormat(found, volume.name, name, validateDns1123Label)
      if (byName.has(volume.name)) found.push(fieldErrors.duplicate(name, volume.name))
    }
    if (found.length === 0) byName.set(volume.name, volume)
    else appendAll(errors, found)
    const claim = volume.persistentVolumeClaim?.claimName
    if (claim !== undefined && ephemeralClaims.has(claim))
      errors.push(
        fieldErrors.invalid(
          at.child('persistentVolumeClaim').child('claimName'),
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      )
  })
  return byName
}

/** Field names of volume sources in the order in which a second one is reported. */
const sourceNames = [
  'emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi', 'glusterfs',
  'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc', 'flexVolume',
  'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'storageos',
  'projected', 'scaleIO', 'csi', 'ephemeral', 'image',
] as const // biome-ignore format: a list of names

/** Names in error paths that differ from the field's name: for a surplus source, and for the checks of a source. */
const surplusNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }
const checkedNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' }

export const surplusNameOf = (source: string): string => surplusNames[source] ?? source
export const checkedNameOf = (source: string): string => checkedNames[source] ?? source

/** The context that the checks of some sources need: the volume's name, its path, and the pod's metadata. */
interface SourceContext {
  readonly volume: string
  readonly pod: ObjectMeta | undefined
  readonly path: FieldPath
}

type SourceCheck = (errors: FieldError[], source: unknown, path: FieldPath, around: SourceContext) => void

const sourceChecks = { ...volumeSourceChecks, ephemeral: checkEphemeral }

function checkSource(errors: FieldError[], volume: core.Volume, pod: ObjectMeta | undefined, path: FieldPath): void {
  const around: SourceContext = { volume: volume.name, pod, path }
  let count = 0
  for (const name of sourceNames) {
    const source = volume[name]
    if (source === undefined) continue
    count++
    if (count > 1)
      errors.push(fieldErrors.forbidden(path.child(surplusNameOf(name)), 'may not specify more than 1 volume type'))
    // The table pairs each name with the check of that name's type; TypeScript can't follow a computed key.
    else (sourceChecks[name] as SourceCheck | undefined)?.(errors, source, path.child(checkedNameOf(name)), around)
    // Checked even with other sources.
    if (volume.iscsi && name === 'iscsi' && isPortalTooLong(volume.name, volume.iscsi))
      errors.push(fieldErrors.invalid(path.child('name'), volume.name, longPortal))
  }
  if (count === 0) errors.push(fieldErrors.required(path, 'must specify a volume type'))
}

function checkEphemeral(
  errors: FieldError[],
  { volumeClaimTemplate: template }: core.EphemeralVolumeSource,
  at: FieldPath,
  { volume, pod, path }: SourceContext,
): void {
  if (!template) errors.push(fieldErrors.required(at.child('volumeClaimTemplate')))
  else checkClaimSpec(errors, template.spec ?? {}, at.child('volumeClaimTemplate').child('spec'))
  if (!pod?.name || !volume) return
  const claim = `${pod.name}-${volume}`
  for (const finding of validateDns1123Subdomain(claim))
    errors.push(fieldErrors.invalid(path.child('name'), volume, `PVC name "${claim}": ${finding}`))
}

/** Checks volume mounts of one container. Errors of mount propagation are reported at the list, as clients know it. */
export function checkVolumeMounts(
  errors: FieldError[],
  mounts: readonly core.VolumeMount[] | undefined,
  container: core.Container | core.EphemeralContainer,
  volumes: VolumesByName,
  path: FieldPath,
): void {
  const paths = new Set<string>()
  const devices = new Set(container.volumeDevices?.map((device) => device.name))
  const devicePaths = new Set(container.volumeDevices?.map((device) => device.devicePath))
  mounts?.forEach((mount, index) => {
    const at = path.index(index)
    const name = at.child('name')
    checkPresent(errors, mount.name, name)
    if (!volumes.has(mount.name)) errors.push(fieldErrors.notFound(name, mount.name))
    const mountPath = at.child('mountPath')
    checkPresent(errors, mount.mountPath, mountPath)
    if (paths.has(mount.mountPath)) errors.push(fieldErrors.invalid(mountPath, mount.mountPath, 'must be unique'))
    paths.add(mount.mountPath)
    if (devices.has(mount.name))
      errors.push(fieldErrors.invalid(name, mount.name, 'must not already exist in volumeDevices'))
    if (devicePaths.has(mount.mountPath))
      errors.push(fieldErrors.invalid(mountPath, mount.mountPath, 'must not already exist as a path in volumeDevices'))
    if (mount.subPath) checkSubPath(errors, mount.subPath, at.child('subPath'))
    if (mount.subPathExpr) {
      if (mount.subPath)
        errors.push(
          fieldErrors.invalid(
            at.child('subPathExpr'),
            mount.subPathExpr,
            'subPathExpr and subPath are mutually exclusive',
          ),
        )
      checkSubPath(errors, mount.subPathExpr, at.child('subPathExpr'))
    }
    if (mount.mountPropagation !== undefined) checkPropagation(errors, mount, container, path.child('mountPropagation'))
    if (mount.recursiveReadOnly !== undefined) checkRecursiveReadOnly(errors, mount, path.child('recursiveReadOnly'))
  })
}

function checkSubPath(errors: FieldError[], value: string, path: FieldPath): void {
  if (value.startsWith('/')) errors.push(fieldErrors.invalid(path, value, 'must be a relative path'))
  if (value.split('/').includes('..')) errors.push(fieldErrors.invalid(path, value, "must not contain '..'"))
}

function checkPropagation(
  errors: FieldError[],
  mount: core.VolumeMount,
  container: core.Container | core.EphemeralContainer,
  path: FieldPath,
): void {
  const supported = ['Bidirectional', 'HostToContainer', 'None']
  const value = mount.mountPropagation ?? ''
  if (!supported.includes(value)) errors.push(fieldErrors.notSupported(path, value, supported))
  if (value === 'Bidirectional' && container.securityContext?.privileged !== true)
    errors.push(
      fieldErrors.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'),
    )
}

function checkRecursiveReadOnly(errors: FieldError[], mount: core.VolumeMount, path: FieldPath): void {
  const value = mount.recursiveReadOnly ?? ''
  if (value === 'Disabled') return
  if (value !== 'Enabled' && value !== 'IfPossible') {
    errors.push(fieldErrors.notSupported(path, value, ['Disabled', 'Enabled', 'IfPossible']))
    return
  }
  if (mount.readOnly !== true) errors.push(fieldErrors.forbidden(path, 'may only be specified when readOnly is true'))
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== 'None')
    errors.push(fieldErrors.forbidden(path, 'may only be specified when mountPropagation is None or not specified'))
}

/** Checks raw block devices of one container. */
export function checkVolumeDevices(
  errors: FieldError[],
  devices: readonly core.VolumeDevice[] | undefined,
  container: core.Container | core.EphemeralContainer,
  volumes: VolumesByName,
  path: FieldPath,
): void {
  const names = new Set<string>()
  const paths = new Set<string>()
  const mounts = new Set(container.volumeMounts?.map((mount) => mount.name))
  const mountPaths = new Set(container.volumeMounts?.map((mount) => mount.mountPath))
  devices?.forEach((device, index) => {
    const at = path.index(index)
    const name = at.child('name')
    const devicePath = at.child('devicePath')
    checkPresent(errors, device.name, name)
    if (names.has(device.name)) errors.push(fieldErrors.invalid(name, device.name, 'must be unique'))
    const volume = volumes.get(device.name)
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      errors.push(fieldErrors.invalid(name, device.name, why))
    }
    if (!volume) errors.push(fieldErrors.notFound(name, device.name))
    checkPresent(errors, device.devicePath, devicePath)
    if (paths.has(device.devicePath)) errors.push(fieldErrors.invalid(devicePath, device.devicePath, 'must be unique'))
    if (device.devicePath?.split('/').includes('..'))
      errors.push(fieldErrors.invalid(devicePath, device.devicePath, "can not contain backsteps ('..')"))
    else paths.add(device.devicePath)
    if (mounts.has(device.name))
      errors.push(fieldErrors.invalid(name, device.name, 'must not already exist in volumeMounts'))
    if (mountPaths.has(device.devicePath))
      errors.push(
        fieldErrors.invalid(devicePath, device.devicePath, 'must not already exist as a path in volumeMounts'),
      )
    if (device.name) names.add(device.name)
  })
}
