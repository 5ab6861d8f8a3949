import assert from 'node:assert/strict'
import fc from 'fast-check'
import { encodeHeaders, HeaderDecoder, headerBytesMax, writeHeaders } from '../../../lib/http2/index.ts'
import { decodeList, valueCharacters } from './headerlist.ts'

function blockOf(list: readonly string[]): Buffer {
  const target = Buffer.alloc(headerBytesMax(list))
  return target.subarray(0, writeHeaders(list, target, 0))
}

describe('written headers', () => {
  const forms: readonly (readonly [list: readonly string[], hex: string])[] = [
    [[':status', '200'], '88'],
    [[':status', '500'], '8e'],
    [[':status', '409'], '0803343039'],
    [[':method', 'POST', ':path', '/index.html', ':path', '/a'], '838504022f61'],
    [['accept-encoding', 'gzip, deflate', 'accept-encoding', 'gzip'], '900f0104677a6970'],
    [['content-length', '5', 'etag', ''], '0f0d0135a2'],
    [['a', ''], '00016100'],
    [[':protocol', 'x'], '00093a70726f746f636f6c0178'],
    [[], ''],
  ]
  for (const [list, hex] of forms)
    it(`headers of ${JSON.stringify(list)} are ${hex === '' ? 'nothing' : hex}`, () => {
      assert.equal(blockOf(list).toString('hex'), hex)
    })

  it('are decoded unchanged, whatever they hold, and need no more bytes than estimated', () => {
    const nameUnit = fc.constantFrom(..."abcxyz0189-_.!#$%&'*+^`|~".split(''))
    const name = fc.oneof(
      fc.string({ unit: nameUnit, minLength: 1, maxLength: 200 }),
      fc.constantFrom(':status', ':path', 'content-type', 'www-authenticate', 'accept-encoding', ':protocol'),
    )
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('\t', ...valueCharacters), maxLength: 300 }),
      fc.constantFrom('200', 'GET', '/', 'gzip, deflate', 'x'.repeat(127), 'x'.repeat(254), 'x'.repeat(20_000)),
    )
    const decoder = new HeaderDecoder()
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), fc.nat(20), (pairs, at) => {
        const list = pairs.flat()
        const target = Buffer.alloc(at + headerBytesMax(list) + 1, 0xa5)
        const end = writeHeaders(list, target, at)
        assert.ok(end <= at + headerBytesMax(list))
        assert.ok(target.subarray(0, at).every((byte) => byte === 0xa5))
        assert.ok(target.subarray(end).every((byte) => byte === 0xa5))
        assert.deepEqual(decodeList(decoder, target.subarray(at, end)), list)
        assert.deepEqual(encodeHeaders(pairs), target.subarray(at, end))
      }),
    )
  })

  it("leave nothing in the receiver's table", () => {
    const decoder = new HeaderDecoder()
    decodeList(decoder, blockOf([':status', '404', 'x-name', 'value', 'server', 'value']))
    assert.throws(() => decodeList(decoder, Buffer.of(0xbe)), { message: 'hpack: no entry 62' })
  })

  it('have names that are lower-case tokens', () => {
    for (const name of ['', ':', 'Accept', 'a b', 'a:b', '::a', 'a\n', 'a\0', 'ä', 'a\u0161', 'a\u{1f600}', '"', 'a,b'])
      assert.throws(() => blockOf([name, 'value']), TypeError, JSON.stringify(name))
  })

  it('have values without line breaks and other controls, and without characters of more than a byte', () => {
    for (const value of ['\r', '\n', '\0', 'a\r\nb: c', '\x1f', '\x7f', '\u0100', '\u010d\u010a', '\u{1f600}'])
      for (const name of ['x-name', 'location', ':status'])
        assert.throws(() => blockOf([name, `a${value}`]), TypeError, JSON.stringify(value))
  })

  it('are not lost where the buffer is full', () => {
    assert.throws(() => writeHeaders(['x-name', 'value'], Buffer.alloc(13), 0), /more room/)
    assert.throws(() => writeHeaders(['x-name', 'value', 'x-other'], Buffer.alloc(100), 0), /without a value/)
  })
})
