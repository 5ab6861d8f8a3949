import type { ApiObject } from '../object/index.ts'
import type { Field, StructType } from '../schema/index.ts'

/**
 * Gives a new object the blank status that it would have after being read from the store: strategies drop a status that
 * clients send, and clients of this process get this very object.
 */
export function addEmptyStatus(struct: StructType, object: ApiObject): void {
  if (object['status'] !== undefined) return
  const field = struct.byName.get('status')
  if (field && isAlwaysSet(field) && field.type.is === 'struct') object['status'] = blank(field.type)
}

function blank(struct: StructType): object {
  const value: Record<string, unknown> = {}
  for (const field of struct.fields) {
    if (!isAlwaysSet(field)) continue
    if (field.type.is === 'struct') value[field.name] = blank(field.type)
    else if (field.type.is === 'scalar') value[field.name] = blankScalars[field.type.scalar] ?? 0
  }
  return value
}

const blankScalars: Readonly<Record<string, unknown>> = { string: '', bool: false, Quantity: '0', Duration: '0s' }

/** Decoding sets the field, whatever the bytes are. */
function isAlwaysSet({ type, pointer, omit }: Field): boolean {
  if (pointer || omit === 'zero') return false
  if (type.is === 'struct') return true
  if (type.is !== 'scalar' || type.scalar === 'bytes' || type.scalar === 'Time' || type.scalar === 'MicroTime')
    return false
  return omit === 'never' || type.scalar === 'Quantity' || type.scalar === 'Duration' || type.scalar === 'IntOrString'
}
