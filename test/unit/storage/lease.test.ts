import assert from 'node:assert/strict'
import { systemClock } from '../../../lib/base/index.ts'
import type { EtcdClient } from '../../../lib/storage/etcd/client.ts'
import { Leases } from '../../../lib/storage/etcd/lease.ts'
import { encodeLeaseGrant } from '../../../lib/storage/etcd/messages.ts'

describe('etcd leases', () => {
  for (const [ttlSeconds, grantedSeconds, grants] of [
    [4, 4, 2],
    [15, 15, 2],
    [100, 105, 1],
    [3600, 3660, 1],
  ] as const) {
    it(`leases for ${ttlSeconds} s last ${grantedSeconds} s`, async () => {
      const frames: Uint8Array[] = []
      const client = {
        call: (_method: unknown, frame: Uint8Array): Promise<undefined> => {
          frames.push(Buffer.from(frame))
          return Promise.resolve(undefined)
        },
      } as unknown as EtcdClient
      const random = { below: (): number => 0 } as unknown as ConstructorParameters<typeof Leases>[0]['random']
      const leases = new Leases({ clock: systemClock, random }, client, { reuseSeconds: 60 })
      await leases.idFor(ttlSeconds)
      await leases.idFor(ttlSeconds)
      assert.equal(frames.length, grants)
      for (const frame of frames) assert.deepEqual(Buffer.from(frame), encodeLeaseGrant(grantedSeconds, 1))
    })
  }
})
