/** Maximum number of uids in one check: 512 MB of memory. */
const uidsMax = 1 << 25

const offset = 0xcbf2_9ce4_8422_2325n
const prime = 0x100_0000_01b3n
const mask = 0xffff_ffff_ffff_ffffn

/**
 * A set of uids in eight bytes each, for 60 bits of the uid. Two of ten million uids collide with a probability of
 * about 1 in 20,000, and then hide a finding; they never add a false one.
 */
export class UidSet {
  readonly #max: number
  #slots = new BigUint64Array(1 << 10)
  #size = 0

  constructor(max: number = uidsMax) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /** False: the set is full. */
  add(uid: string): boolean {
    if (this.#size * 2 >= this.#slots.length) {
      if (this.#slots.length >= this.#max * 2) return false
      this.#grow()
    }
    if (insert(this.#slots, codeOf(uid))) this.#size++
    return true
  }

  has(uid: string): boolean {
    const code = codeOf(uid)
    for (let at = slotOf(code, this.#slots.length); ; at = (at + 1) % this.#slots.length) {
      const found = this.#slots[at]
      if (found === 0n) return false
      if (found === code) return true
    }
  }

  /** Whether every member of this set is in the other one. */
  isWithin(other: UidSet): boolean {
    return this.#slots.every((code) => code === 0n || other.#hasCode(code))
  }

  #hasCode(code: bigint): boolean {
    for (let at = slotOf(code, this.#slots.length); ; at = (at + 1) % this.#slots.length) {
      const found = this.#slots[at]
      if (found === 0n || found === code) return found === code
    }
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2)
    for (const code of this.#slots) if (code !== 0n) insert(larger, code)
    this.#slots = larger
  }
}

/** False: it exists already. */
function insert(slots: BigUint64Array, code: bigint): boolean {
  for (let at = slotOf(code, slots.length); ; at = (at + 1) % slots.length) {
    if (slots[at] === code) return false
    if (slots[at] !== 0n) continue
    slots[at] = code
    return true
  }
}

function slotOf(code: bigint, length: number): number {
  return Number((code ^ (code >> 32n)) & 0xffff_ffffn) % length
}

/** Never 0, which marks free slots. Random UUIDs are their own hash; other texts get one (FNV-1a). */
function codeOf(uid: string): bigint {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-4([0-9a-f]{3})-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(uid)
  if (digits) return (BigInt(`0x${digits[1]}${digits[2]}${digits[3]}`) << 1n) | 1n
  let hash = offset
  for (const byte of Buffer.from(uid)) hash = ((hash ^ BigInt(byte)) * prime) & mask
  return hash | 1n
}
