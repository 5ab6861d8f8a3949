import { closeSync, openSync, writeSync } from 'node:fs'
import type { Clock } from '../../../lib/base/index.ts'
import { FlagError } from '../../../lib/flags/index.ts'
import { formatVersion, type RecordedLine, type RecordingHead } from '../recording/index.ts'

/** A line's own fields; the writer adds the time. */
type Unwritten = RecordedLine extends infer Line
  ? Line extends unknown
    ? Omit<Line, 'atMs'> & { atMs?: number }
    : never
  : never

export interface RecordingWriter {
  /** Milliseconds since the start. */
  nowMs(): number
  write(line: Unwritten): void
  /** True once the file has its largest size. */
  readonly isFull: boolean
  close(): void
}

/** Room for the line that says that the recording is not complete. */
const truncationBytes = 100

/** Opens a new file. Throws FlagError when there is one of its name, and where it can't be written. `onFailure` is called once. */
export function createRecordingWriter(
  { clock }: { readonly clock: Clock },
  path: string,
  bytesMax: number,
  onFailure: (message: string) => void,
): RecordingWriter {
  const file = openNew(path)
  const startMs = clock.monotonicMs()
  const nowMs = (): number => Math.round(clock.monotonicMs() - startMs)
  let bytes = 0
  let isFull = false
  const append = (value: object): void => {
    try {
      appendLine(value)
    } catch (error) {
      // A full disk ends the recording, not the requests.
      isFull = true
      onFailure(error instanceof Error ? error.message : String(error))
    }
  }
  const appendLine = (value: object): void => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`)
    if (bytes + line.length > bytesMax - truncationBytes) {
      isFull = true
      bytes += writeSync(file, `${JSON.stringify({ type: 'truncated', atMs: nowMs() })}\n`)
    } else bytes += writeSync(file, line)
  }
  const head: RecordingHead = { pilothouseRecording: formatVersion, startedAt: new Date(clock.now()).toISOString() }
  append(head)
  return {
    nowMs,
    write(line) {
      if (!isFull) append({ atMs: nowMs(), ...line })
    },
    get isFull() {
      return isFull
    },
    close: () => closeSync(file),
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (cause) {
    throw new FlagError(`--out: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
