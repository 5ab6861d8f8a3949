import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkPresent, checkUnique } from '../../check.ts'
import { propertyOf } from './propertyof.ts'

/** How objects are served: subresources, columns, selectable fields. */

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']
const selectableFieldsMax = 8

export function checkSubresources(
  errors: FieldError[],
  subresources: v1.CustomResourceSubresources | undefined,
  path: FieldPath,
): void {
  const scale = subresources?.scale
  if (!scale) return
  const at = path.child('scale')
  const paths = [
    ['specReplicasPath', ['.spec.'], 'should be a json path under .spec'],
    ['statusReplicasPath', ['.status.'], 'should be a json path under .status'],
    ['labelSelectorPath', ['.spec.', '.status.'], 'should be a json path under either .spec or .status'],
  ] as const
  for (const [field, roots, why] of paths) {
    const value = scale[field] ?? ''
    const here = at.child(field)
    if (field === 'labelSelectorPath' && value === '') continue
    if (!checkPresent(errors, value, here)) continue
    const finding = jsonPathFinding(value)
    if (finding !== '') errors.push(fieldErrors.invalid(here, value, finding))
    else if (!roots.some((root) => value.startsWith(root))) errors.push(fieldErrors.invalid(here, value, why))
  }
}

/** Only names after dots: `.spec.replicas`. */
function jsonPathFinding(path: string): string {
  if (path === '') return 'must not be empty'
  if (!path.startsWith('.')) return 'must be a simple json path starting with .'
  return /^(\.[A-Za-z0-9_-]+)+$/.test(path) ? '' : 'must be a json path in the dot notation'
}

export function checkColumn(errors: FieldError[], column: v1.CustomResourceColumnDefinition, path: FieldPath): void {
  checkPresent(errors, column.name, path.child('name'))
  const oneOf = `must be one of ${columnTypes.join(',')}`
  if (checkPresent(errors, column.type, path.child('type'), oneOf) && !columnTypes.includes(column.type))
    errors.push(fieldErrors.invalid(path.child('type'), column.type, oneOf))
  if (column.format && !columnFormats.includes(column.format))
    errors.push(fieldErrors.invalid(path.child('format'), column.format, `must be one of ${columnFormats.join(',')}`))
  // v1beta1's spelling. Indexes and filters are allowed here.
  const at = path.child('JSONPath')
  if (checkPresent(errors, column.jsonPath, at) && !column.jsonPath.startsWith('.'))
    errors.push(fieldErrors.invalid(at, column.jsonPath, 'must be a simple json path starting with .'))
}

export function checkSelectableFields(
  errors: FieldError[],
  version: v1.CustomResourceDefinitionVersion,
  path: FieldPath,
  schemaName: string,
): void {
  const fields = version.selectableFields ?? []
  if (fields.length === 0) return
  const schema = version.schema?.openAPIV3Schema
  if (!schema) {
    errors.push(fieldErrors.invalid(path, '', `may only be set when ${schemaName} is included`))
    return
  }
  const seen = new Set<string>()
  fields.forEach(({ jsonPath }, index) => {
    const at = path.index(index).child('jsonPath')
    if (!checkPresent(errors, jsonPath, at)) return
    const finding = selectableFinding(jsonPath, schema)
    if (finding !== '') errors.push(fieldErrors.invalid(at, jsonPath, finding))
    else checkUnique(errors, seen, jsonPath, at)
  })
  if (fields.length > selectableFieldsMax) errors.push(fieldErrors.tooMany(path, fields.length, selectableFieldsMax))
}

function selectableFinding(jsonPath: string, root: v1.JSONSchemaProps): string {
  const found = schemaAt(jsonPath, root)
  if (typeof found === 'string') return `is an invalid path: ${found}`
  if (/^\.metadata(?:\.|$)/.test(jsonPath)) return 'must not point to fields in metadata'
  return found.type !== undefined && ['string', 'boolean', 'integer'].includes(found.type)
    ? ''
    : 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
}

/** The schema of the field at `.spec.a`, or why there is none. */
function schemaAt(jsonPath: string, root: v1.JSONSchemaProps): v1.JSONSchemaProps | string {
  let schema = root
  let isName = false
  for (const step of jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? []) {
    if (!isName) {
      if (step === '[') return 'array notation is not allowed'
      if (step !== '.') return `expected [ or . but got: ${step}`
      isName = true
      continue
    }
    const property = propertyOf(schema, step)
    if (!property) return 'does not refer to a valid field'
    schema = property
    isName = false
  }
  return isName ? 'unexpected end of JSON path' : schema
}
