import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkSupported } from '../../check.ts'
import { propertyOf } from './propertyof.ts'
import { checkStructure, checkUnsupported, errorsMax, unreadable } from './structure.ts'

type Schema = v1.JSONSchemaProps

const typeNames = ['array', 'boolean', 'integer', 'number', 'object', 'string']
/** Fields that the root may have in addition to properties, with a status subresource. */
const rootFields = new Set([
  'additionalProperties', 'default', 'description', 'example', 'exclusiveMaximum', 'exclusiveMinimum', 'externalDocs',
  'format', 'items', 'maximum', 'maxItems', 'maxLength', 'minimum', 'minItems', 'minLength', 'multipleOf', 'pattern',
  'properties', 'required', 'title', 'type', 'uniqueItems', 'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]) // biome-ignore format: a list of names

/** Checks the schema of a version, or the one of all versions. */
export function checkRootSchema(
  errors: FieldError[],
  version: v1.CustomResourceDefinitionVersion,
  path: FieldPath,
  { unstructured }: { readonly unstructured: boolean },
): void {
  const schema = version.schema?.openAPIV3Schema
  if (!schema) return
  const at = path.child('openAPIV3Schema')
  const before = errors.length
  if (version.subresources?.status) checkRootWithStatus(errors, schema, at)
  if (schema.nullable) errors.push(fieldErrors.forbidden(at.child('nullable'), 'nullable cannot be true at the root'))
  if (unstructured) return
  const why = unreadable(schema)
  if (why === undefined) checkStructure(errors, schema, at)
  checkSchema(errors, schema, at)
  if (why !== undefined && errors.length === before) errors.push(fieldErrors.invalid(at, '', why))
}

function checkRootWithStatus(errors: FieldError[], schema: Schema, at: FieldPath): void {
  if (schema.type && schema.type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    errors.push(fieldErrors.invalid(at.child('type'), schema.type, why))
    return
  }
  if (Object.keys(schema).every((field) => rootFields.has(field))) return
  const why = `only [${[...rootFields].join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
  errors.push(fieldErrors.invalid(at, schema, why))
}

function checkSchema(errors: FieldError[], schema: Schema, at: FieldPath): void {
  if (errors.length >= errorsMax) return
  if (schema.type) checkSupported(errors, schema.type, at.child('type'), typeNames)
  checkUnsupported(errors, schema, at)
  if (schema.uniqueItems) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(fieldErrors.forbidden(at.child('uniqueItems'), why))
  }
  if (schema.additionalProperties !== undefined && schema.properties) {
    const why = 'additionalProperties and properties are mutual exclusive'
    if (schema.additionalProperties !== true) errors.push(fieldErrors.forbidden(at.child('additionalProperties'), why))
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(
      fieldErrors.invalid(at.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'),
    )
  checkMapType(errors, schema, at)
  checkListType(errors, schema, at)
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const)
    schema[junctor]?.forEach((inner, index) => checkSchema(errors, inner, at.child(junctor).index(index)))
  if (schema.not) checkSchema(errors, schema.not, at.child('not'))
  for (const name of Object.keys(schema.properties ?? {}).toSorted()) {
    const property = schema.properties?.[name]
    if (property) checkSchema(errors, property, at.child('properties').key(name))
  }
  if (typeof schema.additionalProperties === 'object')
    checkSchema(errors, schema.additionalProperties, at.child('additionalProperties'))
  if (schema.items && !Array.isArray(schema.items)) checkSchema(errors, schema.items, at.child('items'))
}

function checkMapType(errors: FieldError[], schema: Schema, at: FieldPath): void {
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return
  const why = 'must be object if x-kubernetes-map-type is specified'
  if (!schema.type) errors.push(fieldErrors.required(at.child('type'), why))
  else if (schema.type !== 'object') errors.push(fieldErrors.invalid(at.child('type'), schema.type, why))
  checkSupported(errors, mapType, at.child('x-kubernetes-map-type'), ['atomic', 'granular'])
}

function checkListType(errors: FieldError[], schema: Schema, at: FieldPath): void {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const typePath = at.child('x-kubernetes-list-type')
  if (listType !== undefined) {
    const why = 'must be array if x-kubernetes-list-type is specified'
    if (!schema.type) errors.push(fieldErrors.required(at.child('type'), why))
    else if (schema.type !== 'array') errors.push(fieldErrors.invalid(at.child('type'), schema.type, why))
    checkSupported(errors, listType, typePath, ['atomic', 'set', 'map'])
  }
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty'
    if (listType === undefined) errors.push(fieldErrors.required(typePath, why))
    else errors.push(fieldErrors.invalid(typePath, listType, why))
  }
  const items = Array.isArray(schema.items) ? undefined : schema.items
  if (listType === 'set' && items) checkSetItems(errors, items, at.child('items'))
  if (listType === 'map') checkMapItems(errors, keys, items, schema, at)
}

function checkSetItems(errors: FieldError[], items: Schema, at: FieldPath): void {
  if (items.nullable) {
    const why = 'cannot be nullable when x-kubernetes-list-type is set'
    errors.push(fieldErrors.forbidden(at.child('nullable'), why))
  }
  for (const [field, type] of [
    ['x-kubernetes-list-type', 'array'],
    ['x-kubernetes-map-type', 'object'],
  ] as const) {
    if (items.type !== type || items[field] === 'atomic' || (type === 'array' && items[field] === undefined)) continue
    const why = 'must be atomic as item of a list with x-kubernetes-list-type=set'
    errors.push(fieldErrors.invalid(at.child(field), items[field] ?? null, why))
  }
}

function checkMapItems(
  errors: FieldError[],
  keys: readonly string[],
  items: Schema | undefined,
  schema: Schema,
  at: FieldPath,
): void {
  const keysPath = at.child('x-kubernetes-list-map-keys')
  if (keys.length === 0)
    errors.push(fieldErrors.required(keysPath, 'must not be empty if x-kubernetes-list-type is map'))
  if (!schema.items) {
    errors.push(fieldErrors.required(at.child('items'), 'must have a schema if x-kubernetes-list-type is map'))
    return
  }
  if (!items) {
    const why = 'must only have a single schema if x-kubernetes-list-type is map'
    errors.push(fieldErrors.invalid(at.child('items'), schema.items, why))
    return
  }
  const here = at.child('items')
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map"
    errors.push(fieldErrors.invalid(here.child('type'), items.type ?? '', why))
  }
  if (items.nullable)
    errors.push(fieldErrors.forbidden(here.child('nullable'), 'cannot be nullable when x-kubernetes-list-type is map'))
  const seen = new Set<string>()
  keys.forEach((key, index) => {
    if (seen.has(key))
      errors.push(fieldErrors.invalid(keysPath.index(index), key, 'must not contain duplicate entries'))
    seen.add(key)
    const property = propertyOf(items, key)
    if (property) checkMapKey(errors, key, property, items, here)
    else if (items.type === 'object')
      errors.push(fieldErrors.invalid(keysPath, keys, 'entries must all be names of item properties'))
  })
}

function checkMapKey(errors: FieldError[], key: string, property: Schema, items: Schema, at: FieldPath): void {
  const here = at.child('properties').key(key)
  if (property.type === 'array' || property.type === 'object') {
    const why = "must be a scalar type if parent array's x-kubernetes-list-type is map"
    errors.push(fieldErrors.invalid(here.child('type'), property.type, why))
  }
  const named = 'this property is in x-kubernetes-list-map-keys, so it'
  if (property.default === undefined && items.required?.includes(key) !== true)
    errors.push(fieldErrors.required(here.child('default'), `${named} must have a default or be a required property`))
  if (property.nullable) errors.push(fieldErrors.forbidden(here.child('nullable'), `${named} cannot be nullable`))
}
