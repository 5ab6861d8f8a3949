import { createHash } from 'node:crypto'

const program = 'kube-apiserver'

/** The identity of the API server of a machine, as the stock server makes it: the same on every start. */
export function serverId(hostName: string): string {
  const named = createHash('sha256').update(lengthPrefixed(hostName)).update(lengthPrefixed(program))
  return `apiserver-${base32(named.digest().subarray(0, 16))}`
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text)
  const whole = Buffer.alloc(2 + bytes.length)
  whole.writeUInt16BE(bytes.length)
  bytes.copy(whole, 2)
  return whole
}

/** RFC 4648, in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}
