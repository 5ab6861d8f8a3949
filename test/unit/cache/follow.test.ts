import assert from 'node:assert/strict'
import { silentLogger } from '../../../lib/base/index.ts'
import { type Follower, type FollowListener, followCache, type Predicate } from '../../../lib/cache/index.ts'
import { StoreError } from '../../../lib/storage/index.ts'
import { type Kit, startKit } from '../../support/cachekit.ts'

function follow(
  kit: Kit,
  refuses = '',
  predicate?: Predicate,
): { told: string[]; errors: string[]; follower: Follower } {
  const told: string[] = []
  const errors: string[] = []
  const log = { ...silentLogger, error: (message: string) => void errors.push(message) }
  const listener: FollowListener = {
    set({ metadata: { name = '', labels = {} } }) {
      if (name === refuses) throw new Error('no')
      told.push(`+${name} ${Object.values(labels).join()}`.trim())
    },
    remove: (namespace, name) => void told.push(`-${namespace}/${name}`),
  }
  const follower = followCache({ clock: kit.clock, log }, kit.pods, listener, { predicate })
  return { told, errors, follower }
}

describe('cache: a follower', () => {
  let kit: Kit
  beforeEach(async () => {
    kit = await startKit()
  })
  afterEach(async () => await kit.feed.close())

  it('a listener receives all objects before it is ready, then changes', async () => {
    kit.put('pods/ns/a')
    kit.put('pods/ns/b')
    await kit.settle()
    const { told, follower } = follow(kit)
    await kit.settle()
    await follower.ready
    assert.deepEqual(told, ['+a', '+b'])
    kit.put('pods/ns/b', { x: '2' })
    kit.remove('pods/ns/a')
    await kit.settle()
    assert.deepEqual(told.splice(2), ['+b 2', '-ns/a'])
    follower.close()
    kit.put('pods/ns/c')
    await kit.settle()
    assert.deepEqual(told, ['+a', '+b'])
  })

  it('a listener with a predicate receives what matches, and the removal of what no longer does', async () => {
    const predicate: Predicate = {
      key: 'of n1',
      matches: (entry) => entry.fields()['spec.nodeName'] === 'n1',
      equals: [{ of: 'field', name: 'spec.nodeName', value: 'n1' }],
    }
    kit.put('pods/ns/a', { node: 'n1' })
    kit.put('pods/ns/b', { node: 'n2' })
    await kit.settle()
    const { told, follower } = follow(kit, '', predicate)
    await kit.settle()
    await follower.ready
    kit.put('pods/ns/b', { node: 'n1' })
    kit.put('pods/ns/a', { node: 'n2' })
    kit.put('pods/ns/c', { node: 'n3' })
    await kit.settle()
    assert.deepEqual(told, ['+a n1', '+b n1', '-ns/a'])
    follower.close()
  })

  it('a listener of an empty cache receives nothing and is ready', async () => {
    const { told, follower } = follow(kit)
    await kit.settle()
    await follower.ready
    assert.deepEqual(told, [])
    follower.close()
  })

  it('treats unreadable objects as deleted, and continues when its listener throws', async () => {
    kit.put('pods/ns/a')
    await kit.settle()
    const { told, errors, follower } = follow(kit, 'bad')
    await kit.settle()
    kit.store.put('/registry/pods/ns/a', Buffer.from('garbage'))
    kit.put('pods/ns/bad')
    kit.put('pods/ns/c')
    await kit.settle()
    assert.deepEqual(told, ['+a', '-ns/a', '+c'])
    assert.deepEqual(errors, ['an object can not be read and counts as deleted', 'an object could not be indexed'])
    follower.close()
  })

  it('a listener receives the changes of a gap', async () => {
    kit.put('pods/ns/a')
    kit.put('pods/ns/b')
    await kit.settle()
    const { told, follower } = follow(kit)
    await kit.settle()
    told.length = 0
    kit.store.held = true
    kit.remove('pods/ns/a')
    await kit.store.compact(kit.put('pods/ns/c'))
    kit.store.breakWatches(new StoreError('compacted', 'compacted', { revision: kit.store.revision }))
    kit.store.held = false
    for (let round = 0; round < 8; round++) await kit.pass(1000)
    assert.deepEqual(told.toSorted(), ['+b', '+c', '-ns/a'])
    follower.close()
  })

  it('a follower that is closed before it is ready rejects', async () => {
    const { follower } = follow(kit)
    follower.close()
    await kit.settle()
    await assert.rejects(follower.ready, /closed/)
  })
})
