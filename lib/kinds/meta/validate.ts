import { appendAll } from '../../base/index.ts'
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  formatGroupVersionKind,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  parseGroupVersion,
  quote,
  validateDns1123Label,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'
import { fieldManagerErrors } from '../../request/index.ts'
import type { NameRule } from '../definition.ts'

export const orphanFinalizer = 'orphan'
export const foregroundFinalizer = 'foregroundDeletion'

export const annotationsBytesMax = 256 * 1024
const managedSubresourceBytesMax = 256

const metadata = FieldPath.root('metadata')
const path = {
  name: metadata.child('name'),
  generateName: metadata.child('generateName'),
  namespace: metadata.child('namespace'),
  labels: metadata.child('labels'),
  annotations: metadata.child('annotations'),
  ownerReferences: metadata.child('ownerReferences'),
  finalizers: metadata.child('finalizers'),
  managedFields: metadata.child('managedFields'),
}

/** Checks the metadata of a new object, whose name is generated already. */
export function validateMetadata(meta: ObjectMeta, rule: { namespaced: boolean; name: NameRule }): FieldError[] {
  const errors: FieldError[] = []
  const { generateName = '' } = meta
  if (generateName !== '')
    for (const finding of rule.name(generateName, true))
      errors.push(fieldErrors.invalid(path.generateName, generateName, finding))
  const name = meta.name ?? ''
  if (name === '') errors.push(fieldErrors.required(path.name, 'name or generateName is required'))
  else for (const finding of rule.name(name, false)) errors.push(fieldErrors.invalid(path.name, name, finding))

  const namespace = meta.namespace ?? ''
  if (!rule.namespaced) {
    if (namespace !== '') errors.push(fieldErrors.forbidden(path.namespace, 'not allowed on this type'))
  } else if (namespace === '') errors.push(fieldErrors.required(path.namespace))
  else {
    for (const finding of validateDns1123Label(namespace))
      errors.push(fieldErrors.invalid(path.namespace, namespace, finding))
  }
  appendAll(errors, validateMetadataContents(meta))
  return errors
}

/** Checks that apply to metadata in every write. */
export function validateMetadataContents(meta: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  if ((meta.generation ?? 0) < 0) {
    const why = 'must be greater than or equal to 0'
    errors.push(fieldErrors.invalid('metadata.generation', meta.generation, why))
  }
  if (meta.labels) validateLabels(meta.labels, path.labels, errors)
  if (meta.annotations) validateAnnotations(meta.annotations, path.annotations, errors)
  if (meta.ownerReferences) validateOwners(meta.ownerReferences, errors)
  if (meta.finalizers) validateFinalizers(meta.finalizers, errors)
  if (meta.managedFields) validateManagedFields(meta.managedFields, errors)
  return errors
}

/** Checks the metadata of an object that replaces `old`. `isFine`: its contents were checked already. */
export function validateMetadataUpdate(meta: ObjectMeta, old: ObjectMeta, isFine = false): FieldError[] {
  const errors: FieldError[] = []
  if (old.deletionTimestamp !== undefined) validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], errors)
  if ((meta.resourceVersion ?? '') === '')
    errors.push(fieldErrors.invalid('metadata.resourceVersion', '', 'must be specified for an update'))
  if ((meta.generation ?? 0) < (old.generation ?? 0))
    errors.push(fieldErrors.invalid('metadata.generation', meta.generation ?? 0, 'must not be decremented'))
  for (const field of immutableFields) {
    if (meta[field] !== old[field]) errors.push(fieldErrors.immutable(`metadata.${field}`, shown(meta[field], field)))
  }
  if (isFine) return errors
  if (meta.labels) validateLabels(meta.labels, path.labels, errors)
  if (meta.annotations) validateAnnotations(meta.annotations, path.annotations, errors)
  if (meta.ownerReferences) validateOwners(meta.ownerReferences, errors)
  if (meta.managedFields) validateManagedFields(meta.managedFields, errors)
  return errors
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

/** Times and numbers may be null, texts are empty. */
function shown(value: string | number | undefined, field: (typeof immutableFields)[number]): unknown {
  if (value !== undefined) return value
  return field === 'name' || field === 'namespace' || field === 'uid' ? '' : null
}

/** Checks label keys and values; also of selectors and templates. */
export function validateLabels(labels: Readonly<Record<string, string>>, at: FieldPath, errors: FieldError[]): void {
  for (const key of Object.keys(labels)) {
    for (const finding of validateQualifiedName(key)) errors.push(fieldErrors.invalid(at, key, finding))
    const value = labels[key] ?? ''
    for (const finding of validateLabelValue(value)) errors.push(fieldErrors.invalid(at, value, finding))
  }
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>>,
  at: FieldPath,
  errors: FieldError[],
): void {
  let bytes = 0
  for (const key of Object.keys(annotations)) {
    // Upper case is allowed everywhere in an annotation's key.
    for (const finding of validateQualifiedName(key.toLowerCase())) errors.push(fieldErrors.invalid(at, key, finding))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '')
  }
  if (bytes > annotationsBytesMax) errors.push(fieldErrors.tooLong(at, annotationsBytesMax))
}

function validateOwners(owners: readonly OwnerReference[], errors: FieldError[]): void {
  let controller = ''
  for (const owner of owners) {
    validateOwner(owner, errors)
    if (owner.controller !== true) continue
    const current = `${owner.kind}/${owner.name}`
    if (controller === '') controller = current
    else {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`
      errors.push(fieldErrors.invalid(path.ownerReferences, owners, why))
    }
  }
}

function validateOwner(owner: OwnerReference, errors: FieldError[]): void {
  const at = path.ownerReferences
  const groupVersion = parseGroupVersion(owner.apiVersion ?? '')
  if (!groupVersion) {
    errors.push(fieldErrors.invalid(at.child('apiVersion'), owner.apiVersion ?? '', 'version must not be empty'))
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((owner[field] ?? '') === '') errors.push(fieldErrors.invalid(at.child(field), '', 'must not be empty'))
  }
  if (owner.kind === 'Event' && groupVersion?.group === '' && groupVersion.version === 'v1') {
    const kind = formatGroupVersionKind({ ...groupVersion, kind: owner.kind })
    errors.push(fieldErrors.invalid(at, owner, `${kind} is disallowed from being an owner`))
  }
}

function validateFinalizers(finalizers: readonly string[], errors: FieldError[]): void {
  for (const finalizer of finalizers) {
    for (const finding of validateQualifiedName(finalizer))
      errors.push(fieldErrors.invalid(path.finalizers, finalizer, finding))
  }
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const why = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`
    errors.push(fieldErrors.invalid(path.finalizers, finalizers, why))
  }
}

function validateNoNewFinalizers(now: readonly string[], before: readonly string[], errors: FieldError[]): void {
  const had = new Set(before)
  const added = [...new Set(now)].filter((finalizer) => !had.has(finalizer)).sort()
  if (added.length === 0) return
  const list = added.map(quote).join(', ')
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
  errors.push(fieldErrors.forbidden(path.finalizers, why))
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[], errors: FieldError[]): void {
  for (const [index, entry] of entries.entries()) {
    const at = path.managedFields.index(index)
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      const why = 'must be `Apply` or `Update`'
      errors.push(fieldErrors.invalid(at.child('operation'), entry.operation ?? '', why))
    }
    if (entry.fieldsType !== undefined && entry.fieldsType !== '' && entry.fieldsType !== 'FieldsV1')
      errors.push(fieldErrors.invalid(at.child('fieldsType'), entry.fieldsType, 'must be `FieldsV1`'))
    appendAll(errors, fieldManagerErrors(entry.manager ?? '', String(at.child('manager'))))
    if (Buffer.byteLength(entry.subresource ?? '') > managedSubresourceBytesMax)
      errors.push(fieldErrors.tooLong(at.child('subresource'), managedSubresourceBytesMax))
  }
}
