// `npm run bench -- --only=encryption`: the cost of encryption for a value of 1 KB on its way to and from the store.
import { randomBytes } from 'node:crypto'
import { silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import { createConfigCodec } from '../../lib/controlplane/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import {
  createEncryptedStore,
  createMemoryStore,
  openEncryption,
  parseEncryptionConfiguration,
} from '../../lib/storage/index.ts'
import { configurationOf } from '../support/encryption.ts'
import { startKeyService } from '../support/keyservice.ts'

type Record = (name: string, cost: string, more: string) => void

const values = 20_000
const rounds = 5
const pageKeys = 1000

export async function benchEncryption(record: Record): Promise<void> {
  const service = await startKeyService()
  try {
    for (const provider of ['identity', 'aescbc:one', 'aesgcm:one', 'secretbox:one', `kms:vault@${service.path}`])
      await benchProvider(record, provider)
  } finally {
    await service.remove()
  }
}

/** Reads as the cache does: in pages, as the resource is loaded. The time of the store below is subtracted. */
async function benchProvider(record: Record, provider: string): Promise<void> {
  const metrics = createMetrics()
  const resource = { group: '', resource: 'secrets' }
  const dependencies = { clock: systemClock, random: systemRandom, log: silentLogger, metrics, serverIdHash: '' }
  const text = configurationOf({ secrets: [provider] })
  const rules = parseEncryptionConfiguration({ text, file: 'bench' }, createConfigCodec(), { reload: false })
  const encryption = await openEncryption(dependencies, rules)
  const below = createMemoryStore({ clock: systemClock, log: silentLogger })
  const store = createEncryptedStore(below, {
    clock: systemClock,
    metrics,
    describeKey: () => resource,
    transformerOf: encryption.transformerOf,
  })
  const keys = Array.from(
    { length: values },
    (_, number) => `/registry/secrets/default/s${String(number).padStart(6, '0')}`,
  )
  const value = randomBytes(1024)
  const writing = await microseconds(
    async () => void (await Promise.all(keys.map((key) => store.create(key, value)))),
    1,
  )
  const readAll = async (of: typeof store): Promise<void> => {
    for (let start = '/registry/'; ; ) {
      const page = await of.range({ start, end: '/registry0', limit: pageKeys, uncounted: true })
      const last = page.values.at(-1)
      if (!page.more || !last) return
      start = `${last.key}\0`
    }
  }
  const plain = await microseconds(() => readAll(below), rounds)
  const read = await microseconds(() => readAll(store), rounds)
  const name = provider.replace(/:.*/, '')
  record(
    `encryption, ${name}`,
    `${(read - plain).toFixed(1)} µs a read`,
    `1 KB; ${writing.toFixed(1)} µs a write, with the store in memory; ${values} values`,
  )
  encryption.close()
  await below.close()
}

/** CPU of this process a value, the best of some rounds. */
async function microseconds(run: () => Promise<void>, times: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < times; round++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / values)
  }
  return best
}
