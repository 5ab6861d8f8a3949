/**
 * The bytes themselves when they hold no memory beyond themselves, else a copy, for callers that keep them: small
 * buffers are parts of pools that live as long as any of their parts.
 */
export function inOwnMemory(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}

/** A copy of all of them, concatenated. */
export function joinedInOwnMemory(parts: readonly Uint8Array[]): Uint8Array {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
