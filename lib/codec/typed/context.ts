/** Results of decoding one body besides the object. */
export interface DecodeContext {
  /** The body has a field that its struct doesn't have. */
  unknown: boolean
  /** Number of keys of all objects; the text has more when it has duplicates. */
  keys: number
}

export function newDecodeContext(): DecodeContext {
  return { unknown: false, keys: 0 }
}

/** The number of keys of all objects in an embedded value. */
export function countKeys(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item)
    return keys
  }
  for (const key in value) keys += 1 + countKeys((value as Record<string, unknown>)[key])
  return keys
}
