import { findEtcd } from '../../../hack/programs.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEtcdStore } from '../../../lib/storage/index.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { testStore } from './suite.ts'

const program = await findEtcd()

describe('a real etcd', () => {
  if (!program) return void it.skip('needs etcd')
  let server: EtcdServer | undefined
  before(async () => {
    server = await startEtcd()
  })
  after(async () => {
    await server?.stop()
  })
  testStore('etcd', {
    open: async () =>
      createEtcdStore(
        { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics },
        { endpoints: [server?.url ?? ''], leaseReuseSeconds: 0, fencePrefix: '/registry/fences/' },
      ),
    // etcd's shortest lease is 2 s, and it looks for expired ones twice a second.
    ttl: { seconds: 2, waitMs: 10_000 },
  })
})
