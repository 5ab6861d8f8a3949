import assert from 'node:assert/strict'
import { readCertificates, readPem, readSigningRequest } from '../../../lib/pki/index.ts'
import { readOnlyBlock } from '../../../lib/pki/pem.ts'
import { makeAnyCertificate } from '../../support/certificates.ts'
import { createSigningRequest } from '../../support/signingrequest.ts'

/** `A` and `B` for blocks of these types, `+` for headers, and the bytes as text. */
function blocksOf(text: string): string[] {
  return readPem(text).map(
    ({ type, hasHeaders, bytes }) => `${type}${hasHeaders ? '+' : ''} ${Buffer.from(bytes).toString('latin1')}`,
  )
}

// As Go's encoding/pem reads them.
const cases: readonly (readonly [what: string, text: string, blocks: readonly string[]])[] = [
  [
    'two blocks',
    '-----BEGIN A-----\nQUJD\n-----END A-----\n-----BEGIN B-----\nZg==\n-----END B-----',
    ['A ABC', 'B f'],
  ],
  ['text around a block', 'a: b\n-----BEGIN A-----\nQUJD\n-----END A-----\nmore', ['A ABC']],
  ['headers without a blank line', '-----BEGIN A-----\nFoo: bar\nQUJD\n-----END A-----', ['A+ ABC']],
  ['headers before a blank line', '-----BEGIN A-----\nFoo: bar\n\nQUJD\n-----END A-----', ['A+ ABC']],
  ['the last of several BEGIN lines', '-----BEGIN A-----\nZg==\n-----BEGIN B-----\nQUJD\n-----END B-----', ['B ABC']],
  [
    'a block between blocks that do not end',
    '-----BEGIN A-----\n-----END B-----\n-----BEGIN A-----\nQUJD\n-----END A-----',
    ['A ABC'],
  ],
  [
    'no block whose digits are not base64',
    '-----BEGIN A-----\nQUJ\n-----END A-----\n-----BEGIN A-----\nQ-JD\n-----END A-----',
    [],
  ],
  ['no block that begins within a line', 'x-----BEGIN A-----\nQUJD\n-----END A-----', []],
  ['no block with text after its END marker', '-----BEGIN A-----\nQUJD\n-----END A-----x', []],
  ['no block with text after its BEGIN marker', '-----BEGIN A-----x\nQUJD\n-----END A-----', []],
  ['no block whose END line is the continuation of a line', '-----BEGIN A-----\nQUJD-----END A-----', []],
  [
    'white space at the ends of lines and within',
    '-----BEGIN A-----  \r\n QU JD\t\r\n-----END A-----\t \r\n',
    ['A ABC'],
  ],
  ['an empty block', '-----BEGIN A-----\n-----END A-----\n', ['A ']],
  [
    'a type with spaces and one without a name',
    '-----BEGIN A B-----\n\n-----END A B-----\n-----BEGIN -----\n-----END -----',
    ['A B ', ' '],
  ],
]

describe('the reader of PEM', () => {
  for (const [what, text, blocks] of cases)
    it(`finds ${what}`, () => {
      assert.deepEqual(blocksOf(text), blocks)
    })

  it('finds at most 10,000 blocks', () => {
    const block = '-----BEGIN A-----\n-----END A-----\n'
    assert.equal(readPem(block.repeat(10_000)).length, 10_000)
    assert.throws(() => readPem(block.repeat(10_001)), /more than 10000 PEM blocks/)
  })

  it('takes a time in proportion to the text, whatever its content', () => {
    const run = (piece: string): void => assert.deepEqual(readPem(piece.repeat(60_000)), [])
    for (const piece of [
      '-----BEGIN A-----\n',
      '\n-----END A-----',
      '-----BEGIN A:-----\na:b\n-----END B-----:\n',
      'a:b\n',
    ])
      run(piece)
  })

  it('takes a bundle for its certificates without headers, and refuses one that is broken', () => {
    const { pem } = makeAnyCertificate({ subject: ['CN=a'] })
    const withHeaders = pem.replace('-----\n', '-----\nFoo: bar\n\n')
    const bundle = `${withHeaders}words\n${pem}-----BEGIN X-----\n-----END X-----\n${pem}`
    assert.deepEqual(
      readCertificates(bundle).map(({ subject }) => subject),
      ['CN=a', 'CN=a'],
    )
    assert.throws(
      () => readCertificates('-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n'),
      /certificate 1 of the bundle can't be read/,
    )
  })
})

describe('a text that must be one block', () => {
  const block = '-----BEGIN A-----\nQUJD\n-----END A-----\n'
  const refusals: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['without a block', 'ABC', /block type must be A$/],
    ['with a block of another type', block.replaceAll('A-----', 'B-----'), /block type must be A$/],
    ['with headers', block.replace('\n', '\nFoo: bar\n\n'), /no PEM block headers are permitted/],
    ['with a second block', block + block, /exactly one A PEM block/],
    ['with a block of another type after it', block + block.replaceAll('A-----', 'B-----'), /exactly one A PEM block/],
    ['with a broken block before it', `-----BEGIN A-----\n!\n-----END A-----\n${block}`, /exactly one A PEM block/],
    ['with a BEGIN line before it', `-----BEGIN A-----\n${block}`, /exactly one A PEM block/],
    ['with text after it', `${block}more`, /exactly one A PEM block/],
  ]
  for (const [what, text, message] of refusals)
    it(`is refused ${what}`, () => {
      assert.throws(() => readOnlyBlock(text, 'A'), message)
    })

  it('is read between white space, and after the words that openssl writes before it', () => {
    for (const text of [block, `\n ${'\n'}${block}\n\n`, `Certificate Request:\n    Version: 1 (0x0)\n${block}`])
      assert.equal(Buffer.from(readOnlyBlock(text, 'A')).toString(), 'ABC')
  })

  it('is one signing request: none is found behind another with headers', () => {
    const masters = createSigningRequest('a', ['system:masters']).request.replace('\n', '\nFoo: bar\n\n')
    const { request } = createSigningRequest('a', ['devs'])
    assert.throws(() => readSigningRequest(masters + request), { message: 'no PEM block headers are permitted' })
    assert.throws(() => readSigningRequest(request + masters), /exactly one CERTIFICATE REQUEST PEM block/)
  })
})
