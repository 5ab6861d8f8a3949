import { createHash } from 'node:crypto'

/** `sha256:…`: the form in which metrics and errors name a secret. */
export function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
