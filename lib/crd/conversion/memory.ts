import { LRUCache } from 'lru-cache'
import type { Clock, Random } from '../../base/index.ts'

/** Bytes of all converted objects that a server remembers. */
const rememberedBytesMax = 64 * 1024 * 1024
/** An answer is shown for this long, so that a webhook that was mended is seen to be. */
const ageMsMax = 60_000
/** From this age on, each at a moment of its own, answers are asked for again by the next reader. */
const refreshMsMin = 30_000
const refreshMsMax = 55_000
/** Memory that a remembered object takes besides its bytes. */
const overheadBytes = 512

/** A converted object, in JSON, as it was when the webhook was asked. Never changed. */
export interface Converted {
  readonly item: Uint8Array
  readonly untilMs: number
  readonly refreshMs: number
}

/** The converted objects of all definitions, those that were not asked for longest forgotten first. */
export class ConversionMemory {
  readonly #clock: Clock
  readonly #random: Random
  readonly #known = new LRUCache<string, Converted>({
    maxSize: rememberedBytesMax,
    sizeCalculation: ({ item }, key) => item.byteLength + key.length + overheadBytes,
  })

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  get bytes(): number {
    return this.#known.calculatedSize
  }

  /** Undefined: it is not known, or too old. */
  get(key: string): Converted | undefined {
    const converted = this.#known.get(key)
    if (!converted || this.#clock.monotonicMs() < converted.untilMs) return converted
    this.#known.delete(key)
    return undefined
  }

  /** Whether it is time to ask for it again; says so once. */
  isDue(key: string, converted: Converted): boolean {
    if (this.#clock.monotonicMs() < converted.refreshMs) return false
    this.#known.set(key, { ...converted, refreshMs: converted.untilMs })
    return true
  }

  set(key: string, item: Uint8Array): Converted {
    const now = this.#clock.monotonicMs()
    const refreshMs = now + refreshMsMin + this.#random.fraction() * (refreshMsMax - refreshMsMin)
    const converted = { item, untilMs: now + ageMsMax, refreshMs }
    this.#known.set(key, converted)
    return converted
  }

  /** Forgets all keys that begin so. */
  forget(prefix: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(prefix)) this.#known.delete(key)
  }
}
