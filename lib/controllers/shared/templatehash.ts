import { wordless } from './wordless.ts'

/**
 * A short name for a template, the same for equal ones: FNV-1a over its JSON in order of keys, and over the count of
 * collisions. Not the stock controller's value, which hashes how Go prints the template; sets are told apart by comparing
 * templates, so that either takes over the other's.
 */
export function templateHash(template: unknown, collisions: number): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(`${ordered(template)}${collisions === 0 ? '' : String(collisions)}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  }
  return wordless(hash)
}

function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  entries.sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${ordered(each)}`).join(',')}}`
}
