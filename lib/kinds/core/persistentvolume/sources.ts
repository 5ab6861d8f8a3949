import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, validateDns1123Label } from '../../../object/index.ts'
import { checkFormat, checkNoBacksteps, checkPresent } from '../../check.ts'
import {
  checkAzureDisk,
  checkDriverName,
  checkFibreChannel,
  checkFlexOptions,
  checkFlocker,
  checkHostPath,
  checkIscsi,
  checkNfs,
  checkPartition,
  checkQuobyte,
} from '../podspec/volumesources.ts'

type Check<T> = (errors: FieldError[], source: T, path: FieldPath) => void
type Sources = core.PersistentVolumeSpec

/** The rules of every source of a persistent volume, by field name, in the order of the checks. */
const checks: { readonly [Name in keyof Sources]?: Check<NonNullable<Sources[Name]>> } = {
  hostPath: checkHostPath,
  gcePersistentDisk: (errors, source, path) => {
    checkPresent(errors, source.pdName, path.child('pdName'))
    checkPartition(errors, source.partition, path)
  },
  awsElasticBlockStore: (errors, source, path) => {
    checkPresent(errors, source.volumeID, path.child('volumeID'))
    checkPartition(errors, source.partition, path)
  },
  glusterfs: (errors, source, path) => {
    checkPresent(errors, source.endpoints, path.child('endpoints'))
    checkPresent(errors, source.path, path.child('path'))
    const namespace = source.endpointsNamespace
    if (namespace !== undefined) checkFormat(errors, namespace, path.child('endpointsNamespace'), validateDns1123Label)
  },
  flocker: checkFlocker,
  nfs: checkNfs,
  rbd: (errors, source, path) => {
    if (!source.monitors?.length) errors.push(fieldErrors.required(path.child('monitors')))
    checkPresent(errors, source.image, path.child('image'))
  },
  quobyte: checkQuobyte,
  cephfs: (errors, source, path) => {
    if (!source.monitors?.length) errors.push(fieldErrors.required(path.child('monitors')))
  },
  iscsi: (errors, source, path) => {
    checkIscsi(errors, source, path)
    if (source.chapAuthDiscovery === true || source.chapAuthSession === true)
      if (source.secretRef === undefined) errors.push(fieldErrors.required(path.child('secretRef')))
    if (source.secretRef) checkPresent(errors, source.secretRef.name, path.child('secretRef').child('name'))
  },
  cinder: (errors, source, path) => {
    checkPresent(errors, source.volumeID, path.child('volumeID'))
    if (source.secretRef) checkSecret(errors, source.secretRef, path.child('secretRef'))
  },
  fc: checkFibreChannel,
  flexVolume: (errors, source, path) => {
    checkPresent(errors, source.driver, path.child('driver'))
    checkFlexOptions(errors, source.options, path.child('options'))
  },
  azureFile: (errors, source, path) => {
    checkPresent(errors, source.secretName, path.child('secretName'))
    checkPresent(errors, source.shareName, path.child('shareName'))
    if (source.secretNamespace === '') errors.push(fieldErrors.required(path.child('secretNamespace')))
  },
  vsphereVolume: (errors, source, path) => void checkPresent(errors, source.volumePath, path.child('volumePath')),
  photonPersistentDisk: (errors, source, path) => void checkPresent(errors, source.pdID, path.child('pdID')),
  portworxVolume: (errors, source, path) => void checkPresent(errors, source.volumeID, path.child('volumeID')),
  azureDisk: checkAzureDisk,
  scaleIO: (errors, source, path) => {
    checkPresent(errors, source.gateway, path.child('gateway'))
    checkPresent(errors, source.system, path.child('system'))
    checkPresent(errors, source.volumeName, path.child('volumeName'))
  },
  local: (errors, source, path) => {
    if (checkPresent(errors, source.path, path.child('path'))) checkNoBacksteps(errors, source.path, path.child('path'))
  },
  storageos: (errors, source, path) => {
    checkPresent(errors, source.volumeName, path.child('volumeName'))
  },
  csi: checkCsi,
}

const secretNames = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const

function checkCsi(errors: FieldError[], source: core.CSIPersistentVolumeSource, path: FieldPath): void {
  checkDriverName(errors, source.driver, path.child('driver'))
  checkPresent(errors, source.volumeHandle, path.child('volumeHandle'))
  for (const name of secretNames) {
    const secret = source[name]
    if (secret) checkSecret(errors, secret, path.child(name))
  }
}

function checkSecret(errors: FieldError[], secret: core.SecretReference, path: FieldPath): void {
  checkPresent(errors, secret.name, path.child('name'))
  checkPresent(errors, secret.namespace, path.child('namespace'))
}

export function persistentSourcesOf(spec: Sources): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => name in checks))
}

/** Exactly one source. */
export function checkPersistentSource(errors: FieldError[], spec: Sources, path: FieldPath): void {
  let count = 0
  for (const [name, check] of Object.entries(checks)) {
    const source = spec[name as keyof Sources]
    if (source === undefined) continue
    count++
    if (count > 1) errors.push(fieldErrors.forbidden(path.child(name), 'may not specify more than 1 volume type'))
    // The table pairs each name with the check of that name's type; TypeScript can't follow a computed key.
    else (check as Check<unknown>)(errors, source, path.child(name))
  }
  if (count === 0) errors.push(fieldErrors.required(path, 'must specify a volume type'))
}
