/** Whole numbers below a limit, the same for a seed. */
export type Random = (below: number) => number

export function seeded(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_769) | 1
  return (below) => {
    // A step of xorshift, of period 2^32 - 1.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
