import { createHash } from 'node:crypto'

/**
 * The hash of a flow: the first eight bytes, little endian, of SHA-256 over the flow schema's name, a zero byte and the
 * flow's distinguisher.
 */
export function hashFlow(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(schema).update('\0').update(distinguisher).digest().readBigUInt64LE(0)
}

/**
 * Shuffle sharding: deals `handSize` of `deckSize` distinct queues from a hash. Example: with 3 queues and a hand of 2,
 * the hash 5 has the digits 5 mod 3 = 2 and (5 div 3) mod 2 = 1; the second digit counts the remaining queues, so that
 * the hand is [2, 1].
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const digits: number[] = []
  let rest = hash
  for (let at = 0; at < handSize; at++) {
    const base = BigInt(deckSize - at)
    digits.push(Number(rest % base))
    rest /= base
  }
  return digits.map((digit, at) => {
    let card = digit
    for (let before = at - 1; before >= 0; before--) if (card >= (digits[before] ?? 0)) card++
    return card
  })
}
