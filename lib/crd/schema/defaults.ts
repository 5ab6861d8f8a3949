import { isRecord } from '../../base/index.ts'
import { copyObject, setField } from '../../object/index.ts'
import type { SchemaNode } from './node.ts'

type Fields = Record<string, unknown>

/** Takes out, in place, the nulls of fields that are not nullable and have no default; nulls in lists stay. */
export function dropNulls(node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) {
    if (node.items) for (const item of value) if (typeof item === 'object' && item !== null) dropNulls(node.items, item)
    return
  }
  if (!isRecord(value)) return
  for (const key of Object.keys(value)) {
    const property = propertyOf(node, key)
    if (!property) continue
    const field = value[key]
    if (field === null) {
      if (!property.nullable && property.default === undefined) delete (value as Fields)[key]
    } else if (typeof field === 'object') dropNulls(property, field)
  }
}

/** Fills in defaults, in place: for fields that are absent, or null where that is not allowed. */
export function applyDefaults(node: SchemaNode, value: unknown): void {
  if (!node.below.defaults) return
  if (Array.isArray(value)) {
    const { items } = node
    if (!items) return
    for (const [index, item] of value.entries()) {
      if (item === null && !items.nullable && items.default !== undefined) value[index] = copyObject(items.default)
      applyDefaults(items, value[index])
    }
    return
  }
  if (!isRecord(value)) return
  const fields = value as Fields
  for (const [name, property] of node.properties) {
    const isThere = Object.hasOwn(fields, name)
    if (property.default !== undefined && (!isThere || (fields[name] === null && !property.nullable)))
      setField(fields, name, copyObject(property.default))
    else if (!isThere) continue
    applyDefaults(property, fields[name])
  }
  const { additional } = node
  if (typeof additional !== 'object') return
  for (const name of Object.keys(fields)) {
    if (node.properties.has(name)) continue
    if (fields[name] === null && !additional.nullable && additional.default !== undefined)
      setField(fields, name, copyObject(additional.default))
    applyDefaults(additional, fields[name])
  }
}

function propertyOf(node: SchemaNode, key: string): SchemaNode | undefined {
  const property = node.properties.get(key)
  if (property) return property
  return typeof node.additional === 'object' ? node.additional : undefined
}
