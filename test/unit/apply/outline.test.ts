import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { compareTyped } from '../../../lib/apply/typed/compare.ts'
import { outlineOf } from '../../../lib/apply/typed/outline.ts'
import { createShapes } from '../../../lib/apply/typed/shape.ts'
import { compileTables } from '../../../lib/schema/index.ts'

describe('outlines of new objects', () => {
  it('distinguish values that a type implies from all others, for every field of the API', () => {
    const shapeOf = createShapes()
    const values = [null, '', 'a', '0', '0s', '1s', 0, 1, 0n, 1n, false, true, [], ['a'], {}, { a: '' }]
    let told = 0
    const types = compileTables(tables)
    for (const typeName of types.names) {
      const shape = shapeOf(types.struct(typeName))
      for (const { name } of shape.byName.values()) {
        const setsByOutline = new Map<string, string>()
        for (const value of values) {
          const object = { [name]: value }
          let set: string
          try {
            set = JSON.stringify(compareTyped(shape, {}, object).changed)
          } catch {
            assert.throws(() => outlineOf(shape, object, Number.POSITIVE_INFINITY) ?? '')
            continue
          }
          const outline = outlineOf(shape, object, Number.POSITIVE_INFINITY) ?? ''
          assert.equal(setsByOutline.get(outline) ?? set, set, `${typeName}.${name}: ${JSON.stringify(outline)}`)
          if (set === '{}') told++
          setsByOutline.set(outline, set)
        }
      }
    }
    assert.ok(told > 1000, `only ${told} values are implied`)
  })
})
