import { isRecord } from '../../base/index.ts'
import type { JsonValue } from '../../object/index.ts'
import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
import { goType, illegalBase64, ownParsers } from './explain.ts'

/**
 * The error that clients see for a tree (the result of a patch) that does not fit its struct, with the text of
 * Kubernetes' converter of unstructured content, for the first wrong field of the struct. Undefined when it fits, or
 * for errors that only a text shows (integers out of range).
 */
export function explainTree(tree: JsonValue, struct: StructType): string | undefined {
  return mismatch(tree, struct, undefined)
}

function mismatch(value: JsonValue | undefined, type: Type, field: Field | undefined): string | undefined {
  if (value === null || value === undefined) return undefined
  switch (type.is) {
    case 'any':
      return undefined
    case 'scalar':
      return scalarMismatch(value, type.scalar, field)
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`
      return first(value, (item) => mismatch(item, type.element, undefined))
    case 'map':
      if (!isRecord(value)) return `cannot restore map from ${goKind(value)}`
      return first(Object.values(value), (item) => mismatch(item, type.element, undefined))
    case 'struct':
      // A wrapper has its own parser.
      if (type.wrapper) return undefined
      if (!isRecord(value)) return `cannot restore struct from: ${goKind(value)}`
      return first(type.fields, (each) => {
        return Object.hasOwn(value, each.name) ? mismatch(value[each.name], each.type, each) : undefined
      })
  }
}

function scalarMismatch(value: JsonValue, scalar: ScalarName, field: Field | undefined): string | undefined {
  const own = ownParsers[scalar]
  if (own) return ownMismatch(value, own)
  const found = goKind(value)
  if (scalar === 'bytes') {
    if (typeof value !== 'string') return `cannot restore slice from ${found}`
    const at = illegalBase64(value)
    return at === undefined ? undefined : `error decoding from json: illegal base64 data at input byte ${at}`
  }
  const wanted = goKinds[scalar]
  if (found === wanted || (isGoNumber(found) && isGoNumber(wanted) && Number.isInteger(Number(value)))) return undefined
  // In Go numbers can be converted to each other, and integers to (one letter of) a string; here they must not be.
  const convertible = isGoNumber(found) && (isGoNumber(wanted) || (found === 'int64' && wanted === 'string'))
  return convertible
    ? `cannot convert ${found} to ${goType({ is: 'scalar', scalar }, field)}`
    : `unrecognized type: ${wanted}`
}

function ownMismatch(value: JsonValue, parse: (value: unknown) => string | undefined): string | undefined {
  try {
    return parse(Array.isArray(value) ? [] : isRecord(value) ? {} : value)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const goKinds: Partial<Readonly<Record<ScalarName, string>>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
}

function isGoNumber(kind: string | undefined): boolean {
  return kind === 'int32' || kind === 'int64' || kind === 'float64'
}

/** Go's kind of a tree's value. */
function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice'
  if (isRecord(value)) return 'map'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  return Number.isInteger(Number(value)) ? 'int64' : 'float64'
}

function first<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
