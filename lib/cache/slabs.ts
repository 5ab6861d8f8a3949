/** Longer bytes have memory of their own. */
const sharedBytesMax = 8 * 1024
const slabBytes = 64 * 1024
/** A slab of which less than this counts is sparse; as much of all that is held may be wasted at most. */
const denseShare = 0.75
/** Below this much waste nothing is moved. */
const wasteBytesMin = 4 * 1024 * 1024

/** Memory that stretches share: taken from the front, and never written to again. */
interface Slab {
  readonly memory: Uint8Array
  usedBytes: number
  /** Of stretches that count. */
  liveBytes: number
}

/** Where some bytes are: in a slab, or all of `memory`. */
export interface Stretch {
  readonly length: number
  memory: Uint8Array
  at: number
  /** Undefined for memory of its own, and for what does not count any more. */
  slab: Slab | undefined
}

/** Bytes that somebody else keeps anyway. */
export function unsharedStretch(memory: Uint8Array): Stretch {
  return { length: memory.length, memory, at: 0, slab: undefined }
}

/** A view, which keeps the memory that it is in. */
export function bytesOf({ memory, at, length }: Stretch): Uint8Array {
  return length === memory.length ? memory : memory.subarray(at, at + length)
}

/**
 * Keeps many small byte arrays in a few large ones: an array of its own takes half a kilobyte besides its bytes. A slab's
 * memory goes when nobody refers to it any more; so that a few that stay don't keep a lot, whoever keeps stretches moves
 * those of sparse slabs together once much is wasted.
 */
export class Slabs {
  #current = newSlab()
  /** Of slabs with anything that counts. */
  #heldBytes = 0
  #liveBytes = 0

  get liveBytes(): number {
    return this.#liveBytes
  }

  /** Held, and of no use to anybody but those who still look at the past. */
  get wasteBytes(): number {
    return this.#heldBytes - this.#liveBytes
  }

  /** Moving would help: some slab is sparse. */
  get wasteful(): boolean {
    return this.wasteBytes > Math.max(wasteBytesMin, this.#heldBytes * (1 - denseShare))
  }

  /** A copy that counts until it is released; of long bytes it may be the array itself. */
  keep(bytes: Uint8Array): Stretch {
    const { length } = bytes
    if (length === 0 || length > sharedBytesMax)
      return unsharedStretch(length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))
    const stretch = unsharedStretch(bytes)
    this.#place(stretch, bytes)
    return stretch
  }

  /** It does not count any more; its bytes stay as they are. May be called again. */
  release(stretch: Stretch): void {
    const { slab, length } = stretch
    if (!slab) return
    stretch.slab = undefined
    slab.liveBytes -= length
    this.#liveBytes -= length
    if (slab.liveBytes === 0 && slab !== this.#current) this.#heldBytes -= slab.memory.length
  }

  /** Moves a stretch that counts out of a sparse slab. Views that there are of it stay good. */
  move(stretch: Stretch): void {
    const { slab } = stretch
    if (!slab || slab === this.#current || slab.liveBytes >= slab.memory.length * denseShare) return
    const bytes = bytesOf(stretch)
    this.release(stretch)
    this.#place(stretch, bytes)
  }

  #place(stretch: Stretch, bytes: Uint8Array): void {
    const { length } = bytes
    if (this.#current.usedBytes + length > slabBytes) this.#begin()
    const slab = this.#current
    if (slab.usedBytes === 0) this.#heldBytes += slabBytes
    slab.memory.set(bytes, slab.usedBytes)
    stretch.memory = slab.memory
    stretch.at = slab.usedBytes
    stretch.slab = slab
    slab.usedBytes += length
    slab.liveBytes += length
    this.#liveBytes += length
  }

  #begin(): void {
    const full = this.#current
    if (full.liveBytes === 0) this.#heldBytes -= slabBytes
    this.#current = newSlab()
  }
}

function newSlab(): Slab {
  // From the system as it is: nothing of it is read that has not been written.
  return { memory: Buffer.allocUnsafeSlow(slabBytes), usedBytes: 0, liveBytes: 0 }
}
