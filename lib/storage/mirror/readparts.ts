import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import type { MirrorPart } from './footer.ts'

/** Threads that read one file. The event loop has other work during a start, and few machines have but one core. */
const readers = 2
/** Up to so many bytes are not worth a thread, each of which takes some 30 ms to start. */
const bytesOfLoop = 32 * 1024 * 1024

/**
 * The program of a thread, as text: as a file it would need a place in each form in which the programs are delivered. It
 * needs nothing but Node.
 *  The memory is shared, as V8 does not count that: for each 64 MiB of other buffers that come, it collects the whole
 * heap, in vain.
 */
const program = `
const { readSync } = require('node:fs')
const { parentPort, workerData: { fd, parts } } = require('node:worker_threads')
const { crc32 } = require('node:zlib')

function read({ at, bytes, crc }) {
  const memory = new SharedArrayBuffer(bytes)
  const buffer = Buffer.from(memory)
  for (let done = 0, count; done < bytes; done += count) {
    count = readSync(fd, buffer, done, bytes - done, at + done)
    if (count === 0) throw new RangeError('it is cut short')
  }
  if (crc32(buffer) !== crc) throw new RangeError('the part at ' + at + ' is damaged')
  return memory
}

parentPort.postMessage(parts.map(read))
`

/**
 * Reads parts of a file, in threads if they have more than `withoutThreads` bytes together. Rejects with RangeError where one
 * is damaged or the file ends, and with the system's errors. The file must stay open meanwhile.
 */
export async function readParts(
  file: FileHandle,
  parts: readonly MirrorPart[],
  { withoutThreads = bytesOfLoop }: { readonly withoutThreads?: number } = {},
): Promise<ReadonlyMap<MirrorPart, Buffer>> {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const read = new Map<MirrorPart, Buffer>()
  if (bytes <= withoutThreads) {
    for (const part of parts) read.set(part, await readPart(file, part))
    return read
  }
  const shares = Array.from({ length: readers }, (_, reader) => parts.filter((_, at) => at % readers === reader))
  const results = await Promise.allSettled(
    shares.map(async (share) => {
      const found = await readShare(file.fd, share)
      share.forEach((part, at) => read.set(part, Buffer.from(found[at] ?? new SharedArrayBuffer(0))))
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return read
}

async function readPart(file: FileHandle, { at, bytes, crc }: MirrorPart): Promise<Buffer> {
  const buffer = await readAt(file, at, bytes)
  if (crc32(buffer) !== crc) throw new RangeError(`the part at ${at} is damaged`)
  return buffer
}

/** Rejects with RangeError where the file ends. The buffer has its memory for itself. */
export async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  if (at < 0) throw new RangeError('it is cut short')
  const buffer = Buffer.allocUnsafeSlow(bytes)
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, at + done)
    if (bytesRead === 0) throw new RangeError('it is cut short')
    done += bytesRead
  }
  return buffer
}

async function readShare(fd: number, parts: readonly MirrorPart[]): Promise<readonly SharedArrayBuffer[]> {
  const thread = new Worker(program, {
    eval: true,
    workerData: { fd, parts },
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<readonly SharedArrayBuffer[]>()
  thread.on('message', resolve)
  thread.on('error', reject)
  thread.on('exit', () => reject(new Error('the thread ended')))
  return await promise
}
