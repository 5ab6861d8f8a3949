import assert from 'node:assert/strict'
import { parseToken } from '../../../lib/authn/jws.ts'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('authn: a token in compact form', () => {
  it('is parsed without verification', () => {
    const parsed = parseToken(`${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: 'i', sub: 's' })}.c2ln`)
    assert.deepEqual([parsed?.algorithm, parsed?.keyId, parsed?.issuer], ['RS256', 'k', 'i'])
    assert.equal(parsed?.claims['sub'], 's')
  })

  for (const [title, header, payload] of [
    ['header', { 'jws1\\': 1, alg: 'RS256' }, {}],
    ['claims', { alg: 'RS256' }, { 'jws1\\': 1 }],
  ] as const)
    it(`a token with a backslash in a name of its ${title} is invalid, and does not mislead later parsing`, () => {
      for (let times = 0; times < 10; times++)
        assert.equal(parseToken(`${part(header)}.${part(payload)}.c2ln`), undefined)
      assert.deepEqual(Object.keys(JSON.parse('{"jws1\\"":1}') as object), ['jws1"'])
    })
})
