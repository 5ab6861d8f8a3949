import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Bag, type Bagged } from '../../../lib/base/index.ts'

interface Item extends Bagged {
  readonly name: number
}

describe('a bag', () => {
  it('holds what a set would hold, whatever comes and goes', () => {
    const step = fc.record({ kind: fc.constantFrom('add', 'add', 'delete', 'clear'), which: fc.nat(9) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const items: Item[] = Array.from({ length: 10 }, (_, name) => ({ name, place: -1 }))
        const bag = new Bag<Item>()
        const model = new Set<Item>()
        for (const { kind, which } of steps) {
          const item = items[which]
          assert.ok(item)
          if (kind === 'add') {
            bag.add(item)
            model.add(item)
          } else if (kind === 'delete') assert.equal(bag.delete(item), model.delete(item))
          else if (which === 0) {
            bag.clear()
            model.clear()
          }
          assert.equal(bag.size, model.size)
          assert.deepEqual(new Set(bag.values()), model)
          for (const one of items) assert.equal(bag.has(one), model.has(one))
        }
      }),
    )
  })

  it('can change while its members are gone through', () => {
    const bag = new Bag<Item>()
    for (let name = 0; name < 5; name++) bag.add({ name, place: -1 })
    const seen: number[] = []
    for (const item of bag.values()) {
      bag.delete(item)
      seen.push(item.name)
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4])
    assert.equal(bag.size, 0)
  })
})
