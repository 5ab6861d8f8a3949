/** NaCl's crypto_secretbox as its specification says, slow and plain: an oracle of its own for tests. `tag(16) ciphertext`. */
export function naclSecretbox(key: Uint8Array, nonce: Uint8Array, message: Uint8Array): Buffer {
  const derived = core(key, nonce.subarray(0, 16), false)
  const stream = Buffer.alloc(Math.ceil((32 + message.length) / 64) * 64)
  for (let block = 0; block * 64 < stream.length; block++) {
    const input = Buffer.alloc(16)
    input.set(nonce.subarray(16, 24))
    input.writeUInt32LE(block, 8)
    stream.set(core(derived, input, true), block * 64)
  }
  const body = Buffer.from(message.map((byte, at) => byte ^ (stream[32 + at] ?? 0)))
  return Buffer.concat([poly1305(stream.subarray(0, 32), body), body])
}

/** Salsa20's core over key and input: with `whole` the block of its stream, else HSalsa20's key. */
function core(key: Uint8Array, input: Uint8Array, whole: boolean): Buffer {
  const sigma = Buffer.from('expand 32-byte k')
  const layout = Buffer.concat([
    sigma.subarray(0, 4),
    key.subarray(0, 16),
    sigma.subarray(4, 8),
    input,
    sigma.subarray(8, 12),
    key.subarray(16, 32),
    sigma.subarray(12, 16),
  ])
  const start = Array.from({ length: 16 }, (_, at) => layout.readUInt32LE(at * 4))
  const words = [...start]
  const word = (at: number): number => words[at] ?? 0
  const quarter = (a: number, b: number, c: number, d: number): void => {
    for (const [to, one, two, by] of [
      [b, a, d, 7],
      [c, b, a, 9],
      [d, c, b, 13],
      [a, d, c, 18],
    ] as const) {
      const sum = (word(one) + word(two)) | 0
      words[to] = (word(to) ^ ((sum << by) | (sum >>> (32 - by)))) >>> 0
    }
  }
  for (let round = 0; round < 10; round++) {
    for (const [a, b, c, d] of [
      [0, 4, 8, 12],
      [5, 9, 13, 1],
      [10, 14, 2, 6],
      [15, 3, 7, 11],
      [0, 1, 2, 3],
      [5, 6, 7, 4],
      [10, 11, 8, 9],
      [15, 12, 13, 14],
    ] as const)
      quarter(a, b, c, d)
  }
  const out = whole ? words.map((each, at) => (each + (start[at] ?? 0)) >>> 0) : [0, 5, 10, 15, 6, 7, 8, 9].map(word)
  const bytes = Buffer.alloc(out.length * 4)
  for (const [at, each] of out.entries()) bytes.writeUInt32LE(each, at * 4)
  return bytes
}

function poly1305(key: Uint8Array, message: Uint8Array): Buffer {
  const little = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)
  const r = little(key.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
  let sum = 0n
  for (let at = 0; at < message.length; at += 16) {
    const block = message.subarray(at, at + 16)
    sum = ((sum + little(Buffer.concat([block, Buffer.from([1])]))) * r) % ((1n << 130n) - 5n)
  }
  const tag = (sum + little(key.subarray(16, 32))) & ((1n << 128n) - 1n)
  return Buffer.from(tag.toString(16).padStart(32, '0'), 'hex').reverse()
}
