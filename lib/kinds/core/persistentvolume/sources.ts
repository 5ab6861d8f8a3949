import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkNoBacksteps, checkPresent, checkRequiredFormat } from '../../check.ts'
import { checkedNameOf, surplusNameOf } from '../podspec/volumes.ts'
import {
  badIscsiForm,
  checkDriverName,
  checkIscsi,
  checkIscsiSecret,
  checkStorageOs,
  isPortalTooLong,
  longPortal,
  sharedSourceChecks,
} from '../podspec/volumesources.ts'

/** `name`: the volume's. */
type Check<T> = (errors: FieldError[], source: T, path: FieldPath, name: string) => void
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
  iscsi: (errors, source, path, name) => {
    checkPresent(errors, source.targetPortal, path.child('targetPortal'))
    if (isPortalTooLong(name, source))
      errors.push(fieldErrors.invalid(path.child('targetportal'), source.targetPortal, longPortal))
    checkIscsi(errors, source, path, badIscsiForm)
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
    checkStorageOs(errors, source, path)
    const { secretRef } = source
    if (!secretRef) return
    checkPresent(errors, secretRef.name, path.child('secretRef').child('name'))
    checkPresent(errors, secretRef.namespace, path.child('secretRef').child('namespace'))
  },
  csi: checkCsi,
}

/** The order of the checks: of two sources the later one is reported as surplus. */
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
    if (!secret) continue
    checkRequiredFormat(errors, secret.name, path.child(name).child('name'), validateDns1123Subdomain)
    checkRequiredFormat(errors, secret.namespace, path.child(name).child('namespace'), validateDns1123Label)
  }
}

function checkSecret(errors: FieldError[], secret: core.SecretReference, path: FieldPath): void {
  checkPresent(errors, secret.name, path.child('name'))
  checkPresent(errors, secret.namespace, path.child('namespace'))
}

export function persistentSourcesOf(spec: Sources): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => order.some((one) => one === name)))
}

/** Requires exactly one source. */
export function checkPersistentSource(errors: FieldError[], spec: Sources, volume: string, path: FieldPath): void {
  let count = 0
  for (const name of order) {
    const source = spec[name]
    if (source === undefined) continue
    count++
    // A flexVolume besides others counts without an error of its own, and its fields are checked.
    if (count > 1 && name !== 'flexVolume')
      errors.push(fieldErrors.forbidden(path.child(surplusNameOf(name)), 'may not specify more than 1 volume type'))
    // The table pairs each name with the check of that name's type; TypeScript can't follow a computed key.
    else (checks[name] as Check<unknown>)(errors, source, path.child(checkedNameOf(name)), volume)
  }
  if (count === 0) errors.push(fieldErrors.required(path, 'must specify a volume type'))
}
