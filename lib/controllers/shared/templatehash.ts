import { wordless } from './wordless.ts'

/**
 * A short hash of a template: FNV-1a over its JSON with sorted keys, and over the number of collisions. The stock
 * controller hashes Go's textual form instead; both find sets by comparing templates, so that each can take over the
 * other's.
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
