import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { createFakeClock, createSeededRandom } from '../../../lib/base/index.ts'
import { der } from '../../../lib/pki/der.ts'
import { createAuthority, readSigningRequest, readSubject, signRequest } from '../../../lib/pki/index.ts'
import { extension } from '../../support/certificates.ts'
import { encodeSigningRequest, signers } from '../../support/signingrequest.ts'

const random = createSeededRandom(3)
const nowMs = Date.UTC(2026, 0, 1)
const authority = createAuthority({ clock: createFakeClock(nowMs), random }, { commonName: 'ca' })
const terms = { usages: ['client auth', 'digital signature'], notBeforeMs: nowMs, notAfterMs: nowMs + 3_600_000 }
const signer = signers.ecdsa()

const string = (tag: number, bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes)
  return Buffer.concat([Buffer.of(tag, content.length), content])
}
const attribute = (type: string, value: Buffer): Buffer => der.set(der.sequence(der.objectId(type), value))
const alternativeNames = (...names: Buffer[]): Buffer => extension('2.5.29.17', false, der.sequence(...names))
const organization = '2.5.4.10'
const commonName = attribute('2.5.4.3', der.utf8('jane'))

const requestOf = (subject: readonly Buffer[], ...extensions: Buffer[]) =>
  readSigningRequest(encodeSigningRequest(signer, { subject, extensions }))
const certificateOf = (subject: readonly Buffer[], ...extensions: Buffer[]): X509Certificate =>
  new X509Certificate(signRequest(random, requestOf(subject, ...extensions), authority, terms))

describe('a signing request', () => {
  const organizations: readonly (readonly [what: string, value: Buffer, read: readonly string[]])[] = [
    ['UTF-8', der.utf8('Ärzte'), ['Ärzte']],
    ['PrintableString', der.printable('a b'), ['a b']],
    ['NumericString', string(0x12, '1 2'), ['1 2']],
    ['IA5String', string(0x16, 'a@b'), ['a@b']],
    ['T61String', string(0x14, 'abc'), ['abc']],
    ['BMPString', string(0x1e, Buffer.from('ab', 'utf16le').swap16()), ['ab']],
    ['BMPString with a zero at its end', string(0x1e, Buffer.from('ab\0', 'utf16le').swap16()), ['ab']],
    ['UniversalString, which names here are not of,', string(0x1c, '\0\0\0a'), []],
    ['an integer', der.integer(Buffer.of(1)), []],
  ]
  for (const [what, value, read] of organizations)
    it(`has its organization as ${what} read and signed alike`, () => {
      const subject = [attribute(organization, value), commonName]
      assert.deepEqual(requestOf(subject).organizations, read)
      assert.deepEqual(readSubject(certificateOf(subject)), { commonName: 'jane', organizations: read, uids: [] })
    })

  const malformed: readonly (readonly [what: string, subject: readonly Buffer[], ...extensions: Buffer[]])[] = [
    ['a string that is not UTF-8', [attribute(organization, string(0x0c, Buffer.of(0xff)))]],
    ['a PrintableString with other letters', [attribute(organization, string(0x13, 'a_b'))]],
    ['half a character', [attribute(organization, string(0x1e, 'abc'))]],
    [
      'an attribute of three members',
      [der.set(der.sequence(der.objectId(organization), der.utf8('a'), der.utf8('b')))],
    ],
    ['an address of five bytes', [commonName], alternativeNames(der.implicit(7, Buffer.alloc(5)))],
    ['a name with a line break', [commonName], alternativeNames(der.implicit(2, Buffer.from('a\nb')))],
    ['a URI in another alphabet', [commonName], alternativeNames(der.implicit(6, Buffer.from('a:ä')))],
  ]
  for (const [what, subject, ...extensions] of malformed)
    it(`is refused for ${what}`, () => {
      assert.throws(() => requestOf(subject, ...extensions), {
        message: 'asn1: structure error: not a certification request',
      })
    })

  it('is refused when it asks for one extension twice', () => {
    const names = alternativeNames(der.implicit(2, Buffer.from('a')))
    assert.throws(() => requestOf([commonName], names, names), /duplicate requested extensions/)
  })
})

describe('a certificate for a signing request', () => {
  it('has the attributes of the subject that stock signers copy, in their order, and no others', () => {
    const uid = attribute('1.3.6.1.4.1.57683.2', der.utf8('forged'))
    const unit = attribute('2.5.4.11', der.utf8('u'))
    const certificate = certificateOf([commonName, uid, attribute(organization, der.utf8('o')), unit])
    assert.equal(certificate.subject, 'O=o\nOU=u\nCN=jane')
    assert.deepEqual(readSubject(certificate).uids, [])
  })

  it('has the last of several common names', () => {
    const subject = [attribute('2.5.4.3', der.utf8('first')), commonName]
    assert.equal(requestOf(subject).commonName, 'jane')
    assert.equal(certificateOf(subject).subject, 'CN=jane')
  })

  it('has names, addresses, mails and URIs of the request, and no alternative names of other types', () => {
    const otherName = der.explicit(0, der.objectId('1.3.6.1.4.1.311.20.2.3'), der.explicit(0, der.utf8('root')))
    const { subjectAltName } = certificateOf(
      [commonName],
      alternativeNames(
        otherName,
        der.implicit(6, Buffer.from('spiffe://a/b')),
        der.implicit(7, Buffer.from('00000000000000000000ffff0a000001', 'hex')),
        der.implicit(1, Buffer.from('a@example.com')),
        der.implicit(2, Buffer.from('a.example')),
      ),
    )
    assert.equal(subjectAltName, 'DNS:a.example, email:a@example.com, IP Address:10.0.0.1, URI:spiffe://a/b')
  })

  it('has no other extension of the request', () => {
    const certificate = certificateOf([commonName], extension('2.5.29.19', true, der.sequence(der.boolean(true))))
    assert.equal(certificate.ca, false)
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2'])
  })

  it('is refused for a request that its key has not signed', () => {
    const text = encodeSigningRequest(
      { ...signer, privateKey: signers.ecdsa().privateKey, sign: signers.ecdsa().sign },
      { subject: [commonName] },
    )
    assert.throws(
      () => signRequest(random, readSigningRequest(text), authority, terms),
      /x509: ECDSA verification failure/,
    )
  })
})
