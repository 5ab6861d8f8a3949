import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodeYaml, encodeYaml, indentJson, jsonFrames, yamlChunks, yamlListChunks } from '../../../lib/codec/index.ts'
import type { JsonValue } from '../../../lib/object/index.ts'
import { anyCharacter } from '../../support/anycharacter.ts'

const textOf = (chunks: Iterable<Uint8Array>): string => Buffer.concat(Array.from(chunks)).toString()

/** The bytes of the largest chunk, and how many there are. */
function sizes(chunks: Iterable<Uint8Array>): { largest: number; count: number } {
  let [largest, count] = [0, 0]
  for (const { length } of chunks) {
    largest = Math.max(largest, length)
    count++
  }
  return { largest, count }
}

/** The text in pieces that end where `cuts` say, also in the middle of a character. */
function pieces(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

const cuts = fc.array(fc.nat(), { maxLength: 8 })
/** Integer-like keys have another order in JavaScript's own objects. */
const key = fc.string({ unit: anyCharacter }).filter((text) => !/^\d+$/.test(text) && text !== '__proto__')
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('', 'a"b', '\\', '{"a":[1,2]}', 'line\nline', '- x', '#', ': '),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('text that is made while it is sent', () => {
  it('is indented as JSON.stringify indents it, wherever its parts end', () => {
    fc.assert(
      fc.property(anyValue, cuts, (value, at) => {
        const text = textOf(indentJson(pieces(JSON.stringify(value), at)))
        assert.equal(text, JSON.stringify(value, undefined, 2))
      }),
      { numRuns: 2000 },
    )
  })

  it('becomes the YAML that the whole list becomes, item by item', () => {
    const metadata = fc.dictionary(key, anyValue, { maxKeys: 3 })
    fc.assert(
      fc.property(
        metadata,
        fc.array(fc.dictionary(key, anyValue, { maxKeys: 5 }), { maxLength: 4 }),
        (about, items) => {
          const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
          const frame = jsonFrames.listFrame('v1', 'ThingList', json(about))
          const whole = JSON.parse(
            json({ apiVersion: 'v1', kind: 'ThingList', metadata: about, items }).toString(),
          ) as object
          assert.equal(textOf(yamlListChunks(frame, 'items', items.map(json))), textOf([encodeYaml(whole)]))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('keeps what JSON.parse would change: the order of keys, and how numbers and characters are written', () => {
    const text = textOf(indentJson([Buffer.from('{"b":1.0,"2":"\\u003c","1":[12345678901234567890]}\n')]))
    assert.equal(text, '{\n  "b": 1.0,\n  "2": "\\u003c",\n  "1": [\n    12345678901234567890\n  ]\n}')
  })

  it('is made in chunks of some 64 KiB, also within one large part, and of one item in YAML', () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ name: `n${i}`, text: 'x'.repeat(20_000) }))
    const body = Buffer.from(JSON.stringify({ kind: 'List', items }))
    const indented = sizes(indentJson([body]))
    assert.equal(indented.count, 31)
    assert(indented.largest <= 64 * 1024)
    const lines = { data: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key-${i}`, 'x'.repeat(10)])) }
    for (const chunks of [
      yamlChunks(lines),
      yamlListChunks(jsonFrames.listFrame('v1', 'List', Buffer.from('{}')), 'items', [
        Buffer.from(JSON.stringify(lines)),
      ]),
    ]) {
      const { largest, count } = sizes(chunks)
      assert(largest < 70 * 1024 && count >= 10, `${count} chunks, ${largest} bytes`)
    }
  })

  it('is made no further than it is read', () => {
    let asked = 0
    function* items(): Generator<Uint8Array> {
      for (; asked < 1000; asked++) yield Buffer.from(JSON.stringify({ text: 'x'.repeat(1000) }))
    }
    const chunks = yamlListChunks(jsonFrames.listFrame('v1', 'List', Buffer.from('{}')), 'items', items())
    chunks.next()
    assert(asked < 100, `${asked} items`)
  })

  const nested = (levels: number, inmost: unknown): unknown => {
    let value = inmost
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value, b: [] }
    return value
  }

  it('is indented down to 64 levels; what is deeper stays on one line', () => {
    const shallow = nested(64, 1)
    assert.equal(textOf(indentJson([Buffer.from(JSON.stringify(shallow))])), JSON.stringify(shallow, undefined, 2))
    for (const levels of [65, 66, 990]) {
      const value = nested(levels, [{}, [], [1, { c: 2 }], 'text'])
      const text = textOf(indentJson([Buffer.from(JSON.stringify(value))]))
      assert.deepEqual(JSON.parse(text), value)
      const widest = Math.max(...text.split('\n').map((line) => line.length - line.trimStart().length))
      assert.equal(widest, 128)
    }
  })

  it('has the same values in YAML however deep they are', () => {
    for (const levels of [30, 63, 64, 65, 66, 300]) {
      const inmost = [{}, [], 'two\nlines\n', { c: 'a: b', d: [1, null, '\u2028'] }]
      const value = nested(levels, inmost) as JsonValue
      assert.deepEqual(decodeYaml(encodeYaml(value)).value, value)
    }
  })

  it('takes little more memory than its values, however deep these are and however many lines they have', () => {
    const deep = `{"a":${'['.repeat(990)}${'1,'.repeat(90_000)}1${']'.repeat(990)}}`
    const lines = JSON.stringify(nested(60, { text: 'a\n'.repeat(90_000) }))
    for (const text of [deep, lines]) {
      const json = Buffer.from(text)
      assert.ok(textOf(indentJson([json])).length < 70 * text.length)
      assert.ok(encodeYaml(JSON.parse(text)).length < 70 * text.length)
    }
  })
})
