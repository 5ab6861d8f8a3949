import type { Field, StructType, Type } from '../schema/index.ts'

/**
 * Takes empty lists and maps out of a typed object, in place, where their being empty would be seen: in fields that are
 * always written, `[]` and not `null`. Protobuf does not tell them from none, so that once they are stored they are none.
 */
export function forgetEmpty(type: Type, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (type.is === 'struct') forgetFields(type, value as Record<string, unknown>)
  else if (type.is === 'list') for (const item of value as unknown[]) forgetEmpty(type.element, item)
  else if (type.is === 'map') for (const item of Object.values(value)) forgetEmpty(type.element, item)
}

function forgetFields(struct: StructType, object: Record<string, unknown>): void {
  for (const field of fieldsWithEmpty(struct)) {
    const value = object[field.name]
    if (value === undefined || value === null) continue
    if (isShownEmpty(field) && isEmpty(value)) delete object[field.name]
    else forgetEmpty(field.type, value)
  }
}

function isShownEmpty({ type, omit, pointer }: Field): boolean {
  return omit === 'never' && !pointer && (type.is === 'list' || type.is === 'map')
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value ?? {}).length === 0
}

const found = new WeakMap<StructType, readonly Field[]>()

/** The struct's fields that show when they are empty, or have some below that do; of most kinds there are none. */
function fieldsWithEmpty(struct: StructType): readonly Field[] {
  const known = found.get(struct)
  if (known) return known
  const fields = struct.fields.filter((field) => isShownEmpty(field) || hasShownEmpty(field.type, new Set([struct])))
  found.set(struct, fields)
  return fields
}

/** `seen`: types that are being looked through already; they may contain themselves. */
function hasShownEmpty(type: Type, seen: Set<Type>): boolean {
  if (type.is === 'list' || type.is === 'map') return hasShownEmpty(type.element, seen)
  if (type.is !== 'struct' || seen.has(type)) return false
  seen.add(type)
  return type.fields.some((field) => isShownEmpty(field) || hasShownEmpty(field.type, seen))
}
