/**
 * The bytes themselves when they hold no memory beyond themselves, else a copy, for whoever keeps them: small buffers are
 * cut from pools that live as long as any of their parts.
 */
export function inOwnMemory(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}
