import type { Field, StructType, Type } from '../schema/index.ts'

/**
 * Takes the empty lists out of an object that is to be stored, where they could be told from none: protobuf knows no
 * empty list, so that what is written is `null` for whoever reads it, and must be so for its writer. In place.
 */
export function dropEmptyLists(struct: StructType, object: Record<string, unknown>): void {
  for (const { name, type, omit } of fieldsWithLists(struct)) {
    const value = object[name]
    if (value === undefined || value === null) continue
    if (omit === 'never' && Array.isArray(value) && value.length === 0) delete object[name]
    else drop(type, value)
  }
}

function drop(type: Type, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (type.is === 'struct') {
    if (!type.wrapper) dropEmptyLists(type, value as Record<string, unknown>)
  } else if (type.is === 'list' || type.is === 'map') for (const item of Object.values(value)) drop(type.element, item)
}

const found = new WeakMap<StructType, readonly Field[]>()

/** The struct's fields that are always written lists, or have some below. */
function fieldsWithLists(struct: StructType): readonly Field[] {
  const known = found.get(struct)
  if (known) return known
  const fields = struct.fields.filter(
    ({ type, omit }) => (type.is === 'list' && omit === 'never') || hasLists(type, new Set([struct])),
  )
  found.set(struct, fields)
  return fields
}

/** `seen`: types that are being looked through already; they may contain themselves. */
function hasLists(type: Type, seen: Set<Type>): boolean {
  if (type.is === 'list' || type.is === 'map') return hasLists(type.element, seen)
  if (type.is !== 'struct' || type.wrapper || seen.has(type)) return false
  seen.add(type)
  return type.fields.some((field) => (field.type.is === 'list' && field.omit === 'never') || hasLists(field.type, seen))
}
