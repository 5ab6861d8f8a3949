/** Structural equality of JSON values, regardless of the order of keys; absent equals undefined. */
export function deepEqual(left: unknown, right: unknown): boolean {
  return equal(left, right, false)
}

/**
 * As deepEqual, but null, absent and [] are equal: an object that only differs in these has not changed. {} differs
 * from absent: a selector {} selects everything, an absent one nothing. (For a map they would be equal, but empty maps
 * don't survive decoding.) Quantities and times compare as text; canonical texts of one value and family are equal.
 */
export function semanticEqual(left: unknown, right: unknown): boolean {
  return equal(left, right, true)
}

/**
 * A text that is equal for two values exactly when semanticEqual (`semantic`) or deepEqual finds them equal: a key for
 * look-ups.
 */
export function equalityKey(value: unknown, { semantic = false } = {}): string {
  if (semantic && isEmpty(value)) return 'null'
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = (item: unknown): string => equalityKey(item, { semantic })
  if (Array.isArray(value)) return `[${value.map(inner).join(',')}]`
  const record = value as Record<string, unknown>
  const keys = Object.keys(record).filter((key) => !isMissing(record[key], semantic))
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${inner(record[key])}`)
    .join(',')}}`
}

function equal(left: unknown, right: unknown, semantic: boolean): boolean {
  if (left === right) return true
  if (semantic && isEmpty(left) && isEmpty(right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    // An int64 beyond 2^53 is a bigint; the same number may have either type.
    return typeof left !== typeof right && isNumeric(left) && isNumeric(right) && Number(left) === Number(right)
      ? BigInt(left) === BigInt(right)
      : Object.is(left, right)
  }
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right, semantic)
  if (Array.isArray(right)) return false
  return equalRecords(left as Record<string, unknown>, right as Record<string, unknown>, semantic)
}

function equalLists(left: readonly unknown[], right: readonly unknown[], semantic: boolean): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) if (!equal(left[index], right[index], semantic)) return false
  return true
}

function equalRecords(left: Record<string, unknown>, right: Record<string, unknown>, semantic: boolean): boolean {
  // Plain objects inherit no enumerable properties, and a list of their keys costs time.
  let shared = 0
  for (const key in left) {
    if (Object.hasOwn(right, key)) {
      shared++
      if (!equal(left[key], right[key], semantic)) return false
    } else if (!isMissing(left[key], semantic)) return false
  }
  let others = -shared
  for (const _ in right) others++
  // Looking up each one takes as long as everything above.
  if (others > 0)
    for (const key in right) if (!Object.hasOwn(left, key) && !isMissing(right[key], semantic)) return false
  return true
}

function isMissing(value: unknown, semantic: boolean): boolean {
  return value === undefined || (semantic && isEmpty(value))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}
