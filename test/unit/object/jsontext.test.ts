import assert from 'node:assert/strict'
import fc from 'fast-check'
import { misleadsJsonParse, parseJsonText } from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

/** How JSON.parse reads a key that is written with an escape. */
const readBy = (parse: (text: string) => unknown, key: string): string =>
  Object.keys(parse(JSON.stringify({ [key]: 1 })) as object).join()

describe('object: JSON texts of others', () => {
  let serial = 0
  const attacks = [
    ['that ends in a backslash', (base: string) => [`${base}\\`, `${base}"`]],
    ['that looks like quotes escaped', (base: string) => [`v:\\"${base}\\"`, `v:"${base}"`]],
    ['that looks like a line break', (base: string) => [`${base}\\n`, `${base}\n`]],
  ] as const
  for (const [title, keys] of attacks) {
    it(`texts with a key ${title} change nothing in how later keys are read`, () => {
      const [attack = '', victim = ''] = keys(`one${++serial}`)
      for (let times = 0; times < 10; times++)
        assert.deepEqual(parseJsonText(JSON.stringify({ [attack]: 1 })), { [attack]: 1 })
      for (const key of [victim, `${victim}~`, `${victim}1`]) assert.equal(readBy(JSON.parse, key), key)
      assert.equal(readBy(parseJsonText, victim), victim)
    })
    it(`texts with a key ${title}, written as \\u005c, are seen`, () => {
      const [attack = ''] = keys(`two${++serial}`)
      for (const escape of ['\\u005c', '\\u005C']) {
        const text = JSON.stringify({ [attack]: '\\' }).replace(/\\\\(?=.*:)/g, () => escape)
        assert.equal(misleadsJsonParse(text), true, text)
        assert.deepEqual(parseJsonText(text), { [attack]: '\\' })
      }
    })
  }

  it('texts with backslashes in their values alone are read the short way', () => {
    for (const value of [{ a: 'b\\' }, ['\\', { c: '\\":' }], { 'k:{"name":"x"}': {} }])
      assert.equal(misleadsJsonParse(JSON.stringify(value)), false)
  })

  it('are parsed like JSON.parse parses them alone', () => {
    const key = fc.string({ unit: fc.constantFrom('a', '\\', '"', '~', ':', ' ', '\n', 'u', '0', '5', 'c', '1', 'é') })
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, key, fc.integer(), fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
    }))
    fc.assert(
      fc.property(tree, fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, undefined, spaced ? 1 : 0)
        assert.equal(JSON.stringify(parseJsonText(text)), JSON.stringify(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('keep prototype keys as data', () => {
    const read = parseJsonText('{"__proto__":{"a":1},"b\\\\":2}') as object
    assert.deepEqual(Object.entries(read), [
      ['__proto__', { a: 1 }],
      ['b\\', 2],
    ])
    assert.equal(Object.getPrototypeOf(read), Object.prototype)
  })

  it('texts that are malformed, or nest too deep beside such a key, are refused', () => {
    for (const text of ['{"a\\\\":}', '{"a\\\\":1', '{"a\\\\" 1}', `{"a\\\\":${'['.repeat(3000)}${']'.repeat(3000)}}`])
      assert.throws(() => parseJsonText(text), SyntaxError, text.slice(0, 20))
  })

  it('are read in a time that grows with their length', () => {
    for (const piece of ['\\\\', '\\"', '"', '": ', '"a\\\\":', 'a']) {
      const startMs = threadCpuMs()
      try {
        parseJsonText(`{"a\\\\":"${piece.repeat(200_000)}"}`)
      } catch (error) {
        assert.ok(error instanceof SyntaxError, String(error))
      }
      assert.ok(threadCpuMs() - startMs < 1000, piece)
    }
  })
})
