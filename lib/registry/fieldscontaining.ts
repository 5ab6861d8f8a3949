import type { Field, StructType, Type } from '../schema/index.ts'

/**
 * For each struct the wanted fields, and the fields with wanted ones below them: a search for rare fields skips types
 * that can't contain them. Computed once a struct.
 */
export function fieldsContaining(isWanted: (field: Field) => boolean): (struct: StructType) => readonly Field[] {
  const found = new WeakMap<StructType, readonly Field[]>()

  /** `seen`: structs that are being examined; they may contain themselves. */
  function leads(field: Field, seen: ReadonlySet<Type>): boolean {
    if (isWanted(field)) return true
    const struct = innermost(field.type)
    if (struct.is !== 'struct' || seen.has(struct)) return false
    const within = new Set([...seen, struct])
    return struct.fields.some((below) => leads(below, within))
  }

  return (struct) => {
    const known = found.get(struct)
    if (known) return known
    const fields = struct.fields.filter((field) => leads(field, new Set([struct])))
    found.set(struct, fields)
    return fields
  }
}

/** The innermost element type of lists and maps. */
export function innermost(type: Type): Type {
  return type.is === 'list' || type.is === 'map' ? innermost(type.element) : type
}
