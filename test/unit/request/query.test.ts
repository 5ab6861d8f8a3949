import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseQuery, type QueryParameters } from '../../../lib/request/index.ts'

const names = ['watch', 'a', '', '?', 'resourceVersion', '?a', 'toString', '__proto__']

/** All that can be read of parameters. */
function contentsOf(query: QueryParameters): object {
  return {
    pairs: [...query],
    size: query.size,
    text: query.toString(),
    read: names.map((name) => [query.get(name), query.getAll(name), query.has(name)]),
  }
}

/** The reference: bad pairs left out, the rest by URLSearchParams. */
function referenceOf(text: string): URLSearchParams {
  const pairs = text.split('&').filter((pair) => !/;|%(?![0-9a-f]{2})/i.test(pair))
  // A first `&` keeps a question mark that belongs to a name.
  return new URLSearchParams(`&${pairs.join('&')}`)
}

describe('parseQuery', () => {
  const cases = ['', 'watch', 'a=', '=a', '=', '&&', 'a=1&a=2', 'a=b=c', '?', '?a=1', 'a=1?', 'a+b=c+d', 'a=%2b', 'a=#b', 'a=\u00e9', 'a=;&b=1', '%zz=1&a=1', '__proto__=1&toString=2'] // biome-ignore format: one line
  for (const text of cases)
    it(`reads ${JSON.stringify(text)} as URLSearchParams does`, () => {
      assert.deepEqual(contentsOf(parseQuery(`/api?${text}`)), contentsOf(referenceOf(text)))
    })

  it('reads any text as URLSearchParams does', () => {
    const pieces = fc.constantFrom(
      ...names,
      '&',
      '=',
      '&',
      '=',
      ';',
      '%',
      '%41',
      '+',
      '1',
      '/',
      ':',
      ',',
      '~',
      ' ',
      '\u00e9',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        assert.deepEqual(contentsOf(parseQuery(`/api?${text}`)), contentsOf(referenceOf(text)))
      }),
      { numRuns: 2000 },
    )
  })

  it('has no parameters of a target without a query, which nothing can change', () => {
    const none = parseQuery('/api')
    assert.deepEqual([...none], [])
    assert.throws(() => Object.assign(none, { get: () => '1' }), TypeError)
  })
})
