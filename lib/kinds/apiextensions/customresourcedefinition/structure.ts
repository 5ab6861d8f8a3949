import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'
import { propertyOf } from './propertyof.ts'

type Schema = v1.JSONSchemaProps
type Level = 'root' | 'field' | 'item'

/** More errors of one definition than anyone reads are not told: the schemas behind them are not looked at. */
export const errorsMax = 1000

/** A structural schema says of every value what it is, once, so that unknown fields can be told and dropped. */
export function checkStructure(errors: FieldError[], schema: Schema, at: FieldPath, level: Level = 'root'): void {
  if (errors.length >= errorsMax) return
  checkUnsupported(errors, schema, at)
  checkType(errors, schema, level, at)
  checkMetadata(errors, schema, level, at)
  if (schema.type === 'array' && schema.items === undefined)
    errors.push(fieldErrors.required(at.child('items'), 'must be specified'))
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const)
    schema[junctor]?.forEach((inner, index) => checkJunctor(errors, inner, schema, at.child(junctor).index(index)))
  if (schema.not) checkJunctor(errors, schema.not, schema, at.child('not'))
  if (schema.items && !Array.isArray(schema.items)) checkStructure(errors, schema.items, at.child('items'), 'item')
  for (const name of Object.keys(schema.properties ?? {}).toSorted()) {
    const property = schema.properties?.[name]
    if (property) checkStructure(errors, property, at.child('properties').key(name), 'field')
  }
  if (typeof schema.additionalProperties === 'object')
    checkStructure(errors, schema.additionalProperties, at.child('additionalProperties'), 'field')
}

const unsupported = ['id', 'patternProperties', 'definitions', 'dependencies', '$ref', 'additionalItems'] as const

function checkUnsupported(errors: FieldError[], schema: Schema, at: FieldPath): void {
  for (const field of unsupported)
    if (schema[field] !== undefined) errors.push(fieldErrors.forbidden(at.child(field), `${field} is not supported`))
  if (schema.type === 'null')
    errors.push(fieldErrors.forbidden(at.child('type'), 'type cannot be set to null, use nullable as an alternative'))
  if (Array.isArray(schema.items))
    errors.push(fieldErrors.forbidden(at.child('items'), 'items must be a schema object and not an array'))
}

const missingType: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function checkType(errors: FieldError[], schema: Schema, level: Level, at: FieldPath): void {
  const path = at.child('type')
  const { type = '' } = schema
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true'
    if (type === '') errors.push(fieldErrors.required(path, why))
    else errors.push(fieldErrors.invalid(path, type, why))
  } else if (type === '' && !isIntOrString && !schema['x-kubernetes-preserve-unknown-fields'])
    errors.push(fieldErrors.required(path, missingType[level]))
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(fieldErrors.invalid(path, type, 'must be object at the root'))
  if (
    schema['x-kubernetes-embedded-resource'] &&
    !schema['x-kubernetes-preserve-unknown-fields'] &&
    !schema.properties &&
    schema.additionalProperties === undefined
  ) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(fieldErrors.required(at.child('properties'), why))
  }
}

/** Metadata is the server's: a schema may only narrow the name. */
function checkMetadata(errors: FieldError[], schema: Schema, level: Level, at: FieldPath): void {
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return
  const own: Readonly<Record<string, string>> = { metadata: 'object', apiVersion: 'string', kind: 'string' }
  for (const [name, type] of Object.entries(own)) {
    const property = schema.properties?.[name]
    if (property && property.type !== type)
      errors.push(
        fieldErrors.invalid(at.child('properties').key(name).child('type'), property.type ?? '', `must be ${type}`),
      )
  }
  const metadata = schema.properties?.['metadata']
  const here = at.child('properties').key('metadata')
  for (const name of Object.keys(metadata?.properties ?? {}).toSorted())
    if (name !== 'name' && name !== 'generateName')
      errors.push(
        fieldErrors.forbidden(
          here,
          'must not specify anything other than name and generateName, but metadata is implicitly specified',
        ),
      )
  if (metadata?.['x-kubernetes-preserve-unknown-fields'] || metadata?.additionalProperties !== undefined)
    errors.push(
      fieldErrors.forbidden(
        here,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    )
}

const structuralOnly = [
  'description', 'default', 'title', 'nullable', 'additionalProperties', 'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string', 'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-validations',
] as const // biome-ignore format: a list of names

/** Schemas within allOf, anyOf, oneOf and not only validate values; their types are stated outside. */
function checkJunctor(errors: FieldError[], inner: Schema, outer: Schema | undefined, at: FieldPath): void {
  const mustBeEmpty = 'must be empty to be structural'
  // Numbers or texts are written as an anyOf of both types.
  if (inner.type && outer?.['x-kubernetes-int-or-string'] !== true)
    errors.push(fieldErrors.forbidden(at.child('type'), mustBeEmpty))
  for (const field of structuralOnly) {
    const value = inner[field]
    if (value === undefined || value === false || value === '') continue
    const why = field.startsWith('x-') || field === 'nullable' ? 'must be false to be structural' : mustBeEmpty
    errors.push(
      fieldErrors.forbidden(
        at.child(field),
        field === 'default' || field === 'additionalProperties' ? 'must be undefined to be structural' : why,
      ),
    )
  }
  checkUnsupported(errors, inner, at)
  for (const [name, property] of Object.entries(inner.properties ?? {})) {
    const here = at.child('properties').key(name)
    const declared = propertyOf(outer, name)
    if (!declared && typeof outer?.additionalProperties !== 'object')
      errors.push(fieldErrors.required(pathOfOuter(here), mustBeSpecified(here)))
    checkJunctor(errors, property, declared, here)
  }
  if (inner.items && !Array.isArray(inner.items)) {
    const items = Array.isArray(outer?.items) ? undefined : outer?.items
    checkJunctor(errors, inner.items, items, at.child('items'))
  }
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const)
    inner[junctor]?.forEach((each, index) => checkJunctor(errors, each, outer, at.child(junctor).index(index)))
  if (inner.not) checkJunctor(errors, inner.not, outer, at.child('not'))
}

/** The place outside the junctors that a value's structure is missing at. */
function pathOfOuter(inner: FieldPath): string {
  return String(inner).replace(/\.(allOf|anyOf|oneOf)\[\d+\]|\.not(?=\.|$)/g, '')
}

function mustBeSpecified(inner: FieldPath): string {
  return `because it is defined in ${String(inner).replace(/^.*openAPIV3Schema\./, '')}`
}
