import { LRUCache } from 'lru-cache'
import type { Clock, Random } from '../../base/index.ts'

/** Maximum number of bytes of all converted objects that a server caches. */
const rememberedBytesMax = 64 * 1024 * 1024
/** Maximum age of an answer, so that a repaired webhook takes effect. */
const ageMsMax = 60_000
/** From this age on, at a random moment, the next reader requests the answer again. */
const refreshMsMin = 30_000
const refreshMsMax = 55_000
/** Memory of a cached object besides its bytes. */
const overheadBytes = 512

/** A converted object, in JSON, as the webhook answered it. Never changed. */
export interface Converted {
  readonly item: Uint8Array
  readonly untilMs: number
  readonly refreshMs: number
}

/** The converted objects of all definitions; drops the least recently used first. */
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

  /** Undefined: unknown, or too old. */
  get(key: string): Converted | undefined {
    const converted = this.#known.get(key)
    if (!converted || this.#clock.monotonicMs() < converted.untilMs) return converted
    this.#known.delete(key)
    return undefined
  }

  /** Whether the answer should be requested again; true only once. */
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

  /** Drops all keys with this prefix. */
  forget(prefix: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(prefix)) this.#known.delete(key)
  }
}
