import assert from 'node:assert/strict'
import type { ResourceCache, ResourceOptions } from '../../../../lib/cache/index.ts'
import type { SentValue } from '../../../../lib/controlplane/largework/messages.ts'
import { createRemoteBacking } from '../../../../lib/controlplane/largework/threadstore.ts'
import { type ApiObject, asRevision } from '../../../../lib/object/index.ts'

describe('the caches of a thread', () => {
  const key = '/registry/pods/default/x'
  let decoded: number
  const value = (revision: number): SentValue => ({
    key,
    value: Buffer.from(`state ${revision}`),
    createRevision: asRevision(1),
    modRevision: asRevision(revision),
    stale: false,
  })
  const objectOf = (text: string): ApiObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: text } })
  const options: ResourceOptions = {
    resource: { group: '', resource: 'pods' },
    prefix: '/registry/pods/',
    decode(stored) {
      decoded++
      return objectOf(Buffer.from(stored).toString())
    },
    labels: () => ({}),
    fields: () => ({}),
  }
  beforeEach(() => (decoded = 0))

  function attach(): {
    readonly known: Map<string, SentValue>
    readonly cache: ResourceCache
    nameOf(): string | undefined
  } {
    const known = new Map<string, SentValue>()
    const cache = createRemoteBacking(undefined as never, known).feed.attach(options)
    return { known, cache, nameOf: () => cache.peek(key)?.object().metadata.name }
  }

  it('decode an object once for all tasks about one state of it', () => {
    const { known, nameOf } = attach()
    assert.equal(nameOf(), undefined)
    for (const revision of [5, 5, 6, 6]) {
      known.set(key, value(revision))
      assert.equal(nameOf(), `state ${revision}`)
    }
    assert.equal(decoded, 2)
  })

  it('need not decode what the thread has written', () => {
    const { known, cache, nameOf } = attach()
    cache.adopt({ key, revision: asRevision(7), object: objectOf('written') })
    known.set(key, value(7))
    assert.equal(nameOf(), 'written')
    assert.equal(decoded, 0)
  })

  it('decode again when the definition has changed', () => {
    const { known, cache, nameOf } = attach()
    known.set(key, value(5))
    nameOf()
    cache.renew()
    nameOf()
    assert.equal(decoded, 2)
  })

  it('keep a few objects of all resources together, and forget those of one whose definition changes', () => {
    const known = new Map<string, SentValue>()
    const { feed } = createRemoteBacking(undefined as never, known)
    const caches = Array.from({ length: 6 }, (_, index) => {
      const prefix = `/registry/kind${index}/`
      const cache = feed.attach({ ...options, prefix })
      known.set(`${prefix}x`, { ...value(5), key: `${prefix}x` })
      return { read: () => cache.peek(`${prefix}x`)?.object(), cache }
    })
    for (const { read } of caches) read()
    assert.equal(decoded, 6)
    for (const { read } of caches.slice(2)) read()
    assert.equal(decoded, 6, 'four are kept')
    caches[0]?.read()
    assert.equal(decoded, 7)
    caches[4]?.cache.renew()
    caches[5]?.read()
    assert.equal(decoded, 7)
    caches[4]?.read()
    assert.equal(decoded, 8)
  })
})
