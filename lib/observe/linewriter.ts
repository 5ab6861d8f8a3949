import { write, writeSync } from 'node:fs'
import type { Clock, Closable } from '../base/index.ts'

interface LineWriterOptions {
  readonly descriptor: number
  /** Lines wait until they are so many bytes, or until `writeOut`. */
  readonly bufferBytes: number
  /** Bytes that may wait for a slow reader; further lines are dropped. */
  readonly pendingBytesMax: number
  readonly onDropped: () => void
}

/** Characters of one write at most, unless a line has more. */
const chunkCharactersMax = 64 * 1024
/** A full pipe is tried again after this time. */
const busyMs = 100
/** A flush ends where a full pipe takes nothing in so many tries. */
const busyTriesMax = 10

/**
 * Writes lines to a file descriptor, one write at a time, without waiting for the reader. Lines are discarded once the
 * reader has gone.
 */
export class LineWriter {
  readonly #clock: Clock
  readonly #options: LineWriterOptions
  #lines: string[] = []
  /** Bytes of `#lines` and `#chunk`. */
  #bytes = 0
  /** Lines whose write has begun. */
  #chunk: Buffer | undefined
  #isWriting = false
  /** All lines are to be written, however few. */
  #isWanted = false
  #retry: Closable | undefined
  #readerHasGone = false

  constructor(clock: Clock, options: LineWriterOptions) {
    this.#clock = clock
    this.#options = options
  }

  write(line: string): void {
    if (this.#readerHasGone) return
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.#options.pendingBytesMax) return this.#options.onDropped()
    this.#lines.push(line)
    this.#bytes += bytes
    if (this.#bytes >= this.#options.bufferBytes) this.#next()
  }

  /** Writes all lines soon. */
  writeOut(): void {
    this.#isWanted = true
    this.#next()
  }

  /** Writes all lines before it returns. It waits for a reader that is slow, not for one that has gone. */
  flush(): void {
    void this.#retry?.close()
    this.#retry = undefined
    // A write that another thread has begun ends there.
    let chunk = this.#isWriting ? this.#take() : (this.#chunk ?? this.#take())
    let busyTries = 0
    while (chunk.length > 0)
      try {
        const written = writeSync(this.#options.descriptor, chunk)
        busyTries = 0
        this.#bytes -= written
        chunk = written < chunk.length ? chunk.subarray(written) : this.#take()
      } catch (error) {
        if (!isBusy(error) || ++busyTries === busyTriesMax) break
        waitMs(busyMs)
      }
    this.#bytes -= chunk.length
    if (!this.#isWriting) this.#chunk = undefined
  }

  #next(): void {
    if (this.#isWriting || this.#retry) return
    if (this.#chunk === undefined) {
      if (this.#bytes === 0 || (!this.#isWanted && this.#bytes < this.#options.bufferBytes)) return
      this.#chunk = this.#take()
      this.#isWanted &&= this.#lines.length > 0
    }
    this.#isWriting = true
    write(this.#options.descriptor, this.#chunk, (error, written) => this.#ended(error, written))
  }

  #ended(error: NodeJS.ErrnoException | null, written: number): void {
    this.#isWriting = false
    if (error === null) {
      const rest = this.#chunk?.subarray(written)
      this.#chunk = rest?.length === 0 ? undefined : rest
      this.#bytes -= written
      this.#next()
    } else if (isBusy(error)) {
      this.#retry = this.#clock.after(busyMs, () => {
        this.#retry = undefined
        this.#next()
      })
    } else {
      this.#options.onDropped()
      if (error.code === 'EPIPE') this.#discard()
    }
  }

  /** The next lines as bytes, none where there are none. */
  #take(): Buffer {
    let characters = 0
    let count = 0
    for (const line of this.#lines) {
      if (count > 0 && characters + line.length > chunkCharactersMax) break
      characters += line.length
      count++
    }
    return Buffer.from(this.#lines.splice(0, count).join(''))
  }

  #discard(): void {
    this.#readerHasGone = true
    this.#lines = []
    this.#chunk = undefined
    this.#bytes = 0
  }
}

/** The pipe is full, or the file is locked for a moment. */
function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY'
}

function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
