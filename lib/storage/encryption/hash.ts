import { createHash } from 'node:crypto'

/** `sha256:…`, as metrics and errors name what must not be shown itself. */
export function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
