import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkRequiredChoice, checkUnique } from '../../check.ts'
import { checkApproval } from './approval.ts'
import { checkConversion } from './conversion.ts'
import { isShared, type Own, owns } from './convert.ts'
import { checkNames } from './names.ts'
import { checkRootSchema } from './schema.ts'
import { checkColumn, checkSelectableFields, checkSubresources } from './serving.ts'
import { checkStructure } from './structure.ts'

const path = FieldPath.root('spec')
const status = FieldPath.root('status')

export const specOf = (object: ApiObject): v1.CustomResourceDefinitionSpec =>
  object['spec'] as v1.CustomResourceDefinitionSpec
const statusOf = (object: ApiObject): Partial<v1.CustomResourceDefinitionStatus> =>
  (object['status'] ?? {}) as Partial<v1.CustomResourceDefinitionStatus>

export function validateDefinition(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const required = `${spec.names.plural}.${spec.group}`
  const { name } = object.metadata
  if (name !== required)
    errors.push(fieldErrors.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'))
  checkSpec(errors, spec, undefined)
  checkStoredVersions(errors, object)
  checkApproval(errors, object, undefined)
  if (spec.preserveUnknownFields) refuseUnknownFields(errors)
  return errors
}

export function validateDefinitionUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const [spec, before] = [specOf(object), specOf(old)]
  checkSpec(errors, spec, before)
  checkStoredVersions(errors, object)
  // Names in use locate the stored objects.
  if (statusOf(old).conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True')) {
    checkSame(errors, spec.scope, before.scope, path.child('scope'))
    checkSame(errors, spec.names.kind, before.names.kind, path.child('names').child('kind'))
  }
  checkSame(errors, spec.group, before.group, path.child('group'))
  checkSame(errors, spec.names.plural, before.names.plural, path.child('names').child('plural'))
  checkApproval(errors, object, old)
  if (spec.preserveUnknownFields && !before.preserveUnknownFields) refuseUnknownFields(errors)
  return errors
}

function checkSame(errors: FieldError[], value: string, before: string, at: FieldPath): void {
  if (value !== before) errors.push(fieldErrors.immutable(at, value))
}

function refuseUnknownFields(errors: FieldError[]): void {
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  errors.push(fieldErrors.invalid(path.child('preserveUnknownFields'), true, why))
}

/** Rules that definitions of old releases, and their updates, may violate. */
interface Tolerance {
  /** Versions may lack a schema. */
  readonly schemaless: boolean
  /** Schemas need not be structural. */
  readonly unstructured: boolean
}

function toleranceOf(
  { preserveUnknownFields }: v1.CustomResourceDefinitionSpec,
  before: v1.CustomResourceDefinitionSpec | undefined,
): Tolerance {
  const versions = before?.versions ?? []
  return {
    schemaless: preserveUnknownFields === true && versions.some(({ schema }) => !schema?.openAPIV3Schema),
    unstructured: preserveUnknownFields === true && versions.some((version) => !isStructural(version)),
  }
}

function isStructural({ schema }: v1.CustomResourceDefinitionVersion): boolean {
  const errors: FieldError[] = []
  if (schema?.openAPIV3Schema) checkStructure(errors, schema.openAPIV3Schema, path)
  return errors.length === 0
}

function checkSpec(
  errors: FieldError[],
  spec: v1.CustomResourceDefinitionSpec,
  before: v1.CustomResourceDefinitionSpec | undefined,
): void {
  const versions = spec.versions ?? []
  const tolerance = toleranceOf(spec, before)
  checkGroup(errors, spec.group)
  checkRequiredChoice(errors, spec.scope, path.child('scope'), ['Cluster', 'Namespaced'])
  checkVersions(errors, versions, tolerance)
  const names = path.child('names')
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const)
    checkPresent(errors, spec.names[field], names.child(field))
  checkNames(errors, spec.names, names)
  checkServing(errors, versions, tolerance)
  if (spec.conversion) checkConversion(errors, spec.conversion, path.child('conversion'))
}

function checkGroup(errors: FieldError[], group: string): void {
  const at = path.child('group')
  if (!checkPresent(errors, group, at)) return
  const findings = validateDns1123Subdomain(group)
  checkFormat(errors, group, at, () => findings)
  if (findings.length === 0 && !group.includes('.'))
    errors.push(fieldErrors.invalid(at, group, 'should be a domain with at least one dot'))
}

function checkVersions(
  errors: FieldError[],
  versions: readonly v1.CustomResourceDefinitionVersion[],
  tolerance: Tolerance,
): void {
  const all = path.child('versions')
  // Compared once: doing it for each version would cost the square of their number.
  const sharedFields = new Set(owns.filter((field) => isShared(versions, field)))
  const shared = (field: Own): boolean => sharedFields.has(field)
  versions.forEach(({ schema }, index) => {
    if (!schema?.openAPIV3Schema && !tolerance.schemaless)
      errors.push(fieldErrors.required(all.index(index).child('schema').child('openAPIV3Schema')))
  })
  const seen = new Set<string>()
  versions.forEach((version, index) => {
    const at = all.index(index)
    checkFormat(errors, version.name, at.child('name'), validateDns1035Label)
    seen.add(version.name)
    checkDeprecation(errors, version, at)
    // Fields that all versions share are checked once, under their names in the spec.
    if (!shared('schema')) checkRootSchema(errors, version, at.child('schema'), tolerance)
    if (!shared('subresources')) checkSubresources(errors, version.subresources, at.child('subresources'))
    if (!shared('additionalPrinterColumns'))
      version.additionalPrinterColumns?.forEach((column, place) =>
        checkColumn(errors, column, at.child('additionalPrinterColumns').index(place)),
      )
    if (!shared('selectableFields') || !shared('schema'))
      checkSelectableFields(errors, version, at.child('selectableFields'), 'version.schema.openAPIV3Schema')
  })
  const stored = versions.filter(({ storage }) => storage).length
  const shown = versions.map((version) => shownVersion(version, shared))
  if (seen.size !== versions.length) errors.push(fieldErrors.invalid(all, shown, 'must contain unique version names'))
  else if (stored !== 1)
    errors.push(
      fieldErrors.invalid(
        all,
        versions.length === 0 ? null : shown,
        'must have exactly one version marked as storage version',
      ),
    )
  const [first] = versions
  if (first?.name) checkFormat(errors, first.name, path.child('version'), validateDns1035Label)
}

function checkDeprecation(errors: FieldError[], version: v1.CustomResourceDefinitionVersion, at: FieldPath): void {
  const { deprecated, deprecationWarning: text } = version
  if (text === undefined) return
  const here = at.child('deprecationWarning')
  if (!deprecated) errors.push(fieldErrors.invalid(here, text, 'can only be set for deprecated versions'))
  if (text.trim() === '') errors.push(fieldErrors.invalid(here, text, 'must not be an empty string'))
  if (Buffer.byteLength(text) > 256) errors.push(fieldErrors.invalid(here, text, 'must be <= 256 bytes in length'))
  const unprintable = text.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  if (unprintable >= 0) {
    const index = Buffer.byteLength(text.slice(0, unprintable))
    const why = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`
    errors.push(fieldErrors.invalid(here, text, why))
  }
}

/** The version in the form of errors: the internal type's fields, without those that all versions share. */
function shownVersion(
  version: v1.CustomResourceDefinitionVersion,
  shared: (field: Own) => boolean,
): Record<string, unknown> {
  const own = (field: Own): unknown => (shared(field) ? null : (version[field] ?? null))
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: own('schema'),
    Subresources: own('subresources'),
    AdditionalPrinterColumns: own('additionalPrinterColumns'),
    SelectableFields: own('selectableFields'),
  }
}

/** Checks the fields that all versions share. */
function checkServing(
  errors: FieldError[],
  versions: readonly v1.CustomResourceDefinitionVersion[],
  tolerance: Tolerance,
): void {
  const [first] = versions
  if (!first) return
  if (isShared(versions, 'schema')) checkRootSchema(errors, first, path.child('validation'), tolerance)
  if (isShared(versions, 'subresources')) checkSubresources(errors, first.subresources, path.child('subresources'))
  if (isShared(versions, 'additionalPrinterColumns'))
    first.additionalPrinterColumns?.forEach((column, index) =>
      checkColumn(errors, column, path.child('additionalPrinterColumns').index(index)),
    )
  if (isShared(versions, 'selectableFields') && isShared(versions, 'schema'))
    checkSelectableFields(errors, first, path.child('selectableFields'), 'validations.schema')
}

/** There may be stored objects of any of these versions. */
function checkStoredVersions(errors: FieldError[], object: ApiObject): void {
  const at = status.child('storedVersions')
  const { storedVersions } = statusOf(object)
  const versions = specOf(object).versions ?? []
  if (!storedVersions?.length) {
    errors.push(fieldErrors.invalid(at, null, 'must have at least one stored version'))
    return
  }
  const left = new Map<string, number>()
  storedVersions.forEach((name, index) => {
    if (!left.has(name)) left.set(name, index)
  })
  for (const { name, storage } of versions) {
    if (storage && !left.has(name))
      errors.push(fieldErrors.invalid(at, storedVersions, `must have the storage version ${name}`))
    left.delete(name)
  }
  for (const [name, index] of left) {
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(fieldErrors.invalid(at.index(index), name, why))
  }
}

export function validateStatusUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { acceptedNames, conditions } = statusOf(object)
  if (acceptedNames && !semanticEqual(acceptedNames, statusOf(old).acceptedNames))
    checkNames(errors, acceptedNames, status.child('acceptedNames'))
  checkStoredVersions(errors, object)
  const seen = new Set<string>()
  conditions?.forEach(({ type }, index) =>
    checkUnique(errors, seen, type, status.child('conditions').index(index).child('type')),
  )
  return errors
}
