import { type CelType, runtimeTypeName, types } from '../check/types.ts'
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts'

/** The type of a value, as a value. */
export function typeOf(value: Value): TypeValue {
  const type = celType(value)
  return new TypeValue(type, runtimeTypeName(type))
}

function celType(value: Value): CelType {
  switch (typeof value) {
    case 'string':
      return types.string
    case 'boolean':
      return types.bool
    case 'number':
    case 'bigint':
      return types.int
    default:
      break
  }
  if (value === null) return types.null
  if (value instanceof Uint) return types.uint
  if (value instanceof Double) return types.double
  if (value instanceof Bytes) return types.bytes
  if (value instanceof Timestamp) return types.timestamp
  if (value instanceof Duration) return types.duration
  if (value instanceof ListValue) return types.list(types.dyn)
  if (value instanceof MapValue) return types.map(types.dyn, types.dyn)
  if (value instanceof TypeValue) return types.type
  // Expressions see data of declared objects as maps with fields.
  if (value instanceof ObjectValue && !value.isMade) return types.map(types.dyn, types.dyn)
  if (value instanceof Optional) return types.optional(types.dyn)
  return types.opaque(value.typeName)
}
