import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, validateDns1123Label } from '../../../object/index.ts'
import { checkFormat, checkNoBacksteps, checkPresent } from '../../check.ts'
import { checkDriverName, checkIscsi, checkIscsiSecret, sharedSourceChecks } from '../podspec/volumesources.ts'

type Check<T> = (errors: FieldError[], source: T, path: FieldPath) => void
type Sources = core.PersistentVolumeSpec

/** The rules of every source of a persistent volume, by field name. */
const checks: { readonly [Name in keyof Sources]?: Check<NonNullable<Sources[Name]>> } = {
  ...sharedSourceChecks,
  glusterfs: (errors, source, path) => {
    checkPresent(errors, source.endpoints, path.child('endpoints'))
    checkPresent(errors, source.path, path.child('path'))
    const namespace = source.endpointsNamespace
    if (namespace !== undefined) checkFormat(errors, namespace, path.child('endpointsNamespace'), validateDns1123Label)
  },
  iscsi: (errors, source, path) => {
    checkIscsi(errors, source, path)
    checkIscsiSecret(errors, source, path)
    if (source.secretRef) checkPresent(errors, source.secretRef.name, path.child('secretRef').child('name'))
  },
  cinder: (errors, source, path) => {
    checkPresent(errors, source.volumeID, path.child('volumeID'))
    if (source.secretRef) checkSecret(errors, source.secretRef, path.child('secretRef'))
  },
  azureFile: (errors, source, path) => {
    checkPresent(errors, source.secretName, path.child('secretName'))
    checkPresent(errors, source.shareName, path.child('shareName'))
    if (source.secretNamespace === '') errors.push(fieldErrors.required(path.child('secretNamespace')))
  },
  local: (errors, source, path) => {
    if (checkPresent(errors, source.path, path.child('path'))) checkNoBacksteps(errors, source.path, path.child('path'))
  },
  storageos: (errors, source, path) => {
    checkPresent(errors, source.volumeName, path.child('volumeName'))
  },
  csi: checkCsi,
}

/** In which they are looked at: of two sources the later one is one too many. */
const order = [
  'hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte', 'cephfs',
  'iscsi', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume',
  'azureDisk', 'scaleIO', 'local', 'storageos', 'csi',
] as const satisfies readonly (keyof typeof checks)[] // biome-ignore format: a list of names

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
  return Object.fromEntries(Object.entries(spec).filter(([name]) => order.some((one) => one === name)))
}

/** Exactly one source. */
export function checkPersistentSource(errors: FieldError[], spec: Sources, path: FieldPath): void {
  let count = 0
  for (const name of order) {
    const source = spec[name]
    if (source === undefined) continue
    count++
    if (count > 1) errors.push(fieldErrors.forbidden(path.child(name), 'may not specify more than 1 volume type'))
    // The table pairs each name with the check of that name's type; TypeScript can't follow a computed key.
    else (checks[name] as Check<unknown>)(errors, source, path.child(name))
  }
  if (count === 0) errors.push(fieldErrors.required(path, 'must specify a volume type'))
}
