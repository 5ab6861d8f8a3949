import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodeYaml, encodeYaml, indentJson, yamlFromJson } from '../../../lib/codec/index.ts'
import type { JsonValue } from '../../../lib/object/index.ts'

/** Runs the work to its end; how often it paused, and the whole text. */
function finish(work: Generator<undefined, readonly Uint8Array[]>): { pauses: number; text: string } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next()
    if (done) return { pauses, text: Buffer.concat(value).toString() }
  }
}

/** The text in pieces that end where `cuts` say, also in the middle of a character. */
function pieces(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

const cuts = fc.array(fc.nat(), { maxLength: 8 })
/** Integer-like keys stand in another order in JavaScript's own objects. */
const key = fc.string({ unit: 'binary' }).filter((text) => !/^\d+$/.test(text) && text !== '__proto__')
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'a"b', '\\', '{"a":[1,2]}', 'line\nline', '- x', '#', ': '),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('bodies that are put together already, in slices', () => {
  it('are indented as JSON.stringify indents them, wherever their parts end', () => {
    fc.assert(
      fc.property(anyValue, cuts, (value, at) => {
        const { text } = finish(indentJson(pieces(JSON.stringify(value), at)))
        assert.equal(text, JSON.stringify(value, undefined, 2))
      }),
      { numRuns: 2000 },
    )
  })

  it('become the YAML that the whole object becomes, wherever their parts end', () => {
    fc.assert(
      fc.property(fc.dictionary(key, anyValue, { maxKeys: 5 }), cuts, (value, at) => {
        const { text } = finish(yamlFromJson(pieces(`${JSON.stringify(value)}\n`, at)))
        const wellFormed = JSON.parse(Buffer.from(JSON.stringify(value)).toString()) as object
        if (Object.keys(wellFormed).length > 0) assert.equal(text, Buffer.from(encodeYaml(wellFormed)).toString())
      }),
      { numRuns: 2000 },
    )
  })

  it('keep what JSON.parse would change: the order of keys, and how numbers and characters are written', () => {
    const { text } = finish(indentJson([Buffer.from('{"b":1.0,"2":"\\u003c","1":[12345678901234567890]}\n')]))
    assert.equal(text, '{\n  "b": 1.0,\n  "2": "\\u003c",\n  "1": [\n    12345678901234567890\n  ]\n}')
  })

  it('pause after some 64 KiB, also within one large part, and after each item of YAML', () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ name: `n${i}`, text: 'x'.repeat(20_000) }))
    const body = Buffer.from(JSON.stringify({ kind: 'List', items }))
    assert.equal(finish(indentJson([body])).pauses, 30)
    assert.equal(finish(yamlFromJson([body])).pauses, 130)
  })

  const nested = (levels: number, inmost: unknown): unknown => {
    let value = inmost
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value, b: [] }
    return value
  }

  it('are indented down to 64 levels; what is deeper stays on one line', () => {
    const shallow = nested(64, 1)
    assert.equal(finish(indentJson([Buffer.from(JSON.stringify(shallow))])).text, JSON.stringify(shallow, undefined, 2))
    for (const levels of [65, 66, 990]) {
      const value = nested(levels, [{}, [], [1, { c: 2 }], 'text'])
      const { text } = finish(indentJson([Buffer.from(JSON.stringify(value))]))
      assert.deepEqual(JSON.parse(text), value)
      const widest = Math.max(...text.split('\n').map((line) => line.length - line.trimStart().length))
      assert.equal(widest, 128)
    }
  })

  it('have the same values in YAML however deep they are', () => {
    for (const levels of [30, 63, 64, 65, 66, 300]) {
      const inmost = [{}, [], 'two\nlines\n', { c: 'a: b', d: [1, null, '\u2028'] }]
      const value = nested(levels, inmost) as JsonValue
      assert.deepEqual(decodeYaml(encodeYaml(value)).value, value)
    }
  })

  it('take little more room than their values, however deep these are and however many lines they have', () => {
    const deep = `{"a":${'['.repeat(990)}${'1,'.repeat(90_000)}1${']'.repeat(990)}}`
    const lines = JSON.stringify(nested(60, { text: 'a\n'.repeat(90_000) }))
    for (const text of [deep, lines]) {
      const json = Buffer.from(text)
      assert.ok(finish(indentJson([json])).text.length < 70 * text.length)
      assert.ok(finish(yamlFromJson([json])).text.length < 70 * text.length)
      assert.ok(encodeYaml(JSON.parse(text)).length < 70 * text.length)
    }
  })
})
