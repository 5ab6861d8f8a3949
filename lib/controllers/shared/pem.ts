/** Bytes are base64 in JSON. */
export function pemOf(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString('latin1')
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : ''
}
