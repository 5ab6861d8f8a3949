import type { Random } from '../base/index.ts'
import { type CheckTable, checkMessage, type Digest, isEmbedded, RecentParts } from '../codec/index.ts'

interface DigestValue {
  readonly low: number
  readonly high: number
}

/**
 * A digest of 53 bits over the watched fields. A struct's own digest is part of it, and is cached for a while. Its
 * start value and factors are random: clients, who don't know them, can't write two objects with the same digest to
 * pass one off for the other. Digests have no meaning outside of the process.
 */
export class FieldDigest implements Digest {
  fields = new Uint8Array(1024)
  /** Parts in canonical form, with their digests. */
  readonly #parts = new RecentParts<DigestValue>()
  readonly #texts = new RecentParts<true>()
  readonly #lowStart: number
  readonly #highStart: number
  /** Odd, so that no bit is lost. */
  readonly #lowFactor: number
  readonly #highFactor: number
  #low = 0
  #high = 0
  #changed = false

  constructor(random: Random) {
    const drawn = Buffer.from(random.bytes(16))
    this.#lowStart = drawn.readInt32LE(0)
    this.#highStart = drawn.readInt32LE(4)
    this.#lowFactor = drawn.readInt32LE(8) | 1
    this.#highFactor = drawn.readInt32LE(12) | 1
  }

  begin(): void {
    this.#low = this.#lowStart
    this.#high = this.#highStart
  }

  get value(): number {
    return (this.#high >>> 11) * 2 ** 32 + (this.#low >>> 0)
  }

  /** `isPresence`: of a scalar, only its presence counts. */
  watch(fieldId: number, isPresence = false): void {
    const known = this.fields[fieldId]
    if (known === watched.value || (isPresence && known === watched.presence)) return
    if (fieldId >= this.fields.length) {
      const larger = new Uint8Array(fieldId * 2)
      larger.set(this.fields)
      this.fields = larger
    }
    this.fields[fieldId] = isPresence ? watched.presence : watched.value
    this.#changed = true
    this.#parts.clear()
  }

  /** Whether fields have been added since the last call. */
  takeChanged(): boolean {
    const changed = this.#changed
    this.#changed = false
    return changed
  }

  add(value: number): void {
    this.#low = Math.imul(this.#low ^ value, this.#lowFactor) + (this.#high >>> 15)
    this.#high = Math.imul(this.#high ^ value, this.#highFactor) + (this.#low >>> 13)
  }

  isCanonicalPart(
    table: CheckTable,
    fieldId: number,
    bytes: Uint8Array,
    from: number,
    to: number,
    on: boolean,
  ): boolean {
    const outerLow = this.#low
    const outerHigh = this.#high
    this.begin()
    const isCanonical = this.#checkPart(table, on ? 2 * fieldId + 1 : 2 * fieldId, bytes, from, to, on)
    const low = this.#low
    const high = this.#high
    this.#low = outerLow
    this.#high = outerHigh
    if (on) {
      this.add(low)
      this.add(high)
    }
    return isCanonical
  }

  /** Stores the part's own digest. */
  #checkPart(table: CheckTable, site: number, bytes: Uint8Array, from: number, to: number, on: boolean): boolean {
    if (!this.#parts.wants(site, to - from)) return checkMessage(table, bytes, from, to, this, on)
    const known = this.#parts.find(site, bytes, from, to)
    if (known) {
      this.#low = known.low
      this.#high = known.high
      return true
    }
    if (!checkMessage(table, bytes, from, to, this, on)) return false
    this.#parts.keep(site, bytes, from, to, { low: this.#low, high: this.#high })
    return true
  }

  isEmbedded(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.#texts.wants(0, to - from)) return isEmbedded(bytes, from, to)
    if (this.#texts.find(0, bytes, from, to)) return true
    if (!isEmbedded(bytes, from, to)) return false
    this.#texts.keep(0, bytes, from, to, true)
    return true
  }

  addBytes(fieldId: number, bytes: Uint8Array, from: number, to: number): void {
    this.add(fieldId)
    if (this.fields[fieldId] === watched.presence) return this.add(presenceOf(bytes, from, to))
    this.add(to - from)
    let low = this.#low
    let high = this.#high
    const lowFactor = this.#lowFactor
    const highFactor = this.#highFactor
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      low = Math.imul(low ^ byte, lowFactor)
      high = Math.imul(high ^ byte, highFactor) + (low >>> 13)
    }
    this.#low = low
    this.#high = high
  }
}

const watched = { value: 1, presence: 2 } as const

/** A number that differs for an empty string and any other, and for a zero and any other number. */
function presenceOf(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return 2
  return 1
}
