import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Clock, type Counter, ensureFolder, type Logger } from '../base/index.ts'
import { eventPrefix, legacyLine } from './event.ts'
import type { Delivery, WrittenEvent } from './sink.ts'

export interface AuditLogOptions {
  readonly format: 'json' | 'legacy'
  /** Size in bytes at which a file is rotated. 0: 100 MiB. */
  readonly bytesMax: number
  /** Rotated files to keep; 0: all. */
  readonly backupsMax: number
  /** Days to keep them; 0: forever. */
  readonly daysMax: number
  readonly compress: boolean
  /** Several processes write to the file: one rotates it, and the others follow. */
  readonly shared?: 'rotates' | 'follows' | undefined
}

/** Writes lines; throws, or rejects later, when it can't. */
export interface LineOutput {
  write(text: string): void | Promise<void>
  close(): void | Promise<void>
}

/**
 * Writes events as lines. Those of one turn of the event loop are written together at its end; `deliver` writes before
 * it returns, if the output does.
 */
export function createLogDelivery(
  { clock, log, errors }: { clock: Clock; log: Logger; errors: Counter },
  output: LineOutput,
  { format }: Pick<AuditLogOptions, 'format'>,
): Delivery {
  let pending = ''
  let events = 0
  const lineOf = ({ event, text }: WrittenEvent): string =>
    format === 'json' ? `${eventPrefix}${text}\n` : `${legacyLine(event)}\n`

  function flush(): void {
    if (pending === '') return
    const text = pending
    const count = events
    pending = ''
    events = 0
    const lost = (error: unknown): void => {
      errors.add(['log'], count)
      log.error('audit events lost', { sink: 'log', events: count, error })
    }
    try {
      output.write(text)?.catch(lost)
    } catch (error) {
      lost(error)
    }
  }

  return {
    name: 'log',
    deliver(batch) {
      flush()
      return output.write(batch.map(lineOf).join(''))
    },
    append(event) {
      if (pending === '') clock.soon(flush)
      pending += lineOf(event)
      events += 1
    },
    close() {
      flush()
      return output.close()
    },
  }
}

const defaultBytesMax = 100 * 1024 * 1024
const dayMs = 24 * 3600 * 1000

/**
 * A file that is rotated when it is full: the time becomes part of its name (`audit-2030-01-02T03-04-05.678.log`), and
 * the oldest rotated files are deleted. Throws when the file can't be opened.
 */
export function openLogFile(
  { clock, log }: { clock: Clock; log: Logger },
  path: string,
  { bytesMax, backupsMax, daysMax, compress, shared }: AuditLogOptions,
): LineOutput {
  const limit = bytesMax > 0 ? bytesMax : defaultBytesMax
  const folder = dirname(path)
  const extension = extname(path)
  const stem = basename(path, extension)
  ensureFolder(folder, 0o755)
  let file = openSync(path, 'a', 0o600)
  let size = fstatSync(file).size
  let finishedMs = 0
  let tidying = Promise.resolve()
  let closed = false

  /**
   * Files that fill within one millisecond are named after later milliseconds: a rename would replace the earlier file.
   */
  function nextFinished(): string {
    for (finishedMs = Math.max(clock.now(), finishedMs + 1); ; finishedMs += 1) {
      const time = new Date(finishedMs).toISOString().slice(0, -1).replaceAll(':', '-')
      const finished = join(folder, `${stem}-${time}${extension}`)
      if (!existsSync(finished) && !existsSync(`${finished}.gz`)) return finished
    }
  }

  /** The descriptor changes last, so that there still is an open file after a failure. */
  function rotate(): void {
    // An external rotator may have moved the file.
    if (existsSync(path)) renameSync(path, nextFinished())
    reopen()
    tidying = tidying.then(tidy).catch((error: unknown) => log.error('old audit logs are not tidied up', { error }))
  }

  function reopen(): void {
    const next = openSync(path, 'a', 0o600)
    closeSync(file)
    file = next
    size = fstatSync(file).size
  }

  /** Others write to the file, and one of them may have rotated it. */
  function lookAgain(): void {
    const own = fstatSync(file)
    if (statSync(path, { throwIfNoEntry: false })?.ino === own.ino) size = own.size
    else reopen()
  }

  async function tidy(): Promise<void> {
    const finished = finishedFiles(folder, stem, extension)
    const oldestMs = daysMax > 0 ? clock.now() - daysMax * dayMs : 0
    for (const [index, name] of finished.entries()) {
      const whole = join(folder, name)
      if ((backupsMax > 0 && index >= backupsMax) || statSync(whole).mtimeMs < oldestMs) rmSync(whole, { force: true })
      else if (compress && !name.endsWith('.gz')) await pack(whole)
    }
  }

  return {
    write(text) {
      const bytes = Buffer.from(text)
      if (shared !== undefined) lookAgain()
      if (size > 0 && size + bytes.length > limit && shared !== 'follows') rotate()
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      size += bytes.length
    },
    async close() {
      if (!closed) closeSync(file)
      closed = true
      await tidying
    },
  }
}

/** The latest first: their names contain their times. */
function finishedFiles(folder: string, stem: string, extension: string): string[] {
  const rest = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}/
  return readdirSync(folder)
    .filter((name) => name.startsWith(stem) && rest.test(name.slice(stem.length)))
    .filter((name) => name.endsWith(extension) || name.endsWith(`${extension}.gz`))
    .sort()
    .reverse()
}

async function pack(path: string): Promise<void> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz`, { mode: 0o600 }))
  rmSync(path, { force: true })
}
