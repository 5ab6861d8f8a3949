import { createHash, type Hash } from 'node:crypto'
import { reasonOf, StoreToolError } from '../contract.ts'
import { writeNewFile } from '../snapshot/newfile.ts'
import type { EtcdConnection } from './connect.ts'

/** The database is followed by its SHA-256, and has pages of at least 512 bytes. */
const digestBytes = 32
const pageBytes = 512

/**
 * Writes the database of one member as etcd streams it, in the form for `etcdutl snapshot restore`. Rejects with
 * StoreToolError; then there is no file.
 */
export async function writeNativeSnapshot(connection: EtcdConnection, path: string): Promise<{ bytes: number }> {
  return await writeNewFile(path, async (write) => {
    const digest = new TrailingDigest()
    let bytes = 0
    try {
      for await (const blob of connection.snapshot()) {
        digest.add(blob)
        bytes += blob.length
        await write(blob)
      }
    } catch (error) {
      throw new StoreToolError(`the snapshot broke off: ${reasonOf(error)}`, { cause: error })
    }
    if (bytes % pageBytes !== digestBytes || !digest.fits())
      throw new StoreToolError(`the snapshot is not whole: its checksum does not fit its ${bytes} bytes`)
    return { bytes }
  })
}

/** Compares the last bytes of a stream with the checksum of the bytes before. */
class TrailingDigest {
  readonly #hash: Hash = createHash('sha256')
  #tail = Buffer.alloc(0)

  add(chunk: Uint8Array): void {
    const all = Buffer.concat([this.#tail, chunk])
    const end = Math.max(0, all.length - digestBytes)
    this.#hash.update(all.subarray(0, end))
    this.#tail = Buffer.from(all.subarray(end))
  }

  fits(): boolean {
    return this.#hash.digest().equals(this.#tail)
  }
}
