import { createHash } from 'node:crypto'
import type { Clock, Random } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import { createFileDataKey, createRecordCipher, type DataEncryptionKeys, unfinishedKey } from '../../storage/index.ts'
import { type StoredEntry, type StoreReader, StoreToolError } from '../contract.ts'
import {
  contextOf,
  digestBytes,
  encodeEntry,
  encodeText,
  firstLines,
  frame,
  lengthBytes,
  recordTypes,
} from './format.ts'
import { writeNewFile } from './newfile.ts'

/** Records are collected to writes of about this size. */
const writeBytes = 1024 * 1024

export interface WrittenSnapshot {
  readonly revision: Revision
  readonly entries: number
  /** Size of the file. */
  readonly bytes: number
  readonly sha256: string
}

export interface SnapshotEncryption {
  readonly keys: DataEncryptionKeys
  readonly random: Random
}

/** Writes every key of the store at one revision to one file. Rejects with StoreToolError; then there is no file. */
export async function writeSnapshot(
  clock: Clock,
  reader: StoreReader,
  path: string,
  encryption?: SnapshotEncryption,
): Promise<WrittenSnapshot> {
  return await writeNewFile(path, async (write) => {
    const scan = await reader.scan({ lifetimes: true })
    try {
      const output = new HashedOutput(write)
      const takenAt = new Date(clock.now()).toISOString()
      const encrypt = await begin(output, encryption)
      await output.add(
        encrypt(encodeText(recordTypes.header, { store: reader.kind, revision: scan.revision, takenAt })),
      )
      let entries = 0
      let valueBytes = 0
      for await (const page of scan.pages())
        for (const entry of page) {
          refuseForeign(reader, entry)
          await output.add(encrypt(encodeEntry(entry)))
          entries++
          valueBytes += entry.value.length
        }
      await output.add(encrypt(encodeText(recordTypes.end, { entries, valueBytes })))
      const sha256 = await output.end()
      return { revision: scan.revision, entries, bytes: output.bytes, sha256 }
    } finally {
      scan.close()
    }
  })
}

/** Writes the part before the header, and returns the encoding of the following records. */
async function begin(
  output: HashedOutput,
  encryption: SnapshotEncryption | undefined,
): Promise<(record: Buffer) => Buffer> {
  if (!encryption) {
    await output.add(firstLines.plain)
    return (record) => record
  }
  const { keys, random } = encryption
  const { secret, wrapped } = createFileDataKey(keys, random)
  const cipher = createRecordCipher(secret, random)
  await output.add(firstLines.encrypted)
  await output.add(frame(Buffer.concat([Buffer.of(recordTypes.dataKey), wrapped])))
  let position = 0
  return (record) => frame(cipher.encrypt(contextOf(position++), record.subarray(lengthBytes)))
}

/** Throws for entries that no snapshot may hold: keys that are not text, and a store that is not complete. */
export function refuseForeign({ description }: StoreReader, { key, isForeign }: StoredEntry): void {
  if (isForeign) throw new StoreToolError(`the key ${JSON.stringify(key)} is no UTF-8: no API server wrote it`)
  if (key === unfinishedKey) throw new StoreToolError(`${description} is not whole: a restore did not end`)
}

class HashedOutput {
  readonly #write: (chunk: Uint8Array) => Promise<void>
  readonly #hash = createHash('sha256')
  #chunks: Uint8Array[] = []
  #waiting = 0
  bytes = 0

  constructor(write: (chunk: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk)
    this.#waiting += chunk.length
    if (this.#waiting >= writeBytes) await this.#flush()
  }

  /** Writes the checksum, and returns it. */
  async end(): Promise<string> {
    await this.#flush()
    const digest = this.#hash.digest()
    await this.#write(digest)
    this.bytes += digestBytes
    return digest.toString('hex')
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#waiting = 0
    this.#hash.update(chunk)
    this.bytes += chunk.length
    await this.#write(chunk)
  }
}
