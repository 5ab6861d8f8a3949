import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'
import { propertyOf } from './propertyof.ts'

type Schema = v1.JSONSchemaProps
type Level = 'root' | 'field' | 'item'

/** Maximum number of errors of one definition; the remaining schemas are not checked. */
export const errorsMax = 1000

/** A structural schema determines the type of every value, once, so that unknown fields can be found and dropped. */
export function checkStructure(errors: FieldError[], schema: Schema, at: FieldPath): void {
  const found: FieldError[] = []
  checkNode(found, schema, at, 'root')
  for (const error of found.toSorted(byText)) if (errors.length < errorsMax) errors.push(error)
}

/** Why a schema has no readable structure; undefined: it has one. Other checks report its keywords, too. */
export function unreadable(schema: Schema): string | undefined {
  const left = [schema]
  for (let one = left.pop(); one; one = left.pop()) {
    for (const [field, name] of unreadableFields)
      if (!isEmptyKeyword(one[field])) return `OpenAPIV3Schema '${name}' is not supported`
    if (Array.isArray(one.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
    if (one['x-kubernetes-preserve-unknown-fields'] === false)
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
    left.push(...Object.values(one.properties ?? {}), ...(one.allOf ?? []), ...(one.anyOf ?? []), ...(one.oneOf ?? []))
    if (one.items) left.push(one.items)
    if (one.not) left.push(one.not)
    if (typeof one.additionalProperties === 'object') left.push(one.additionalProperties)
  }
  return undefined
}

const unreadableFields = [
  ['id', 'id'], ['$schema', 'schema'], ['$ref', '$ref'], ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'], ['additionalItems', 'additionalItems'], ['definitions', 'definitions'],
] as const // biome-ignore format: a list of names

function isEmptyKeyword(value: unknown): boolean {
  return value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}

/** The stock server sorts these errors by their text. */
function byText(a: FieldError, b: FieldError): number {
  const [left, right] = [`${a.field}: ${a.message}`, `${b.field}: ${b.message}`]
  return left < right ? -1 : left > right ? 1 : 0
}

function checkNode(errors: FieldError[], schema: Schema, at: FieldPath, level: Level): void {
  if (errors.length >= errorsMax) return
  checkType(errors, schema, level, at)
  checkExtensions(errors, schema, level, at)
  checkMetadata(errors, schema, level, at)
  if (schema.type === 'array' && schema.items === undefined)
    errors.push(fieldErrors.required(at.child('items'), 'must be specified'))
  checkJunctors(errors, schema, { schema, at }, at, isIntOrStringForm(schema.anyOf))
  if (schema.items && !Array.isArray(schema.items)) checkNode(errors, schema.items, at.child('items'), 'item')
  for (const name of Object.keys(schema.properties ?? {})) {
    const property = schema.properties?.[name]
    if (property) checkNode(errors, property, at.child('properties').key(name), 'field')
  }
  if (typeof schema.additionalProperties === 'object')
    checkNode(errors, schema.additionalProperties, at.child('additionalProperties'), 'field')
}

const unsupported = ['id', 'patternProperties', 'definitions', 'dependencies', '$ref', 'additionalItems'] as const

/** Reports keywords that no schema may have. */
export function checkUnsupported(errors: FieldError[], schema: Schema, at: FieldPath): void {
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
}

function checkExtensions(errors: FieldError[], schema: Schema, level: Level, at: FieldPath): void {
  const { additionalProperties, properties = {} } = schema
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
  const path = at.child('additionalProperties')
  if (additionalProperties !== undefined && level === 'root')
    errors.push(fieldErrors.forbidden(path, 'must not be used at the root'))
  if (additionalProperties !== undefined && isEmbedded)
    errors.push(fieldErrors.forbidden(path, 'must not be used if x-kubernetes-embedded-resource is set'))
  if (isEmbedded && !keepsUnknown && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(fieldErrors.required(at.child('properties'), why))
  }
  if (!schema['x-kubernetes-int-or-string']) return
  for (const field of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    if (schema[field])
      errors.push(fieldErrors.invalid(at.child(field), true, 'must be false if x-kubernetes-int-or-string is true'))
}

/** The server owns metadata: a schema may only restrict the name. */
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
  if (level === 'root' && metadata && !isNameOnly(metadata)) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(fieldErrors.forbidden(at.child('properties').key('metadata'), why))
  }
}

/** Whether there is nothing besides restrictions of names, and a type. */
function isNameOnly({ properties = {}, ...metadata }: Schema): boolean {
  const isOther = (name: string): boolean => name !== 'name' && name !== 'generateName'
  if (Object.keys(properties).some(isOther)) return false
  return structuralOnly.every(([field]) => field === 'default' || !metadata[field]) && metadata.items === undefined
}

/** Fields that determine the type of a value, and why a junctor must not contain them. */
const structuralOnly = [
  ['description', 'empty'], ['title', 'empty'], ['default', 'undefined'], ['additionalProperties', 'undefined'],
  ['nullable', 'false'], ['x-kubernetes-preserve-unknown-fields', 'false'], ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'], ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'], ['x-kubernetes-map-type', 'undefined'], ['x-kubernetes-validations', 'empty'],
] as const // biome-ignore format: a list of names

/** Whether an anyOf, alone or as the first of allOf, means integer or string; any other type in it is refused. */
function isIntOrStringForm(anyOf: readonly Schema[] | undefined): boolean {
  const isOnly = (schema: Schema | undefined, type: string): boolean =>
    schema !== undefined && schema.type === type && Object.keys(schema).length === 1
  return anyOf?.length === 2 && isOnly(anyOf[0], 'integer') && isOnly(anyOf[1], 'string')
}

/** The part of the structure that a junctor applies to, and its path; undefined: it was reported as missing. */
interface Outer {
  readonly schema: Schema | undefined
  readonly at: FieldPath
}

function checkJunctors(
  errors: FieldError[],
  schema: Schema,
  outer: Outer | undefined,
  at: FieldPath,
  isAnyOfFine: boolean,
): void {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema
  if (!isAnyOfFine)
    for (const [index, each] of anyOf.entries()) checkJunctor(errors, each, outer, at.child('anyOf').index(index))
  for (const [index, each] of allOf.entries())
    checkJunctor(errors, each, outer, at.child('allOf').index(index), index === 0 && isIntOrStringForm(each.anyOf))
  for (const [index, each] of oneOf.entries()) checkJunctor(errors, each, outer, at.child('oneOf').index(index))
  if (not) checkJunctor(errors, not, outer, at.child('not'))
}

/** Schemas within allOf, anyOf, oneOf and not only validate values; the structure outside determines their types. */
function checkJunctor(
  errors: FieldError[],
  inner: Schema,
  outer: Outer | undefined,
  at: FieldPath,
  isAnyOfFine = false,
): void {
  if (errors.length >= errorsMax) return
  if (inner.type) errors.push(fieldErrors.forbidden(at.child('type'), 'must be empty to be structural'))
  for (const [field, must] of structuralOnly) {
    const value = inner[field]
    const isZero = value === '' || value === false || (Array.isArray(value) && value.length === 0)
    if (value === undefined || value === null || (isZero && field !== 'default')) continue
    errors.push(fieldErrors.forbidden(at.child(field), `must be ${must} to be structural`))
  }
  checkJunctors(errors, inner, outer, at, isAnyOfFine)
  const properties = Object.entries(inner.properties ?? {})
  for (const [name, property] of properties) {
    const here = at.child('properties').key(name)
    if (name === 'metadata') errors.push(fieldErrors.forbidden(here, 'must not be specified in a nested context'))
    const declared = outer && { schema: propertyOf(outer.schema, name), at: outer.at.child('properties').key(name) }
    checkJunctor(errors, property, found(errors, declared, here), here)
  }
  const { items } = inner
  if (!items || Array.isArray(items)) return
  const outerItems = Array.isArray(outer?.schema?.items) ? undefined : outer?.schema?.items
  const here = at.child('items')
  checkJunctor(errors, items, found(errors, outer && { schema: outerItems, at: outer.at.child('items') }, here), here)
}

/** Reports a missing part of the structure, and nothing below it. */
function found(errors: FieldError[], outer: Outer | undefined, inner: FieldPath): Outer | undefined {
  if (!outer || outer.schema) return outer
  errors.push(fieldErrors.required(outer.at, `because it is defined in ${inner}`))
  return undefined
}
