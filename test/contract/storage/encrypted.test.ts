import { setImmediate } from 'node:timers/promises'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { createMemoryStore, type TransformerOf } from '../../../lib/storage/index.ts'
import { encrypted, transformersOf } from '../../support/encryption.ts'
import { testStore } from './suite.ts'

const ttl = { seconds: 1, waitMs: 5000 }

for (const provider of ['aesgcm:one', 'aescbc:one', 'secretbox:one', 'identity'])
  testStore(`memory, encrypted by ${provider}`, {
    open: async () =>
      encrypted(createMemoryStore({ clock: systemClock, log: silentLogger }), transformersOf({ secrets: [provider] })),
    ttl,
  })

/** Every other value takes a while, as with a key service. */
function slowly(transformerOf: TransformerOf): TransformerOf {
  let count = 0
  return (resource) => {
    const { members, transformer } = transformerOf(resource)
    const slow = async <Value>(work: () => Value): Promise<Value> => {
      await setImmediate()
      return work()
    }
    return {
      members,
      transformer: {
        decrypt: (stored, from, context) =>
          count++ % 2 === 0
            ? slow(() => transformer.decrypt(stored, from, context)).then((result) => result)
            : transformer.decrypt(stored, from, context),
        encrypt: (value, context) => slow(() => transformer.encrypt(value, context)).then((result) => result),
      },
    }
  }
}

testStore('memory, encrypted by what takes a while', {
  open: async () =>
    encrypted(
      createMemoryStore({ clock: systemClock, log: silentLogger }),
      slowly(transformersOf({ secrets: ['aesgcm:one'] })),
    ),
  ttl,
})
