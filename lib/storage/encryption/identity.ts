import { copied, startsWith, TransformError, type Transformer } from './transformer.ts'

const encryptedPrefix = Buffer.from('k8s:enc:')

const encryptedText = 'identity transformer tried to read encrypted data'

/** Why a value can't be read where nothing is decrypted; undefined: it is not encrypted. */
export function encryptedProblem(stored: Uint8Array): string | undefined {
  return startsWith(stored, 0, encryptedPrefix) ? encryptedText : undefined
}

/** Values are stored as they are. Reading one that is encrypted fails. */
export const identity: Transformer = {
  decrypt(stored, from) {
    if (startsWith(stored, from, encryptedPrefix)) throw new TransformError(encryptedText)
    return { value: from === 0 ? stored : copied(stored, from), stale: false }
  },
  encrypt: (value) => [value],
}
