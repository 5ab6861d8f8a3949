import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { DerError, DerReader, derTags, readSigningRequest, SigningRequestError } from '../../../lib/pki/index.ts'
import { createSigningRequest } from '../../support/signingrequest.ts'

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex')

describe('DER reader', () => {
  it('reads values one after the other, and those inside of them', () => {
    const reader = new DerReader(bytes('30 06 02 01 05 06 01 2a 03 81 80'.padEnd(30, ' ') + '00'.repeat(128)))
    const inside = reader.enter(derTags.sequence)
    assert.deepEqual([...inside.next(derTags.integer).content], [5])
    assert.deepEqual([...inside.next().whole], [6, 1, 0x2a])
    assert.equal(inside.more, false)
    assert.equal(reader.next(derTags.bitString).content.length, 128)
    assert.equal(reader.more, false)
  })

  const hostile: readonly (readonly [string, string, RegExp])[] = [
    ['nothing at all', '', /it is cut off$/],
    ['a tag alone', '30', /it is cut off$/],
    ['a value that ends before its length', '30 05 02 01', /a value is cut off$/],
    ['a length that ends before its bytes', '30 82 01', /it is cut off$/],
    ['an indefinite length', '30 80 02 01 05 00 00', /an indefinite length$/],
    ['the length of 2^32-1', '30 84 ff ff ff ff 00', /a value is cut off$/],
    ['a length of five bytes', '30 85 01 00 00 00 00', /a length is too long$/],
    ['a length of 127 bytes', `30 ff${'00'.repeat(127)}`, /a length is too long$/],
    ['a long form for a short length', '30 81 05 02 01 05 02 00', /a length is not minimal$/],
    ['a length with a leading zero', `30 82 00 80${'00'.repeat(128)}`, /a length is not minimal$/],
    ['a tag of several bytes', '3f 81 01 00', /a tag of several bytes$/],
    ['another tag', '31 00', /tag 49 in the place of 48$/],
  ]
  for (const [title, hex, message] of hostile)
    it(`refuses ${title}`, () => {
      assert.throws(
        () => new DerReader(bytes(hex)).next(derTags.sequence),
        (error) => error instanceof DerError && message.test(error.message),
      )
    })

  it('stays inside of the value that it entered, whatever the length of a member', () => {
    const inside = new DerReader(bytes('30 03 04 05 01 aa bb cc dd')).enter(derTags.sequence)
    assert.throws(() => inside.next(), /a value is cut off$/)
  })

  it('reads at most 10,000 members at a time', () => {
    const many = (count: number): DerReader => new DerReader(Buffer.alloc(2 * count, '0500', 'hex'))
    assert.equal(many(10_000).rest().length, 10_000)
    assert.throws(() => many(10_001).rest(), /more than 10000 members$/)
  })

  it('refuses a signing request that was cut or changed anywhere with a SigningRequestError, or reads it', () => {
    const { request } = createSigningRequest('a', ['b'])
    const whole = Buffer.from(request.split('-----')[2] ?? '', 'base64')
    const pem = (der: Buffer): string =>
      `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`
    assert.equal(readSigningRequest(pem(whole)).commonName, 'a')
    const random = createSeededRandom(14)
    const versions = [
      ...Array.from({ length: whole.length }, (_, length) => whole.subarray(0, Math.max(1, length))),
      ...Array.from({ length: 5000 }, () => {
        const changed = Buffer.from(whole)
        changed[random.below(changed.length)] = random.below(256)
        return changed
      }),
    ]
    let refused = 0
    for (const version of versions) {
      try {
        readSigningRequest(pem(version))
      } catch (error) {
        assert.ok(error instanceof SigningRequestError, String(error))
        refused++
      }
    }
    assert.ok(refused > whole.length)
  })
})
