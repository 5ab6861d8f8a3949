import type * as core from '../../../../api/gen/core/v1.ts'
import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldErrors,
  quantityValue,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkSupported } from '../../check.ts'
import { accessModes } from '../persistentvolumeclaim/spec.ts'
import { checkNodeSelector } from '../podspec/scheduling.ts'
import { checkPersistentSource } from './sources.ts'

type Spec = core.PersistentVolumeSpec

/** The rules of the spec of the volume `name`. */
export function checkVolumeSpec(errors: FieldError[], spec: Spec, name: string, at: FieldPath): void {
  checkAccessModes(errors, spec.accessModes ?? [], at.child('accessModes'))
  checkCapacity(errors, spec.capacity, at.child('capacity'))
  if (spec.persistentVolumeReclaimPolicy)
    checkSupported(errors, spec.persistentVolumeReclaimPolicy, at.child('persistentVolumeReclaimPolicy'), [
      'Delete',
      'Recycle',
      'Retain',
    ])
  const affinity = at.child('nodeAffinity')
  if (spec.nodeAffinity) {
    if (!spec.nodeAffinity.required)
      errors.push(fieldErrors.required(affinity.child('required'), 'must specify required node constraints'))
    else checkNodeSelector(errors, spec.nodeAffinity.required, affinity.child('required'))
  } else checkLocalAffinity(errors, spec, affinity)
  checkSource(errors, spec, name, at)
  if (spec.storageClassName)
    checkFormat(errors, spec.storageClassName, at.child('storageClassName'), validateDns1123Subdomain)
  if (spec.volumeMode !== undefined)
    checkSupported(errors, spec.volumeMode, at.child('volumeMode'), ['Block', 'Filesystem'])
  checkAttributesClass(errors, spec, at)
}

/** The rules of a spec within an attachment for a pod's inline volume: its driver is CSI, and no claim binds it. */
export function checkInlineVolumeSpec(errors: FieldError[], spec: Spec, at: FieldPath): void {
  const context = 'in the context of inline volumes'
  const forbid = (name: keyof Spec, why = 'may not be specified'): void => {
    errors.push(fieldErrors.forbidden(at.child(name), `${why} ${context}`))
  }
  if (spec.claimRef) forbid('claimRef')
  if (Object.keys(spec.capacity ?? {}).length > 0) forbid('capacity')
  if (!spec.csi) errors.push(fieldErrors.required(at.child('csi'), `has to be specified ${context}`))
  checkAccessModes(errors, spec.accessModes ?? [], at.child('accessModes'))
  if (spec.persistentVolumeReclaimPolicy && spec.persistentVolumeReclaimPolicy !== 'Retain')
    forbid('persistentVolumeReclaimPolicy', 'may only be Retain')
  if (spec.nodeAffinity) forbid('nodeAffinity')
  checkLocalAffinity(errors, spec, at.child('nodeAffinity'))
  checkSource(errors, spec, '', at)
  if (spec.storageClassName) forbid('storageClassName')
  if (spec.volumeMode !== undefined && spec.volumeMode !== 'Filesystem')
    forbid('volumeMode', 'may not specify volumeMode other than Filesystem')
  checkAttributesClass(errors, spec, at)
}

function checkAccessModes(errors: FieldError[], modes: readonly string[], at: FieldPath): void {
  if (modes.length === 0) errors.push(fieldErrors.required(at))
  for (const mode of modes) checkSupported(errors, mode, at, accessModes)
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod'))
    errors.push(fieldErrors.forbidden(at, 'may not use ReadWriteOncePod with other access modes'))
}

function checkCapacity(
  errors: FieldError[],
  capacity: Readonly<Record<string, string>> | undefined,
  at: FieldPath,
): void {
  const entries = Object.entries(capacity ?? {})
  if (entries.length === 0) errors.push(fieldErrors.required(at))
  if (capacity?.['storage'] === undefined || entries.length > 1)
    errors.push(fieldErrors.notSupported(at, capacity, ['storage']))
  for (const [name, amount] of entries) {
    if (compareQuantities(amount, '0') < 0)
      errors.push(fieldErrors.invalid(at.key(name), quantityValue(amount), 'must be a valid resource quantity'))
    if (compareQuantities(amount, '0') <= 0)
      errors.push(fieldErrors.invalid(at.key(name), amount, 'must be greater than zero'))
  }
}

function checkLocalAffinity(errors: FieldError[], spec: Spec, at: FieldPath): void {
  if (spec.local) errors.push(fieldErrors.required(at, 'Local volume requires node affinity'))
}

function checkSource(errors: FieldError[], spec: Spec, name: string, at: FieldPath): void {
  checkPersistentSource(errors, spec, name, at)
  if (spec.hostPath?.path !== '/' || spec.persistentVolumeReclaimPolicy !== 'Recycle') return
  const why = "may not be 'recycle' for a hostPath mount of '/'"
  errors.push(fieldErrors.forbidden(at.child('persistentVolumeReclaimPolicy'), why))
}

function checkAttributesClass(errors: FieldError[], spec: Spec, at: FieldPath): void {
  const name = spec.volumeAttributesClassName
  if (name === undefined) return
  const here = at.child('volumeAttributesClassName')
  if (name === '') errors.push(fieldErrors.required(here, 'an empty string is disallowed'))
  else checkFormat(errors, name, here, validateDns1123Subdomain)
  if (!spec.csi)
    errors.push(fieldErrors.required(at.child('csi'), 'has to be specified when using volumeAttributesClassName'))
}
