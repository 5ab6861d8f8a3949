const wordBits = 32
const full = 0xffff_ffff

/** A fixed number of bits; whole words are read and changed at once. */
export class BitSet {
  readonly #size: number
  readonly #words: Uint32Array
  #ones = 0

  constructor(size: number) {
    this.#size = size
    this.#words = new Uint32Array(Math.ceil(size / wordBits))
  }

  /** The number of set bits. */
  get ones(): number {
    return this.#ones
  }

  /** Sets the bits from `first` to `last`, inclusive; returns how many were clear. None where `last` is less. */
  set(first: number, last: number): number {
    return this.#change(first, last, (word, mask) => word | mask)
  }

  /** Clears the bits from `first` to `last`; returns how many were set. */
  clear(first: number, last: number): number {
    return this.#change(first, last, (word, mask) => word & ~mask)
  }

  /** The first bit from `from` on that is not set. */
  firstZero(from: number): number | undefined {
    for (let index = Math.floor(from / wordBits); index < this.#words.length; index++) {
      const before = index * wordBits < from ? maskOf(0, (from % wordBits) - 1) : 0
      const free = ~((this.#words[index] ?? 0) | before) >>> 0
      if (free === 0) continue
      const found = index * wordBits + (wordBits - 1 - Math.clz32(free & -free))
      return found < this.#size ? found : undefined
    }
    return undefined
  }

  #change(first: number, last: number, to: (word: number, mask: number) => number): number {
    let changed = 0
    for (let index = Math.floor(first / wordBits); index * wordBits <= last; index++) {
      const start = index * wordBits
      const before = this.#words[index] ?? 0
      const after = to(before, maskOf(Math.max(0, first - start), Math.min(wordBits - 1, last - start))) >>> 0
      if (before === after) continue
      this.#words[index] = after
      const difference = onesIn(after) - onesIn(before)
      this.#ones += difference
      changed += Math.abs(difference)
    }
    return changed
  }
}

/** A mask of the bits from `first` to `last` of a word; 0 where `last` is less. */
function maskOf(first: number, last: number): number {
  if (last < first) return 0
  return ((full << first) & (full >>> (wordBits - 1 - last))) >>> 0
}

function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
