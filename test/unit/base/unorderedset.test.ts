import assert from 'node:assert/strict'
import fc from 'fast-check'
import { UnorderedSet, type UnorderedSetItem } from '../../../lib/base/index.ts'

interface Item extends UnorderedSetItem {
  readonly name: number
}

describe('a swap set', () => {
  it('holds the same as a Set, whatever is added and removed', () => {
    const step = fc.record({ kind: fc.constantFrom('add', 'add', 'delete', 'clear'), which: fc.nat(9) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const items: Item[] = Array.from({ length: 10 }, (_, name) => ({ name, place: -1 }))
        const set = new UnorderedSet<Item>()
        const model = new Set<Item>()
        for (const { kind, which } of steps) {
          const item = items[which]
          assert.ok(item)
          if (kind === 'add') {
            set.add(item)
            model.add(item)
          } else if (kind === 'delete') assert.equal(set.delete(item), model.delete(item))
          else if (which === 0) {
            set.clear()
            model.clear()
          }
          assert.equal(set.size, model.size)
          assert.deepEqual(new Set(set.values()), model)
          for (const one of items) assert.equal(set.has(one), model.has(one))
        }
      }),
    )
  })

  it('can change while its members are iterated', () => {
    const set = new UnorderedSet<Item>()
    for (let name = 0; name < 5; name++) set.add({ name, place: -1 })
    const seen: number[] = []
    for (const item of set.values()) {
      set.delete(item)
      seen.push(item.name)
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4])
    assert.equal(set.size, 0)
  })
})
