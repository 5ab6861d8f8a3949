import type * as NodeCrypto from 'node:crypto'

/** Random numbers as a dependency, so that tests and simulations can seed it. */
export interface Random {
  /** Cryptographically strong in the system's implementation. */
  bytes(count: number): Uint8Array
  /** A version 4 UUID in lower case. */
  uuid(): string
  /** In [0, 1). */
  fraction(): number
  /** An integer in [0, below). */
  below(below: number): number
}

export const systemRandom: Random = createSystemRandom()

/** Node's cryptography is loaded by the first call: `--help` has no use for it. */
function createSystemRandom(): Random {
  let loaded: typeof NodeCrypto | undefined
  const crypto = (): typeof NodeCrypto => (loaded ??= process.getBuiltinModule('node:crypto'))
  return {
    bytes: (count) => crypto().randomBytes(count),
    uuid: () => crypto().randomUUID(),
    fraction: () => Math.random(),
    below: (below) => Math.floor(Math.random() * below),
  }
}

/** A repeatable source (mulberry32) for simulations and tests; not for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(next() * 256))
  return {
    bytes,
    fraction: next,
    below: (below) => Math.floor(next() * below),
    uuid() {
      const raw = bytes(16)
      raw[6] = ((raw[6] ?? 0) & 0x0f) | 0x40
      raw[8] = ((raw[8] ?? 0) & 0x3f) | 0x80
      const hex = Buffer.from(raw).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}
