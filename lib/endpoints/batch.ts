import type { FrameForm, WatchEvent } from '../cache/index.ts'

/** What one delivery of events comes to in one form. */
export interface Batch {
  readonly bytes: Uint8Array
  /** Bytes of each frame of an object, for the metrics; bookmarks don't count. */
  readonly sizes: readonly number[]
  readonly frames: number
}

/** Joins the frames of a delivery once for all watchers that get it: the cache hands them all the same array. */
export type Batches = (events: readonly WatchEvent[], form: FrameForm) => Batch

export function createBatches(): Batches {
  // A delivery's batches live as long as its array does: until its last watcher has it.
  const made = new WeakMap<readonly WatchEvent[], Map<FrameForm, Batch>>()
  // Most watchers get what the one before them got.
  let lastEvents: readonly WatchEvent[] | undefined
  let lastForm: FrameForm | undefined
  let lastBatch: Batch | undefined

  function batchOf(events: readonly WatchEvent[], form: FrameForm): Batch {
    const forms = made.get(events)
    const known = forms?.get(form)
    if (known) return known
    const batch = joinFrames(events, (event) => event.frame(form))
    if (forms) forms.set(form, batch)
    else made.set(events, new Map([[form, batch]]))
    return batch
  }

  return (events, form) => {
    if (lastBatch !== undefined && events === lastEvents && form === lastForm) return lastBatch
    lastBatch = batchOf(events, form)
    lastEvents = events
    lastForm = form
    return lastBatch
  }
}

export function joinFrames(events: readonly WatchEvent[], encode: (event: WatchEvent) => Uint8Array): Batch {
  const frames: Uint8Array[] = []
  const sizes: number[] = []
  for (const event of events) {
    const frame = encode(event)
    frames.push(frame)
    if (event.type !== 'BOOKMARK') sizes.push(frame.byteLength)
  }
  const [only] = frames
  return { bytes: frames.length === 1 && only ? only : Buffer.concat(frames), sizes, frames: frames.length }
}
