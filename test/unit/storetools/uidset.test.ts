import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { UidSet } from '../../../lib/storetools/uidset.ts'

describe('a set of uids', () => {
  it('has the added uids and nothing else, UUIDs and other texts', () => {
    const random = createSeededRandom(7)
    const texts = ['', 'a', '__proto__', 'constructor', 'é', '00000000-0000-4000-8000-000000000000']
    const uids = [...texts, ...Array.from({ length: 20_000 }, () => random.uuid())]
    const set = new UidSet()
    for (const uid of uids) assert.ok(set.add(uid))
    for (const uid of uids) assert.ok(set.has(uid) && set.add(uid))
    assert.equal(set.size, uids.length)
    for (let at = 0; at < 20_000; at++) assert.ok(!set.has(random.uuid()))
    assert.ok(!set.has('b'))
  })

  it('is within another one that has all of its members', () => {
    const [few, many] = [new UidSet(), new UidSet()]
    assert.ok(few.isWithin(many))
    few.add('a')
    assert.ok(!few.isWithin(many))
    for (const uid of ['b', 'a', 'c']) many.add(uid)
    assert.ok(few.isWithin(many))
    assert.ok(!many.isWithin(few))
  })

  it('answers false when it is full, and keeps its members', () => {
    const set = new UidSet(1024)
    let added = 0
    while (added < 5000 && set.add(`uid-${added}`)) added++
    assert.equal(added, 1024)
    assert.ok(set.has('uid-0') && set.has('uid-1023') && !set.has('uid-1024'))
  })
})
