/** A block of memory that neighbouring entries share since their load. */
interface Block {
  readonly memory: ArrayBufferLike
  readonly firstKey: string
  lastKey: string
  /** Bytes that entries use. */
  used: number
}

/** An entry, as a block that is to be freed sees it. */
interface BlockUser {
  /** Copies its bytes if they are in this memory. */
  leave(memory: ArrayBufferLike): void
}

/** Maximum number of blocks that are freed at a time: each has some mebibyte, half of which is copied. */
const freedAtOnce = 16

/**
 * Counts the entries whose bytes are parts of one block. A load brings blocks rather than an array for each value, which
 * would cost the collector of garbage more than all else that a load does. A block is freed when less than half of it is
 * in use, by copying the rest, so that blocks take at most twice the bytes of their entries.
 */
export class SharedBlocks {
  readonly #blocks = new WeakMap<ArrayBufferLike, Block>()
  /** Blocks of the newest load: none of their entries has left. */
  #loaded: Block[] = []
  #sparse: Block[] = []

  /** The entry of this key, which comes after those added before, uses these bytes. */
  add(key: string, bytes: Uint8Array): void {
    if (!isShared(bytes)) return
    const known = this.#blocks.get(bytes.buffer)
    if (known) {
      known.used += bytes.byteLength
      known.lastKey = key
      return
    }
    const block = { memory: bytes.buffer, firstKey: key, lastKey: key, used: bytes.byteLength }
    this.#blocks.set(bytes.buffer, block)
    this.#loaded.push(block)
  }

  /** All values of this memory are used by entries between these keys, both inclusive. */
  addWhole(memory: ArrayBufferLike, firstKey: string, lastKey: string, used: number): void {
    const block = { memory, firstKey, lastKey, used }
    this.#blocks.set(memory, block)
    this.#loaded.push(block)
  }

  /** A load has added all of its entries. */
  loaded(): void {
    this.#sparse = this.#loaded.filter(isSparse)
    this.#loaded = []
  }

  /** An entry no longer uses these bytes. */
  release(bytes: Uint8Array): void {
    const block = isShared(bytes) ? this.#blocks.get(bytes.buffer) : undefined
    if (!block) return
    const wasSparse = isSparse(block)
    block.used -= bytes.byteLength
    if (!wasSparse && isSparse(block)) this.#sparse.push(block)
  }

  /** Frees some of the blocks that are sparse. `visit`: calls back for the entries between two keys, both inclusive. */
  free(visit: (firstKey: string, lastKey: string, use: (entry: BlockUser) => void) => void): void {
    for (const { memory, firstKey, lastKey } of this.#sparse.splice(0, freedAtOnce))
      visit(firstKey, lastKey, (entry) => entry.leave(memory))
  }
}

function isShared(bytes: Uint8Array): boolean {
  return bytes.byteLength < bytes.buffer.byteLength
}

function isSparse({ memory, used }: Block): boolean {
  return used * 2 < memory.byteLength
}
