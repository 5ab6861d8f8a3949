import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
  validateSignerName,
} from '../../../object/index.ts'
import { podCertificateSeconds } from '../../certificates/podcertificaterequest/validate.ts'
import { isKubernetesSigner } from '../../certificates/signers.ts'
import { checkFileMode, checkPresent, checkProjectedPath, checkRequiredFormat, checkSupported } from '../../check.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { checkUserAnnotations } from '../../meta/userannotations.ts'
import { checkFieldRef, checkResourceFieldRef } from './fieldrefs.ts'

/** Items of a config map or secret that become files. */
export function checkConfigMapItems(
  errors: FieldError[],
  items: readonly core.KeyToPath[] | undefined,
  path: FieldPath,
): void {
  items?.forEach((item, index) => {
    const at = path.index(index)
    checkPresent(errors, item.key, at.child('key'))
    if (checkPresent(errors, item.path, at.child('path'))) checkProjectedPath(errors, item.path, at.child('path'))
    checkFileMode(errors, item.mode, at.child('mode'))
  })
}

const volumeFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid']

export function checkDownwardFiles(
  errors: FieldError[],
  files: readonly core.DownwardAPIVolumeFile[] | undefined,
  path: FieldPath,
): void {
  files?.forEach((file) => checkDownwardFile(errors, file, path))
}

/** Errors are reported at the volume, not at the file, as clients know them. */
function checkDownwardFile(errors: FieldError[], file: core.DownwardAPIVolumeFile, path: FieldPath): void {
  if (checkPresent(errors, file.path, path.child('path'))) checkProjectedPath(errors, file.path, path.child('path'))
  if (file.fieldRef) {
    checkFieldRef(errors, file.fieldRef, volumeFields, path.child('fieldRef'))
    if (file.resourceFieldRef)
      errors.push(
        fieldErrors.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      )
  } else if (file.resourceFieldRef)
    checkResourceFieldRef(errors, file.resourceFieldRef, path.child('resourceFieldRef'), true)
  else errors.push(fieldErrors.required(path, 'one of fieldRef and resourceFieldRef is required'))
  checkFileMode(errors, file.mode, path.child('mode'))
}

export function checkProjected(errors: FieldError[], source: core.ProjectedVolumeSource, path: FieldPath): void {
  checkFileMode(errors, source.defaultMode, path.child('defaultMode'))
  const paths = new Set<string>()
  source.sources?.forEach((projection, index) => {
    const at = path.child('sources').index(index)
    let count = 0
    for (const [name, check] of Object.entries(projectionChecks)) {
      const value = projection[name as keyof core.VolumeProjection]
      if (value === undefined) continue
      count++
      check(errors, value, at.child(name), paths, path)
    }
    if (count > 1) errors.push(fieldErrors.forbidden(at, 'may not specify more than 1 volume type per source'))
  })
}

type ProjectionCheck = (
  errors: FieldError[],
  projection: never,
  path: FieldPath,
  paths: Set<string>,
  volume: FieldPath,
) => void

/** `paths` collects the projected paths of all sources of a volume, to find conflicts. */
const projectionChecks = {
  secret: (errors, projection: core.SecretProjection, path, paths, volume) =>
    checkItems(errors, projection, path, paths, volume),
  configMap: (errors, projection: core.ConfigMapProjection, path, paths, volume) =>
    checkItems(errors, projection, path, paths, volume),
  downwardAPI: (errors, projection: core.DownwardAPIProjection, path, paths, volume) => {
    checkDownwardFiles(errors, projection.items, path)
    for (const { path: file } of projection.items ?? []) claimPath(errors, file, file, volume, paths)
  },
  serviceAccountToken: (errors, projection: core.ServiceAccountTokenProjection, path, paths, volume) => {
    const seconds = projection.expirationSeconds
    const at = path.child('expirationSeconds')
    if (seconds !== undefined && seconds < 600)
      errors.push(fieldErrors.invalid(at, seconds, 'may not specify a duration less than 10 minutes'))
    if (seconds !== undefined && seconds > 2 ** 32)
      errors.push(fieldErrors.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'))
    // A missing path is reported at the volume, as clients know it.
    if (checkPresent(errors, projection.path, volume.child('path'))) {
      checkProjectedPath(errors, projection.path, path.child('path'))
      claimPath(errors, projection.path, projection.path, volume, paths)
    }
  },
  clusterTrustBundle: (errors, projection: core.ClusterTrustBundleProjection, path, paths, volume) => {
    checkTrustBundle(errors, projection, path)
    if (checkPresent(errors, projection.path, path.child('path'))) {
      checkProjectedPath(errors, projection.path, path.child('path'))
      claimPath(errors, projection.path, projection.path, volume, paths)
    }
  },
  podCertificate: (errors, projection: core.PodCertificateProjection, path, paths, volume) => {
    checkPodCertificate(errors, projection, path)
    for (const name of ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const) {
      const file = projection[name] ?? ''
      if (file === '') continue
      checkProjectedPath(errors, file, path.child(name))
      claimPath(errors, file, file, volume, paths)
    }
  },
} satisfies { readonly [Name in keyof core.VolumeProjection]?: ProjectionCheck } as Readonly<
  Record<
    string,
    (errors: FieldError[], projection: unknown, path: FieldPath, paths: Set<string>, volume: FieldPath) => void
  >
>

function checkItems(
  errors: FieldError[],
  projection: { name?: string; items?: readonly core.KeyToPath[] },
  path: FieldPath,
  paths: Set<string>,
  volume: FieldPath,
): void {
  checkPresent(errors, projection.name, path.child('name'))
  checkConfigMapItems(errors, projection.items, path.child('items'))
  for (const item of projection.items ?? []) claimPath(errors, item.path, projection.name, volume, paths)
}

/** A file of two sources is reported at the volume; `shown` describes the second one. */
function claimPath(
  errors: FieldError[],
  file: string | undefined,
  shown: string | undefined,
  volume: FieldPath,
  paths: Set<string>,
): void {
  if (file === undefined || file === '') return
  if (paths.has(file)) errors.push(fieldErrors.invalid(volume, shown ?? '', 'conflicting duplicate paths'))
  else paths.add(file)
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']

function checkPodCertificate(errors: FieldError[], projection: core.PodCertificateProjection, path: FieldPath): void {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds, userAnnotations } = projection
  checkRequiredFormat(errors, signerName, path.child('signerName'), validateSignerName)
  checkSupported(errors, keyType, path.child('keyType'), keyTypes)
  if (seconds !== undefined) {
    const { min, max, kubernetesMax } = podCertificateSeconds
    const most = isKubernetesSigner(signerName) ? kubernetesMax : max
    const invalid = (limit: string): unknown =>
      errors.push(
        fieldErrors.invalid(
          path.child('maxExpirationSeconds'),
          seconds,
          `if provided, maxExpirationSeconds must be ${limit}`,
        ),
      )
    if (seconds < min) invalid(`>= ${min}`)
    else if (seconds > most) invalid(`<= ${most}`)
  }
  if (!projection.credentialBundlePath && !projection.keyPath && !projection.certificateChainPath) {
    const why = 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'
    errors.push(fieldErrors.required(path, why))
  }
  if (userAnnotations) checkUserAnnotations(errors, userAnnotations, path.child('userAnnotations'))
}

function checkTrustBundle(errors: FieldError[], projection: core.ClusterTrustBundleProjection, path: FieldPath): void {
  const { name, signerName, labelSelector } = projection
  if (name !== undefined && signerName !== undefined)
    errors.push(fieldErrors.invalid(path, projection, 'only one of name and signerName may be used'))
  else if (name !== undefined) {
    if (name === '') errors.push(fieldErrors.required(path.child('name'), 'must be a valid object name'))
    const stem = name.slice(name.lastIndexOf(':') + 1)
    for (const finding of validateDns1123Subdomain(stem))
      errors.push(fieldErrors.invalid(path.child('name'), name, `not a valid clustertrustbundlename: ${finding}`))
    if (labelSelector !== undefined)
      errors.push(
        fieldErrors.invalid(
          path.child('labelSelector'),
          labelSelector,
          'labelSelector must be unset if name is specified',
        ),
      )
  } else if (signerName !== undefined) {
    if (signerName === '') errors.push(fieldErrors.required(path.child('signerName'), 'must be a valid signer name'))
    for (const finding of validateSignerName(signerName))
      errors.push(fieldErrors.invalid(path.child('signerName'), signerName, finding))
    if (labelSelector) checkLabelSelector(errors, labelSelector, path.child('labelSelector'))
  } else errors.push(fieldErrors.required(path, 'either name or signerName must be specified'))
}
