/** Overhead counted for each entry in addition to its name and value (RFC 7541, section 4.1). */
const entryBytes = 32
/** The table's size before the peer changes it, and the smallest ring. */
const initialBytes = 4096
const initialPlaces = 16

/**
 * The entries that a peer has added, the newest at index 0 (RFC 7541, section 2.3.2). They are in a ring that grows
 * with them, so that adding and evicting makes no garbage.
 */
export class DynamicTable {
  readonly #bytesMaxMax: number
  #bytesMax: number
  #bytes = 0
  #names: string[] = []
  #values: string[] = []
  /** Position of the oldest. */
  #oldest = 0
  #size = 0

  /** `bytesMax`: how large the peer may make it. */
  constructor(bytesMax: number) {
    this.#bytesMaxMax = bytesMax
    this.#bytesMax = Math.min(initialBytes, bytesMax)
  }

  get size(): number {
    return this.#size
  }

  /** The name at an index, which must be smaller than the size. */
  name(index: number): string {
    return this.#names[this.#placeOf(index)] ?? ''
  }

  value(index: number): string {
    return this.#values[this.#placeOf(index)] ?? ''
  }

  /**
   * Adds an entry and evicts the oldest until it fits; one that never fits empties the table (RFC 7541, section 4.4).
   */
  add(name: string, value: string): void {
    const bytes = name.length + value.length + entryBytes
    this.#evict(this.#bytesMax - bytes)
    if (bytes > this.#bytesMax) return
    if (this.#size === this.#names.length) this.#grow()
    const place = (this.#oldest + this.#size) & (this.#names.length - 1)
    this.#names[place] = name
    this.#values[place] = value
    this.#size++
    this.#bytes += bytes
  }

  /** The peer changes the size (RFC 7541, section 4.3); false when it may not. */
  resize(bytesMax: number): boolean {
    if (bytesMax > this.#bytesMaxMax) return false
    this.#bytesMax = bytesMax
    this.#evict(bytesMax)
    return true
  }

  #evict(bytesLeft: number): void {
    while (this.#size > 0 && this.#bytes > bytesLeft) {
      const place = this.#oldest
      this.#bytes -= (this.#names[place] ?? '').length + (this.#values[place] ?? '').length + entryBytes
      this.#names[place] = ''
      this.#values[place] = ''
      this.#oldest = (place + 1) & (this.#names.length - 1)
      this.#size--
    }
  }

  #placeOf(index: number): number {
    return (this.#oldest + this.#size - 1 - index) & (this.#names.length - 1)
  }

  /** Doubles the ring; its size is a power of two. */
  #grow(): void {
    const places = Math.max(initialPlaces, this.#names.length * 2)
    const names = Array.from({ length: places }, () => '')
    const values = Array.from({ length: places }, () => '')
    for (let age = 0; age < this.#size; age++) {
      names[age] = this.name(this.#size - 1 - age)
      values[age] = this.value(this.#size - 1 - age)
    }
    this.#names = names
    this.#values = values
    this.#oldest = 0
  }
}
