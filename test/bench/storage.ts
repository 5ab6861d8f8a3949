// `node test/bench/storage.ts [--operations=20000] [--concurrency=64] [--only=memory,embedded,etcd]`
// CPU of this process (the client's side of etcd) per operation on each store, with values of 1000 bytes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findEtcd } from '../../hack/programs.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../lib/base/index.ts'
import { noRevision, type Revision } from '../../lib/object/index.ts'
import {
  createEmbeddedStore,
  createEtcdStore,
  createMemoryStore,
  prefixEnd,
  type Store,
} from '../../lib/storage/index.ts'
import { startEtcd } from '../support/etcd.ts'

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '64' },
    only: { type: 'string', default: 'memory,embedded,etcd' },
  },
})
const operations = Number(options.operations)
const concurrency = Number(options.concurrency)
const value = Buffer.alloc(1000, 'v')
const dependencies = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }

async function measure(name: string, count: number, work: () => Promise<void>): Promise<void> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - started) / 1000
  const perOperation = ((user + system) / count).toFixed(1)
  console.log(
    `${name.padEnd(22)} ${perOperation.padStart(7)} µs CPU/op ${(count / seconds).toFixed(0).padStart(8)} op/s`,
  )
}

async function concurrently(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

async function bench(store: Store): Promise<void> {
  const prefix = '/registry/configmaps/bench/'
  const key = (index: number): string => `${prefix}cm-${String(index).padStart(8, '0')}`
  await concurrently(2000, (index) => store.create(`/warm/${index}`, value))
  const revisions: Revision[] = []
  await measure(`${store.name} create`, operations, () =>
    concurrently(operations, async (index) => {
      revisions[index] = (await store.create(key(index), value)).revision
    }),
  )
  await measure(`${store.name} get`, operations, () => concurrently(operations, (index) => store.get(key(index))))
  await measure(`${store.name} range, per key`, operations * 3, async () => {
    for (let i = 0; i < 3; i++) await store.range({ start: prefix, end: prefixEnd(prefix) })
  })
  await measure(`${store.name} delete`, operations, () =>
    concurrently(operations, (index) => store.delete(key(index), revisions[index] ?? noRevision)),
  )
  await store.close()
}

const folder = mkdtempSync(join(tmpdir(), 'pilothouse-bench-'))
if (options.only.includes('memory')) await bench(createMemoryStore(dependencies))
if (options.only.includes('embedded')) await bench(await createEmbeddedStore(dependencies, { directory: folder }))
if (options.only.includes('etcd') && (await findEtcd())) {
  const etcd = await startEtcd({ durable: true })
  await bench(createEtcdStore(dependencies, { endpoints: [etcd.url], fencePrefix: '/registry/fences/' }))
  await etcd.stop()
}
rmSync(folder, { recursive: true, force: true })
