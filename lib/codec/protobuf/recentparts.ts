/** Smaller parts are made again in the time of a lookup. */
export const partBytesMin = 96
const partBytesMax = 16 * 1024
const setsOfBytes = 16
/** Parts of a set: parts of one length often differ in a byte that does not choose the set. */
const ways = 4
/** Number of bytes of a part that choose its set, beside its site and length. */
const samples = 8
/** Parts of a site with few hits are looked up once in so many times. */
const rareLooks = 64
const creditMax = 64
const creditAtFirst = 16
const creditOfHit = 4

interface RecentPartsOptions {
  /** Lengths of the parts that are kept. Default 96 bytes to 16 KiB. */
  readonly bytesMin?: number
  readonly bytesMax?: number
  /** Number of sets of parts. Default 16. */
  readonly sets?: number
}

interface RecentPart<Made> {
  readonly site: number
  /** The part's bytes, at the beginning of the buffer, which may be longer. */
  readonly bytes: Buffer
  readonly length: number
  readonly made: Made
}

/**
 * Caches the results for parts of messages. Objects of one template follow each other in a store, and most of their
 * bytes are equal: the containers of a Deployment's pods, the fields that a manager owns. Comparing bytes costs a small
 * part of reading them, and rarely run code isn't compiled.
 *  A site is the caller's number for the kind of result and the field. At most `sets * ways` parts of `bytesMax`
 *  bytes are kept, each in the set that its site, its length and some of its bytes choose, where it replaces the
 *  oldest.
 */
export class RecentParts<Made> {
  readonly #bytesMin: number
  readonly #bytesMax: number
  readonly #sets: number
  readonly #parts: (RecentPart<Made> | undefined)[]
  /** By site: rises with each hit, falls with each miss. */
  readonly #credits: number[] = []
  #rare = 0
  #nextWay = 0

  constructor({ bytesMin = partBytesMin, bytesMax = partBytesMax, sets = setsOfBytes }: RecentPartsOptions = {}) {
    this.#bytesMin = bytesMin
    this.#bytesMax = bytesMax
    this.#sets = sets
    this.#parts = Array<RecentPart<Made> | undefined>(sets * ways).fill(undefined)
  }

  /** Whether a part of this length should be looked up, and kept after a miss. */
  wants(site: number, length: number): boolean {
    if (length < this.#bytesMin || length > this.#bytesMax) return false
    return (this.#credits[site] ??= creditAtFirst) > 0 || ++this.#rare % rareLooks === 0
  }

  /** The kept result for the same bytes in this site. */
  find(site: number, bytes: Uint8Array, from: number, to: number): Made | undefined {
    const length = to - from
    const credit = this.#credits[site] ?? 0
    const set = this.#setOf(site, bytes, from, to)
    for (let at = set; at < set + ways; at++) {
      const part = this.#parts[at]
      if (part?.site !== site || part.length !== length) continue
      if (part.bytes.compare(bytes, from, to, 0, length) !== 0) continue
      this.#credits[site] = Math.min(credit + creditOfHit, creditMax)
      return part.made
    }
    this.#credits[site] = Math.max(credit - 1, 0)
    return undefined
  }

  keep(site: number, bytes: Uint8Array, from: number, to: number, made: Made): void {
    const length = to - from
    const at = this.#setOf(site, bytes, from, to) + (this.#nextWay++ % ways)
    const old = this.#parts[at]?.bytes
    const own = old !== undefined && old.length >= length ? old : Buffer.allocUnsafeSlow(length)
    own.set(bytes.subarray(from, to))
    this.#parts[at] = { site, bytes: own, length, made }
  }

  clear(): void {
    this.#parts.fill(undefined)
  }

  /** The index of a set's first part. */
  #setOf(site: number, bytes: Uint8Array, from: number, to: number): number {
    const step = Math.max(1, Math.trunc((to - from) / samples))
    let hash = Math.imul(site, 31) + to - from
    for (let at = from; at < to; at += step) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
    return ((hash >>> 16) % this.#sets) * ways
  }
}
