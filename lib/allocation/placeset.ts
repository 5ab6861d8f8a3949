/**
 * The taken places of a range, for single reads and changes: each operation on a bigint copies all of it, and a range
 * may have a million places.
 */
export class PlaceSet {
  readonly #bytes: Uint8Array

  /** `bits`: the taken places, except those from `size` on. */
  constructor(size: number, bits = 0n) {
    this.#bytes = new Uint8Array(Math.ceil(size / 8))
    const hex = BigInt.asUintN(size, bits).toString(16)
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
    this.#bytes.set(bytes.reverse())
  }

  get bits(): bigint {
    const hex = Buffer.from(this.#bytes.toReversed()).toString('hex')
    return BigInt(`0x0${hex}`)
  }

  has(place: number): boolean {
    return ((this.#bytes[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
  }

  add(place: number): void {
    this.#bytes[place >> 3] = (this.#bytes[place >> 3] ?? 0) | (1 << (place & 7))
  }

  delete(place: number): void {
    this.#bytes[place >> 3] = (this.#bytes[place >> 3] ?? 0) & ~(1 << (place & 7))
  }
}
