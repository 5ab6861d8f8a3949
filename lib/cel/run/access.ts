import { wholeNumber } from './compare.ts'
import { invalidArgument, noSuchKey, noSuchOverload } from './errors.ts'
import { Double, ListValue, MapValue, ObjectValue, Optional, Uint, type Value } from './values.ts'

/** `operand.field` */
export function selectField(operand: Value, field: string): Value {
  if (operand instanceof ObjectValue || operand instanceof MapValue) {
    const value = operand.get(field)
    return value === undefined ? noSuchKey(field) : value
  }
  if (operand instanceof Optional) return optionalField(operand, field)
  return noSuchOverload()
}

/** `has(operand.field)` */
export function hasField(operand: Value, field: string): boolean {
  if (operand instanceof ObjectValue || operand instanceof MapValue) return operand.get(field) !== undefined
  if (operand instanceof Optional) return operand.value !== undefined && hasField(operand.value, field)
  return noSuchOverload()
}

/** `operand.?field` */
export function optionalField(operand: Value, field: string): Optional {
  if (operand instanceof Optional) return operand.value === undefined ? operand : optionalField(operand.value, field)
  if (operand instanceof ObjectValue || operand instanceof MapValue) return asOptional(operand.get(field))
  return noSuchOverload()
}

function asOptional(value: Value | undefined): Optional {
  return value instanceof Optional ? value : new Optional(value)
}

/** `operand[key]` */
export function index(operand: Value, key: Value): Value {
  if (operand instanceof ListValue) {
    const at = listIndex(key)
    if (at < 0 || at >= operand.size) return invalidArgument(`index out of bounds: ${at}`)
    return operand.at(at)
  }
  if (operand instanceof Optional) return optionalIndex(operand, key)
  const value = keyed(operand, key)
  return value === undefined ? noSuchKey(keyText(key)) : value
}

/** `operand[?key]` */
export function optionalIndex(operand: Value, key: Value): Optional {
  if (operand instanceof Optional) return operand.value === undefined ? operand : optionalIndex(operand.value, key)
  if (operand instanceof ListValue) {
    const at = listIndex(key)
    return asOptional(at < 0 || at >= operand.size ? undefined : operand.at(at))
  }
  return asOptional(keyed(operand, key))
}

function keyed(operand: Value, key: Value): Value | undefined {
  if (operand instanceof MapValue) return operand.get(mapKey(key))
  if (operand instanceof ObjectValue && typeof key === 'string') return operand.get(key)
  return noSuchOverload()
}

function listIndex(key: Value): number {
  if (typeof key === 'number') return key
  const plain = key instanceof Uint ? key.value : key instanceof Double ? wholeNumber(key.value) : key
  if (typeof plain === 'number') return plain
  if (typeof plain === 'bigint') return invalidArgument(`index out of bounds: ${plain}`)
  return noSuchOverload()
}

function mapKey(key: Value): Value {
  switch (typeof key) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return key
    default:
      return key instanceof Uint || key instanceof Double ? key : noSuchOverload()
  }
}

export function keyText(key: Value): string {
  if (key instanceof Uint || key instanceof Double) return String(key.value)
  return typeof key === 'object' ? 'null' : String(key)
}

/** A key of a map literal; throws for a value of another type. */
export function literalKey(key: Value): string | boolean | number | bigint | Uint {
  switch (typeof key) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return key
    default:
      if (key instanceof Uint) return key
      return invalidArgument('unsupported key type')
  }
}
