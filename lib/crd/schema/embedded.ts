import { isRecord } from '../../base/index.ts'
import { nameRules, validateMetadata } from '../../kinds/index.ts'
import {
  type FieldError,
  fieldErrors,
  type ObjectMeta,
  parseGroupVersion,
  validateDns1035Label,
} from '../../object/index.ts'
import type { SchemaNode } from './node.ts'
import { rootPath, type ValuePath } from './valuepath.ts'

/** Converts an object's metadata to their type, in place: fields that do not fit are dropped or refused. */
type CoerceMetadata = (holder: Record<string, unknown>, path: string) => void

/** Converts the metadata of every embedded object to their type, in place. */
export function coerceEmbedded(node: SchemaNode, value: unknown, coerce: CoerceMetadata): void {
  visit(node, value, rootPath, (holder, at) => coerce(holder, at.text()))
}

/** Checks that embedded objects have apiVersion, kind and valid metadata. */
export function validateEmbedded(node: SchemaNode, value: unknown): FieldError[] {
  const errors: FieldError[] = []
  visit(node, value, rootPath, (holder, at) => checkObject(holder, at, errors))
  return errors
}

function visit(
  node: SchemaNode,
  value: unknown,
  at: ValuePath,
  found: (holder: Record<string, unknown>, at: ValuePath) => void,
): void {
  if (!node.below.embedded) return
  if (Array.isArray(value)) {
    const { items } = node
    if (items) for (const [index, item] of value.entries()) visit(items, item, at.index(index), found)
    return
  }
  if (!isRecord(value)) return
  if (node.embedded) found(value, at)
  for (const key of Object.keys(value)) {
    const property = node.properties.get(key)
    if (property) visit(property, value[key], at.field(key), found)
    else if (typeof node.additional === 'object') visit(node.additional, value[key], at.key(key), found)
  }
}

function checkObject(holder: Record<string, unknown>, at: ValuePath, errors: FieldError[]): void {
  const label = (name: string): string => at.field(name).label()
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = holder[name]
    if (value === undefined) errors.push(fieldErrors.required(label(name), 'must not be empty'))
    else if (value === '') errors.push(fieldErrors.invalid(label(name), value, 'must not be empty'))
    else if (typeof value === 'string' && name === 'apiVersion' && !parseGroupVersion(value))
      errors.push(fieldErrors.invalid(label(name), value, `unexpected GroupVersion string: ${value}`))
    else if (typeof value === 'string' && name === 'kind')
      for (const why of validateDns1035Label(value.toLowerCase())) {
        const text = `may have mixed case, but should otherwise match: ${why}`
        errors.push(fieldErrors.invalid(label(name), value, text))
      }
  }
  if (!isRecord(holder['metadata'])) return
  // It need not have a name, unlike whole objects.
  const given = holder['metadata'] as ObjectMeta
  const metadata = { ...given, name: given.name || 'unnamed' }
  const namespaced = metadata.namespace !== undefined && metadata.namespace !== ''
  const prefix = at.text() === '' ? '' : `${at.text()}.`
  for (const error of validateMetadata(metadata, { namespaced, name: nameRules.pathSegment }))
    errors.push({ ...error, field: prefix + error.field })
}
