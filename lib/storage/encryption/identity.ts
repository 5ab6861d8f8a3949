import { copied, startsWith, TransformError, type Transformer } from './transformer.ts'

const encryptedPrefix = Buffer.from('k8s:enc:')

/** Values are stored as they are. Reading one that is encrypted fails. */
export const identity: Transformer = {
  decrypt(stored, from) {
    if (startsWith(stored, from, encryptedPrefix))
      throw new TransformError('identity transformer tried to read encrypted data')
    return { value: from === 0 ? stored : copied(stored, from), stale: false }
  },
  encrypt: (value) => [value],
}
