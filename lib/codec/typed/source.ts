import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'

// Fragments of generated source that the decoders of all formats share.

/**
 * Statement that assigns the value of a field to the result `r`, or omits it when it is zero and the table says so.
 * `zeroStruct` gives the expression of a zero struct. Helpers are in `H`.
 */
export function assignment(
  { name, type, omit, pointer, emptyDiffers }: Field,
  value: string,
  zeroStruct: (type: StructType) => string,
): string {
  const target = `r[${JSON.stringify(name)}]`
  const when = (condition: string): string => `if (${condition}) ${target} = ${value};`
  const present = `${value} !== undefined`
  if (type.is === 'any') return when(`${present} && ${value} !== null`)
  if (pointer) return when(present)
  if (type.is === 'list') return when(omit === 'never' || emptyDiffers ? present : `${present} && ${value}.length > 0`)
  if (type.is === 'map') return when(omit === 'never' ? present : `${present} && !H.isEmpty(${value})`)
  if (type.is === 'struct') {
    if (omit === 'zero') return when(`${present} && !H.isEmpty(${value})`)
    return `${target} = ${present} ? ${value} : ${zeroStruct(type)};`
  }
  const zero = zeroOf(type)
  // Bytes are a slice in Go: none and empty differ where they are always written.
  if (zero === 'undefined' || (type.scalar === 'bytes' && omit === 'never')) return when(present)
  if (omit === 'never' || structured.has(type.scalar)) return `${target} = ${present} ? ${value} : ${zero};`
  return when(`${present} && ${value} !== ${zero}`)
}

/** The fields of JSON Schema's either-or: the schema, and the alternative to it. */
export function wrapperFields(struct: StructType): { schema: Field; other: Field } {
  const schema = struct.byName.get('schema')
  const other = struct.fields.find((field) => field !== schema)
  if (!schema || !other) throw new Error(`${struct.name} is no wrapper`)
  return { schema, other }
}

/** The zero value as source; 'undefined' where it has no JSON form. */
export function zeroOf(type: Type): string {
  switch (type.is) {
    case 'list':
      return '[]'
    case 'map':
      return '{}'
    case 'scalar':
      return zeros[type.scalar]
    case 'any':
    case 'struct':
      return 'undefined'
  }
}

/** Scalars that are structs in Go: omitempty never drops them. */
export const structured: ReadonlySet<ScalarName> = new Set<ScalarName>(['Quantity', 'Duration', 'IntOrString'])

const zeros: Readonly<Record<ScalarName, string>> = {
  string: "''",
  bool: 'false',
  int32: '0',
  int64: '0',
  double: '0',
  bytes: "''",
  Time: 'undefined',
  MicroTime: 'undefined',
  Duration: "'0s'",
  Quantity: "'0'",
  IntOrString: '0',
}
