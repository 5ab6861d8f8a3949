import type { DescribeKey } from '../etcd/recorder.ts'
import { plain, type TransformerOf } from './transformers.ts'

/** Values outside of the store in the form in which the store would hold them. */
export interface Sealing {
  /** Rejects with TransformError. */
  seal(key: string, value: Uint8Array): Promise<Uint8Array>
  /** Whether the configuration of today would write the value with the same provider and key. Never rejects. */
  isCurrent(key: string, sealed: Uint8Array): Promise<boolean>
  /** The values of the key's resource are stored as they are. */
  isPlain(key: string): boolean
}

export function createSealing(describeKey: DescribeKey, transformerOf: TransformerOf): Sealing {
  const found = (key: string) => transformerOf(describeKey(key))
  return {
    async seal(key, value) {
      const parts = await found(key).transformer.encrypt(value, key)
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    async isCurrent(key, sealed) {
      try {
        return !(await found(key).transformer.decrypt(sealed, 0, key)).stale
      } catch {
        return false
      }
    },
    isPlain: (key) => found(key) === plain,
  }
}
