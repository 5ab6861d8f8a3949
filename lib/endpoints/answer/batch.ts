import type { CacheWatchEvent } from '../../cache/index.ts'

type EncodeFrame = (event: CacheWatchEvent) => readonly Uint8Array[]

/** The frames of one delivery of events in one encoding. */
export class Batch {
  /** Bytes of each frame of an object, for the metrics; bookmarks are not counted. */
  readonly sizes: readonly number[]
  /** Number of its frames. */
  readonly frames: number
  #parts: Uint8Array[] = []

  constructor(events: readonly CacheWatchEvent[], encode: EncodeFrame) {
    const sizes: number[] = []
    for (const event of events) {
      let size = 0
      for (const part of encode(event)) {
        this.#parts.push(part)
        size += part.byteLength
      }
      if (event.type !== 'BOOKMARK') sizes.push(size)
    }
    this.sizes = sizes
    this.frames = events.length
  }

  /** The bytes, which the caller sends one after the other. */
  get parts(): readonly Uint8Array[] {
    return this.#parts
  }

  /** The batch for more than one watcher: its parts are joined once for all of them. */
  shared(): Batch {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)]
    return this
  }
}

/**
 * Makes one batch for all watchers of a delivery whose frames have the same form: the cache gives them all the same
 * array. Forms differ by identity.
 */
export type Batches = (events: readonly CacheWatchEvent[], form: object, encode: EncodeFrame) => Batch

export function createBatches(): Batches {
  // A delivery's batches live as long as its array does: until its last watcher has received it.
  const made = new WeakMap<readonly CacheWatchEvent[], Map<object, Batch>>()
  // Most watchers get the same array as the previous one.
  let lastEvents: readonly CacheWatchEvent[] | undefined
  let lastForm: object | undefined
  let lastBatch: Batch | undefined

  function batchOf(events: readonly CacheWatchEvent[], form: object, encode: EncodeFrame): Batch {
    const forms = made.get(events)
    const known = forms?.get(form)
    if (known) return known.shared()
    const batch = new Batch(events, encode)
    if (forms) forms.set(form, batch)
    else made.set(events, new Map([[form, batch]]))
    return batch
  }

  return (events, form, encode) => {
    if (lastBatch !== undefined && events === lastEvents && form === lastForm) return lastBatch.shared()
    lastBatch = batchOf(events, form, encode)
    lastEvents = events
    lastForm = form
    return lastBatch
  }
}
