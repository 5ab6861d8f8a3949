import { createHash, type Hash } from 'node:crypto'
import { reasonOf, StoreToolError } from '../contract.ts'
import { writeNewFile } from '../snapshot/newfile.ts'
import type { EtcdConnection } from './connect.ts'

/** The database ends with the SHA-256 of itself, and has pages of 512 bytes at least. */
const digestBytes = 32
const pageBytes = 512

/**
 * The database of one member as etcd itself streams it, in the form that `etcdutl snapshot restore` takes. Rejects with
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

/** Compares the last bytes of a stream with the checksum of those before. */
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
