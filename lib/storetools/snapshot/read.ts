import { createHash, type Hash } from 'node:crypto'
import { readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isRecord } from '../../base/index.ts'
import { parseJsonText } from '../../object/index.ts'
import { createRecordDecrypter, type DataEncryptionKeys, openDataKey } from '../../storage/index.ts'
import { reasonOf, type StoredEntry, StoreToolError } from '../contract.ts'
import {
  contextOf,
  decodeEntry,
  digestBytes,
  firstLines,
  lengthBytes,
  recordBytesMax,
  recordTypes,
  type SnapshotHeader,
} from './format.ts'

/** Maximum number of entries of one snapshot: each takes 20 bytes of memory. */
const entriesMaxDefault = 50_000_000
const chunkBytes = 1024 * 1024

/** A snapshot that was read to its end: every record is complete, and the checksum matches. */
export interface OpenSnapshot {
  readonly header: SnapshotHeader
  readonly entries: number
  /** In order of their mod revisions. The value owns its memory. */
  inOrder(): Iterable<StoredEntry>
  close(): Promise<void>
}

export interface OpenSnapshotOptions {
  /** Throws for an entry that the target can't store. */
  readonly accept?: (entry: StoredEntry) => void
  readonly entriesMax?: number
  /** For an encrypted one; others are read as well. */
  readonly keys?: DataEncryptionKeys | undefined
}

/** Decrypts the record at a position, counted from the header on. Throws BadSnapshot. */
type Decrypt = (position: number, record: Buffer) => Buffer

/** Rejects with StoreToolError for a file that is no snapshot, or is incomplete. */
export async function openSnapshot(path: string, options: OpenSnapshotOptions = {}): Promise<OpenSnapshot> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    throw new StoreToolError(`${path} can't be read: ${reasonOf(error)}`, { cause: error })
  }
  try {
    const { header, index, decrypt } = await verify(file, options)
    const order = index.sorted()
    return {
      header,
      entries: order.length,
      *inOrder() {
        for (const at of order) yield entryAt(file, index.offset(at), (record) => decrypt(at + 1, record))
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw new StoreToolError(`${path}: ${reasonOf(error)}`, { cause: error })
  }
}

class BadSnapshot extends StoreToolError {}

async function verify(
  file: FileHandle,
  { accept, keys, entriesMax = entriesMaxDefault }: OpenSnapshotOptions,
): Promise<{ header: SnapshotHeader; index: Index; decrypt: Decrypt }> {
  const input = new HashedInput(file, (await file.stat()).size)
  const decrypt = await begin(input, keys)
  const header = headerOf(decrypt(0, await record(input)))
  const index = new Index()
  let last: Buffer | undefined
  let valueBytes = 0
  for (;;) {
    const offset = input.position
    const body = decrypt(index.size + 1, await record(input))
    if (body[0] === recordTypes.end) {
      const { entries, valueBytes: expected } = textOf(body)
      if (entries !== index.size || expected !== valueBytes) throw new BadSnapshot('it is damaged: entries are missing')
      break
    }
    if (body[0] !== recordTypes.entry) throw new BadSnapshot('it is damaged: it has a record of unknown type')
    if (index.size >= entriesMax) throw new BadSnapshot(`it has more than ${entriesMax} entries`)
    const entry = checkedEntry(body)
    const key = Buffer.from(entry.key)
    if (last && Buffer.compare(last, key) >= 0) throw new BadSnapshot('it is damaged: its keys are not in order')
    if (entry.modRevision > header.revision) throw new BadSnapshot('it is damaged: an entry is newer than the snapshot')
    last = key
    valueBytes += entry.value.length
    index.add(offset, entry.modRevision)
    accept?.(entry)
  }
  await checkDigest(input)
  return { header, index, decrypt }
}

/** Reads the part before the header: how records are stored. */
async function begin(input: HashedInput, keys: DataEncryptionKeys | undefined): Promise<Decrypt> {
  const line = await input.take(firstLines.plain.length)
  if (line?.equals(firstLines.plain)) return (_, body) => body
  if (!line?.equals(firstLines.encrypted)) throw new BadSnapshot('it is no snapshot, or one of a later release')
  const wrapped = await record(input)
  if (wrapped[0] !== recordTypes.dataKey) throw new BadSnapshot('it is damaged: it has no data key')
  if (!keys) throw new BadSnapshot('it is encrypted, and no data encryption key is given')
  const decrypter = createRecordDecrypter(openDataKey(keys, wrapped.subarray(1)).secret)
  return (position, body) => {
    try {
      return decrypter.decrypt(contextOf(position), body)
    } catch (error) {
      throw new BadSnapshot('it is damaged: a record is not authentic', { cause: error })
    }
  }
}

async function checkDigest(input: HashedInput): Promise<void> {
  const expected = input.digest()
  const digest = await input.take(digestBytes)
  if (!digest) throw cutOff()
  if (!digest.equals(expected)) throw new BadSnapshot('it is damaged: its checksum does not fit')
  if (!input.isAtEnd) throw new BadSnapshot('it is damaged: bytes follow its end')
}

/** The next record without its length. */
async function record(input: HashedInput): Promise<Buffer> {
  const length = (await input.take(lengthBytes))?.readUInt32LE(0)
  if (length === undefined) throw cutOff()
  if (length === 0 || length > recordBytesMax)
    throw new BadSnapshot(`it is damaged: it has a record of ${length} bytes`)
  const body = await input.take(length)
  if (!body) throw cutOff()
  return body
}

function cutOff(): BadSnapshot {
  return new BadSnapshot('it is cut off: its end is missing')
}

function headerOf(body: Buffer): SnapshotHeader {
  const { store, revision, takenAt } = body[0] === recordTypes.header ? textOf(body) : {}
  if ((store !== 'etcd' && store !== 'embedded') || typeof takenAt !== 'string' || !isRevision(revision))
    throw new BadSnapshot('it is damaged: it has no header')
  return { store, takenAt, revision }
}

function isRevision(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function textOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseJsonText(body.toString('utf8', 1))
    if (isRecord(value)) return value
  } catch {
    // Reported below.
  }
  throw new BadSnapshot('it is damaged: a record is not valid JSON')
}

function checkedEntry(body: Buffer): StoredEntry {
  let entry: StoredEntry
  try {
    entry = decodeEntry(body)
  } catch (error) {
    throw new BadSnapshot('it is damaged: an entry is too short', { cause: error })
  }
  const { key, createRevision, modRevision } = entry
  if (key === '' || !isRevision(modRevision) || !isRevision(createRevision) || createRevision > modRevision)
    throw new BadSnapshot(`it is damaged: the revisions of ${JSON.stringify(key)} are none`)
  return entry
}

function entryAt(file: FileHandle, offset: number, decrypt: (record: Buffer) => Buffer): StoredEntry {
  const head = Buffer.allocUnsafe(lengthBytes)
  readFully(file, head, offset)
  const body = Buffer.allocUnsafeSlow(Math.min(head.readUInt32LE(0), recordBytesMax))
  readFully(file, body, offset + lengthBytes)
  return checkedEntry(decrypt(body))
}

function readFully({ fd }: FileHandle, into: Buffer, position: number): void {
  for (let from = 0; from < into.length; ) {
    const count = readSync(fd, into, from, into.length - from, position + from)
    if (count === 0) throw new BadSnapshot('the snapshot became shorter while it was read')
    from += count
  }
}

/** Reads a file from its beginning, in chunks. */
class HashedInput {
  readonly #file: FileHandle
  readonly #size: number
  readonly #hash: Hash = createHash('sha256')
  #buffer = Buffer.alloc(0)
  #read = 0
  /** Position of the next byte that `take` returns. */
  position = 0

  constructor(file: FileHandle, size: number) {
    this.#file = file
    this.#size = size
  }

  get isAtEnd(): boolean {
    return this.position === this.#size
  }

  /** Undefined: fewer bytes are left. The result is valid until the next call. */
  async take(length: number): Promise<Buffer | undefined> {
    if (length > this.#size - this.position) return undefined
    while (this.#buffer.length < length) {
      const chunk = Buffer.allocUnsafe(Math.max(chunkBytes, length - this.#buffer.length))
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#read)
      if (bytesRead === 0) return undefined
      this.#read += bytesRead
      this.#buffer = Buffer.concat([this.#buffer, chunk.subarray(0, bytesRead)])
    }
    const taken = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    this.position += length
    this.#hash.update(taken)
    return taken
  }

  /** The checksum of all bytes taken so far. */
  digest(): Buffer {
    return this.#hash.copy().digest()
  }
}

/** Offsets of the entries in the file, and their mod revisions. */
class Index {
  #offsets = new Float64Array(1024)
  #revisions = new Float64Array(1024)
  size = 0

  add(offset: number, revision: number): void {
    if (this.size === this.#offsets.length) {
      this.#offsets = doubled(this.#offsets)
      this.#revisions = doubled(this.#revisions)
    }
    this.#offsets[this.size] = offset
    this.#revisions[this.size] = revision
    this.size++
  }

  offset(at: number): number {
    return this.#offsets[at] ?? 0
  }

  /** Offsets in order of revisions. */
  sorted(): Uint32Array {
    const revisions = this.#revisions
    return Uint32Array.from({ length: this.size }, (_, at) => at).sort(
      (a, b) => (revisions[a] ?? 0) - (revisions[b] ?? 0) || a - b,
    )
  }
}

function doubled(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2)
  larger.set(array)
  return larger
}
