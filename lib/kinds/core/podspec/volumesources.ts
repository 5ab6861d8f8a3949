import type * as core from '../../../../api/gen/core/v1.ts'
import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import {
  checkFileMode,
  checkFormat,
  checkNoBacksteps,
  checkPresent,
  checkRequiredFormat,
  checkSupported,
} from '../../check.ts'
import { checkConfigMapItems, checkDownwardFiles, checkProjected } from './projections.ts'

type Check<T> = (errors: FieldError[], source: T, path: FieldPath) => void

/** Sources that pods and persistent volumes share, with the same rules for common fields. */
export const sharedSourceChecks = {
  hostPath: checkHostPath,
  gcePersistentDisk: (errors, source: core.GCEPersistentDiskVolumeSource, path) => {
    checkPresent(errors, source.pdName, path.child('pdName'))
    checkPartition(errors, source.partition, path)
  },
  awsElasticBlockStore: (errors, source: core.AWSElasticBlockStoreVolumeSource, path) => {
    checkPresent(errors, source.volumeID, path.child('volumeID'))
    checkPartition(errors, source.partition, path)
  },
  nfs: checkNfs,
  flocker: checkFlocker,
  rbd: (errors, source: Pick<core.RBDVolumeSource, 'monitors' | 'image'>, path) => {
    checkMonitors(errors, source, path)
    checkPresent(errors, source.image, path.child('image'))
  },
  cephfs: checkMonitors,
  quobyte: checkQuobyte,
  fc: checkFibreChannel,
  flexVolume: (errors, source: Pick<core.FlexVolumeSource, 'driver' | 'options'>, path) => {
    checkPresent(errors, source.driver, path.child('driver'))
    checkFlexOptions(errors, source.options, path.child('options'))
  },
  vsphereVolume: (errors, source: core.VsphereVirtualDiskVolumeSource, path) =>
    void checkPresent(errors, source.volumePath, path.child('volumePath')),
  photonPersistentDisk: (errors, source: core.PhotonPersistentDiskVolumeSource, path) =>
    void checkPresent(errors, source.pdID, path.child('pdID')),
  portworxVolume: (errors, source: core.PortworxVolumeSource, path) =>
    void checkPresent(errors, source.volumeID, path.child('volumeID')),
  azureDisk: checkAzureDisk,
  scaleIO: (errors, source: Pick<core.ScaleIOVolumeSource, 'gateway' | 'system' | 'volumeName'>, path) => {
    checkPresent(errors, source.gateway, path.child('gateway'))
    checkPresent(errors, source.system, path.child('system'))
    checkPresent(errors, source.volumeName, path.child('volumeName'))
  },
} as const satisfies Readonly<Record<string, Check<never>>>

function checkMonitors(errors: FieldError[], source: { monitors?: readonly string[] }, path: FieldPath): void {
  if (!source.monitors?.length) errors.push(fieldErrors.required(path.child('monitors')))
}

/** Sessions with authentication need a secret. */
export function checkIscsiSecret(
  errors: FieldError[],
  source: { chapAuthDiscovery?: boolean; chapAuthSession?: boolean; secretRef?: object },
  path: FieldPath,
): void {
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && source.secretRef === undefined)
    errors.push(fieldErrors.required(path.child('secretRef')))
}

/** The rules of every volume source but those that depend on the pod, by field name. */
export const volumeSourceChecks: {
  readonly [Name in keyof core.VolumeSource]?: Check<NonNullable<core.VolumeSource[Name]>>
} = {
  ...sharedSourceChecks,
  emptyDir: (errors, { sizeLimit }, path) => {
    if (sizeLimit !== undefined && compareQuantities(sizeLimit, '0') < 0)
      errors.push(fieldErrors.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'))
  },
  gitRepo: (errors, source, path) => {
    checkPresent(errors, source.repository, path.child('repository'))
    if (source.directory) {
      if (source.directory.startsWith('/'))
        errors.push(fieldErrors.invalid(path.child('directory'), source.directory, 'must be a relative path'))
      checkNoBacksteps(errors, source.directory, path.child('directory'))
    }
  },
  secret: (errors, source, path) => {
    checkPresent(errors, source.secretName, path.child('secretName'))
    checkFileMode(errors, source.defaultMode, path.child('defaultMode'))
    checkConfigMapItems(errors, source.items, path.child('items'))
  },
  iscsi: (errors, source, path) => {
    checkPresent(errors, source.targetPortal, path.child('targetPortal'))
    checkIscsi(errors, source, path, badIscsiStart)
    checkIscsiSecret(errors, source, path)
  },
  glusterfs: (errors, source, path) => {
    checkPresent(errors, source.endpoints, path.child('endpoints'))
    checkPresent(errors, source.path, path.child('path'))
  },
  persistentVolumeClaim: (errors, source, path) => void checkPresent(errors, source.claimName, path.child('claimName')),
  cinder: (errors, source, path) => {
    checkPresent(errors, source.volumeID, path.child('volumeID'))
    if (source.secretRef) checkPresent(errors, source.secretRef.name, path.child('secretRef').child('name'))
  },
  downwardAPI: (errors, source, path) => {
    checkFileMode(errors, source.defaultMode, path.child('defaultMode'))
    checkDownwardFiles(errors, source.items, path)
  },
  configMap: (errors, source, path) => {
    checkPresent(errors, source.name, path.child('name'))
    checkFileMode(errors, source.defaultMode, path.child('defaultMode'))
    checkConfigMapItems(errors, source.items, path.child('items'))
  },
  azureFile: (errors, source, path) => {
    checkPresent(errors, source.secretName, path.child('secretName'))
    checkPresent(errors, source.shareName, path.child('shareName'))
  },
  storageos: (errors, source, path) => {
    checkStorageOs(errors, source, path)
    if (source.secretRef) checkPresent(errors, source.secretRef.name, path.child('secretRef').child('name'))
  },
  projected: checkProjected,
  csi: (errors, source, path) => {
    checkDriverName(errors, source.driver, path.child('driver'))
    const secret = source.nodePublishSecretRef
    if (!secret) return
    const name = path.child('nodePublishSecretRef').child('name')
    if (checkPresent(errors, secret.name, name))
      checkFormat(errors, secret.name, path.child('name'), validateDns1123Subdomain)
  },
  image: (errors, source, path) => {
    checkPresent(errors, source.reference, path.child('reference'))
    if (source.pullPolicy !== undefined && source.pullPolicy !== '')
      checkSupported(errors, source.pullPolicy, path.child('pullPolicy'), ['Always', 'IfNotPresent', 'Never'])
  },
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

function checkHostPath(errors: FieldError[], source: core.HostPathVolumeSource, path: FieldPath): void {
  if (!checkPresent(errors, source.path, path.child('path'))) return
  checkNoBacksteps(errors, source.path, path.child('path'))
  if (source.type !== undefined) checkSupported(errors, source.type, path.child('type'), hostPathTypes)
}

function checkPartition(errors: FieldError[], partition: number | undefined, path: FieldPath): void {
  if (partition !== undefined && (partition < 0 || partition > 255))
    errors.push(fieldErrors.invalid(path.child('partition'), partition, 'must be between 0 and 255, inclusive'))
}

function checkNfs(errors: FieldError[], source: core.NFSVolumeSource, path: FieldPath): void {
  checkPresent(errors, source.server, path.child('server'))
  checkPresent(errors, source.path, path.child('path'))
  if (!source.path.startsWith('/'))
    errors.push(fieldErrors.invalid(path.child('path'), source.path, 'must be an absolute path'))
}

const initiatorStart = /^(iqn|eui|naa)/
const iqnForm = /^iqn\.\d{4}-\d{2}\.([a-z0-9_-]+\.)*[a-z0-9_-]+(:[^,;*&$|\s]+)$/i
const euiForm = /^eui\.[a-z0-9]{16}$/i
const naaForm = /^naa\.[a-z0-9]{32}$/i

interface IscsiSource {
  readonly targetPortal?: string
  readonly iqn?: string
  readonly lun?: number
  readonly initiatorName?: string
}

const badIscsiStart = 'must be valid format starting with iqn, eui, or naa'
export const badIscsiForm = 'must be valid format'

/**
 * The names of both ends of an iSCSI session, in their three standard forms (RFC 3720 section 3.2.6.3). `badStart`: the
 * error for a name with another beginning.
 */
export function checkIscsi(errors: FieldError[], source: IscsiSource, path: FieldPath, badStart: string): void {
  if (checkPresent(errors, source.iqn, path.child('iqn')))
    checkIscsiName(errors, source.iqn, path.child('iqn'), badStart)
  if (source.lun !== undefined && (source.lun < 0 || source.lun > 255))
    errors.push(fieldErrors.invalid(path.child('lun'), source.lun, 'must be between 0 and 255, inclusive'))
  if (source.initiatorName !== undefined)
    checkIscsiName(errors, source.initiatorName, path.child('initiatorname'), badStart)
}

function checkIscsiName(errors: FieldError[], name: string, path: FieldPath, badStart: string): void {
  if (!initiatorStart.test(name)) errors.push(fieldErrors.invalid(path, name, badStart))
  else if (!iqnForm.test(name) && !euiForm.test(name) && !naaForm.test(name))
    errors.push(fieldErrors.invalid(path, name, badIscsiForm))
}

export const longPortal =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

/** The kubelet names the session's interface after both. */
export function isPortalTooLong(volume: string, { targetPortal = '', initiatorName }: IscsiSource): boolean {
  return initiatorName !== undefined && Buffer.byteLength(`${volume}:${targetPortal}`) > 64
}

function checkFlocker(errors: FieldError[], source: core.FlockerVolumeSource, path: FieldPath): void {
  const { datasetName, datasetUUID } = source
  if (!datasetName && !datasetUUID)
    errors.push(fieldErrors.required(path, 'one of datasetName and datasetUUID is required'))
  if (datasetName && datasetUUID)
    errors.push(
      fieldErrors.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    )
  if (datasetName?.includes('/'))
    errors.push(fieldErrors.invalid(path.child('datasetName'), datasetName, "must not contain '/'"))
}

const registryText = 'must be a host:port pair or multiple pairs separated by commas'

function checkQuobyte(errors: FieldError[], source: core.QuobyteVolumeSource, path: FieldPath): void {
  const registry = path.child('registry')
  if (!source.registry) errors.push(fieldErrors.required(registry, registryText))
  else if (source.tenant && source.tenant.length >= 65)
    errors.push(
      fieldErrors.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'),
    )
  else
    for (const pair of source.registry.split(','))
      if (!/^(\[[^\]]*\]|[^:[\]]*):[^:]*$/.test(pair))
        errors.push(fieldErrors.invalid(registry, source.registry, registryText))
  checkPresent(errors, source.volume, path.child('volume'))
}

function checkFibreChannel(errors: FieldError[], source: core.FCVolumeSource, path: FieldPath): void {
  const names = path.child('targetWWNs')
  const hasNames = (source.targetWWNs?.length ?? 0) > 0
  const hasIds = (source.wwids?.length ?? 0) > 0
  if (!hasNames && !hasIds)
    errors.push(fieldErrors.required(names, 'must specify either targetWWNs or wwids, but not both'))
  if (hasNames && hasIds)
    errors.push(
      fieldErrors.invalid(names, source.targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'),
    )
  if (!hasNames) return
  if (source.lun === undefined)
    errors.push(fieldErrors.required(path.child('lun'), 'lun is required if targetWWNs is specified'))
  else if (source.lun < 0 || source.lun > 255)
    errors.push(fieldErrors.invalid(path.child('lun'), source.lun, 'must be between 0 and 255, inclusive'))
}

/** Options that the kubelet sets itself must not be set. */
function checkFlexOptions(
  errors: FieldError[],
  options: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): void {
  for (const key of Object.keys(options ?? {})) {
    const domain = key.slice(0, Math.max(key.indexOf('/'), 0))
    if (/(^|\.)(kubernetes\.io|k8s\.io)$/.test(domain))
      errors.push(fieldErrors.invalid(path.key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'))
  }
}

function checkAzureDisk(errors: FieldError[], source: core.AzureDiskVolumeSource, path: FieldPath): void {
  checkPresent(errors, source.diskName, path.child('diskName'))
  checkPresent(errors, source.diskURI, path.child('diskURI'))
  if (source.cachingMode !== undefined)
    checkSupported(errors, source.cachingMode, path.child('cachingMode'), ['None', 'ReadOnly', 'ReadWrite'])
  if (source.kind !== undefined)
    checkSupported(errors, source.kind, path.child('kind'), ['Dedicated', 'Managed', 'Shared'])
  const { kind, diskURI } = source
  if (kind === undefined) return
  const isManaged = kind === 'Managed'
  if (isManaged ? !/^\/subscriptions\//i.test(diskURI) : !diskURI.startsWith('https://'))
    errors.push(fieldErrors.notSupported(path.child('diskURI'), diskURI, [isManaged ? managedDiskForm : blobForm]))
}

const managedDiskForm =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobForm = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

export function checkStorageOs(
  errors: FieldError[],
  source: Pick<core.StorageOSVolumeSource, 'volumeName' | 'volumeNamespace'>,
  path: FieldPath,
): void {
  checkRequiredFormat(errors, source.volumeName, path.child('volumeName'), validateDns1123Label)
  if (source.volumeNamespace)
    checkFormat(errors, source.volumeNamespace, path.child('volumeNamespace'), validateDns1123Label)
}

/** Names of drivers: up to 63 characters in the form of a domain name. */
export function checkDriverName(errors: FieldError[], name: string | undefined, path: FieldPath): void {
  if (!checkPresent(errors, name, path)) return
  if (name.length > 63) errors.push(fieldErrors.tooLong(path, 63))
  checkFormat(errors, name, path, (given) => validateDns1123Subdomain(given.toLowerCase()))
}
