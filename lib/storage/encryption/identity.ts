import { copied, startsWith, TransformError, type Transformer } from './transformer.ts'

const encryptedPrefix = Buffer.from('k8s:enc:')

const encryptedText = 'identity transformer tried to read encrypted data'

/** Why a value can't be read without decryption; undefined: it is not encrypted. */
export function encryptedProblem(stored: Uint8Array): string | undefined {
  return startsWith(stored, 0, encryptedPrefix) ? encryptedText : undefined
}

/** Stores values as they are. Reading an encrypted one fails. */
export const identity: Transformer = {
  decrypt(stored, from) {
    if (startsWith(stored, from, encryptedPrefix)) throw new TransformError(encryptedText)
    return { value: from === 0 ? stored : copied(stored, from), stale: false }
  },
  encrypt: (value) => [value],
}
