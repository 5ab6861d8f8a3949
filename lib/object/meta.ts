/** Any JSON value from JSON.parse, plus bigint for an int64 beyond 2^53. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject
export interface JsonObject {
  [field: string]: JsonValue | undefined
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager?: string
  operation?: string
  apiVersion?: string
  time?: string
  fieldsType?: string
  /** The FieldsV1 object, as the embedded JSON value. */
  fieldsV1?: JsonValue
  subresource?: string
}

export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  selfLink?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: ManagedFieldsEntry[]
}

export interface ListMeta {
  selfLink?: string
  resourceVersion?: string
  continue?: string
  remainingItemCount?: number
  shardInfo?: { selector: string }
}

/**
 * An API object in memory, in the form of its JSON: times, quantities and durations are strings, bytes are base64,
 * int64 are numbers (bigint beyond 2^53), absent fields are absent keys (never null or undefined). Objects from the
 * cache are shared: to change one is to copy it (`copyObject`).
 */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  [field: string]: unknown
}

/**
 * The next generation of an object. Clients choose the first one of many kinds, so it may be any int64: a bigint beyond
 * 2^53, and the smallest after the largest, as in the stock server.
 */
export function nextGeneration({ generation = 0 }: ObjectMeta): number {
  // At runtime int64 beyond 2^53 are bigints (see JsonValue).
  const exact: number | bigint = generation
  if (typeof exact === 'number' && exact < Number.MAX_SAFE_INTEGER) return exact + 1
  return BigInt.asIntN(64, BigInt(exact) + 1n) as unknown as number
}

/** An object, or a part of one, as JSON: in memory they have that form already. */
export function jsonOf(value: object): JsonObject {
  return value as JsonObject
}

/** A deep copy. */
export function copyObject<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(copyObject) as T
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setField(copy, key, copyObject((value as Record<string, unknown>)[key]))
  return copy as T
}

/** Sets a key from a user: `__proto__` becomes plain data instead of a prototype. */
export function setField(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  else target[key] = value
}
