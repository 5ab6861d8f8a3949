import type { LogFields } from '../base/index.ts'

const secretName = /token|authorization|passw(or)?d|secret|credential|private.?key|cookie/i
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]+/gi
const pemKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g
const depthMax = 4
const hidden = '[redacted]'

/**
 * A second line of defence, as rooms don't log secrets: hides fields with the name of one, and texts that look like
 * credentials in a header. Errors become their message and code; values nested deeper than four levels are left out.
 */
export function redactFields(fields: LogFields): Record<string, unknown> {
  return redactMembers(fields, depthMax)
}

export function redactText(text: string): string {
  if (text.length < 7) return text
  return text.replace(bearer, `$1 ${hidden}`).replace(pemKey, hidden)
}

function redactMembers(members: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      isSecret(name, value) ? hidden : redactValue(value, depth - 1),
    ]),
  )
}

/** Numbers and booleans are counts and settings (`tokenCount`, `secretsEnabled`). */
function isSecret(name: string, value: unknown): boolean {
  return secretName.test(name) && typeof value !== 'number' && typeof value !== 'boolean' && value !== undefined
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Error) return describeError(value)
  if (value instanceof Uint8Array) return `[${value.length} bytes]`
  if (typeof value !== 'object' || value === null) return value
  if (depth <= 0) return '[…]'
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth - 1))
  return redactMembers(value, depth)
}

function describeError(error: Error): string {
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return redactText(`${error.message}${code}${cause}`)
}
