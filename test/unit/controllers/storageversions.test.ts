import assert from 'node:assert/strict'
import { plan } from '../../../lib/controllers/storageversiongc/plan.ts'
import {
  begun,
  failed,
  holds,
  isDone,
  isFirst,
  isNewer,
  succeeded,
} from '../../../lib/controllers/storageversionmigrator/plan.ts'

describe('storage versions that servers report', () => {
  const version = (...servers: [id: string, encoding: string][]): never =>
    ({
      metadata: { name: 'apps.deployments' },
      status: {
        commonEncodingVersion: 'old',
        storageVersions: servers.map(([apiServerID, encodingVersion]) => ({ apiServerID, encodingVersion })),
      },
    }) as never

  it('stay while all servers live', () => {
    assert.equal(
      plan(version(['a', 'v1']), () => true),
      undefined,
    )
  })
  it('lose servers that no longer exist, and the common version is found again', () => {
    const planned = plan(version(['a', 'v1'], ['b', 'v2'], ['c', 'v1']), (id) => id !== 'b')
    assert.ok(planned && planned !== 'delete')
    assert.deepEqual(
      planned.status.storageVersions?.map(({ apiServerID }) => apiServerID),
      ['a', 'c'],
    )
    assert.equal(planned.status.commonEncodingVersion, 'v1')
    const mixed = plan(version(['a', 'v1'], ['b', 'v2'], ['c', 'v2']), (id) => id !== 'c')
    assert.ok(mixed && mixed !== 'delete')
    assert.equal('commonEncodingVersion' in mixed.status, false)
  })
  it('are deleted with their last server', () => {
    assert.equal(
      plan(version(['a', 'v1']), () => false),
      'delete',
    )
  })
})

describe('a migration', () => {
  const migration = (name: string, created: string, more: object = {}): never =>
    ({
      metadata: { name, uid: name, creationTimestamp: created },
      spec: { resource: { group: 'g', resource: 'r' } },
      status: {},
      ...more,
    }) as never

  it('runs when no older one of its resource is open', () => {
    const [old, young] = [migration('b', '2026-01-01T00:00:00Z'), migration('a', '2026-01-02T00:00:00Z')]
    assert.deepEqual([isFirst(old, [old, young]), isFirst(young, [old, young])], [true, false])
    assert.equal(isFirst(young, [succeeded(old, 0), young]), true)
    assert.equal(isFirst(young, [failed(old, 'x', 0), young]), true)
    const other = migration('c', '2026-01-01T00:00:00Z', { spec: { resource: { group: 'g', resource: 's' } } })
    assert.equal(isFirst(young, [other, young]), true)
  })

  it('reports its progress by conditions', () => {
    const running = begun(migration('a', ''), 0)
    assert.deepEqual([holds(running, 'Running'), isDone(running)], [true, false])
    const done = succeeded(running, 1000)
    assert.deepEqual([holds(done, 'Running'), holds(done, 'Succeeded'), isDone(done)], [false, true, true])
    const lost = failed(running, 'why', 1000)
    assert.equal(lost.status.conditions?.at(-1)?.message, 'migration encountered unhandled error: why')
    assert.deepEqual([holds(lost, 'Failed'), isDone(lost)], [true, true])
  })

  it('ignores objects that were written after its start', () => {
    assert.deepEqual(
      [isNewer('9', '10'), isNewer('10', '10'), isNewer('11', '10'), isNewer('100', '99'), isNewer(undefined, '1')],
      [false, false, true, true, false],
    )
  })
})
