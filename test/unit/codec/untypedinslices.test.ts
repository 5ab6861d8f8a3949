import assert from 'node:assert/strict'
import fc from 'fast-check'
import { runSlices } from '../../../lib/base/index.ts'
import { decodeUntyped, untypedText, untypedTextInSlices } from '../../../lib/codec/index.ts'
import type { JsonValue } from '../../../lib/object/index.ts'

/** More than is written without a pause. */
const count = 25_000

const keys = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', '', '0', '10', '<&>', '\ufffd', '\u{1f600}', '\ue000'),
)
const scalars = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null), fc.bigInt())
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalars,
    fc.array(tie('value')),
    fc.dictionary(keys, tie('value'), { noNullPrototype: true }),
  ),
}))

describe('custom objects that are written in slices', () => {
  it('have the text that they have when they are written at once', () => {
    fc.assert(
      fc.property(values, (value) => {
        const many = Array.from({ length: count }, () => 0)
        for (const large of [{ a: value, many }, [value, ...many, value]] as JsonValue[]) {
          const slices = untypedTextInSlices(large)
          assert.equal(slices.next().done, false, 'it is written with pauses')
          assert.equal(runSlices(slices), untypedText(large))
        }
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it('have no pause where they are small', () => {
    assert.deepEqual(untypedTextInSlices({ b: 1, a: ['<'] }).next(), { done: true, value: '{"a":["\\u003c"],"b":1}' })
  })
})

describe('duplicate fields of a custom object', () => {
  it('are named by their text, with escapes or without', () => {
    const text = '{"a":1,"\\u0061":2,"ü":{"x\\n":1,"x\\n":2},"l":[{"b":1,"b":1}],"ü":{}}'
    const { value, strictErrors } = decodeUntyped(Buffer.from(text), { strict: true })
    assert.deepEqual(value, { a: 2, ü: {}, l: [{ b: 1 }] })
    assert.deepEqual(strictErrors, [
      'duplicate field "a"',
      'duplicate field "ü.x\n"',
      'duplicate field "l[0].b"',
      'duplicate field "ü"',
    ])
  })
})
