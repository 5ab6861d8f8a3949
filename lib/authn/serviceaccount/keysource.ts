import type { TokenKey } from './keys.ts'

/** The keys that verify tokens of service accounts. */
export interface TokenKeySource {
  /** Keys that may have this id; '' for a token that names no key. Asks for new keys where none is known. */
  find(keyId: string): readonly TokenKey[] | Promise<readonly TokenKey[]>
  /** The keys for other verifiers. */
  published(): readonly TokenKey[]
  /** Seconds for which other verifiers may keep the published keys. */
  publishedSeconds(): number
}

/** Keys that never change. */
export function fixedKeys(keys: readonly TokenKey[]): TokenKeySource {
  return { find: () => keys, published: () => keys, publishedSeconds: () => 3600 }
}
