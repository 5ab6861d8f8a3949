import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock, systemRandom } from '../../../lib/base/index.ts'
import {
  type Authority,
  createAuthority,
  createChainVerifier,
  ensureServingPair,
  firstServiceAddress,
  readCertificates,
  readSigningRequest,
  readSubject,
  renewServingPair,
  type ServingPair,
  servingNames,
} from '../../../lib/pki/index.ts'
import {
  authorityExtension,
  extension,
  makeAnyCertificate,
  newKey,
  permittedNames,
  usageExtension,
} from '../../support/certificates.ts'
import { createSigningRequest } from '../../support/signingrequest.ts'

const dayMs = 24 * 3600 * 1000
const start = Date.UTC(2030, 0, 1)
const random = systemRandom

function authorityAt(clock: ReturnType<typeof createFakeClock>, commonName = 'test-ca'): Authority {
  return createAuthority({ clock, random }, { commonName })
}

function der(pem: string): Uint8Array {
  return new X509Certificate(pem).raw
}

describe('pki: authority', () => {
  const clock = createFakeClock(start)
  const authority = authorityAt(clock)

  it('certifies the key of a signing request', () => {
    const { request, key } = createSigningRequest('system:node:one', ['system:nodes', 'b'])
    const { commonName, organizations, publicKey } = readSigningRequest(request)
    assert.deepEqual([commonName, organizations], ['system:node:one', ['system:nodes', 'b']])
    const spki = publicKey?.export({ type: 'spki', format: 'der' }) ?? new Uint8Array()
    const read = new X509Certificate(authority.certify(spki, { commonName, organizations, usage: 'client' }))
    assert.equal(read.checkPrivateKey(createPrivateKey(key)), true)
    assert.equal(read.checkIssued(new X509Certificate(authority.certificate)), true)
    assert.deepEqual(readSubject(read), { commonName, organizations, uids: [] })
  })

  it('issues server certificates for names and addresses that OpenSSL accepts', () => {
    const names = ['localhost', '127.0.0.1', '::1', 'fd00::a:1', 'kubernetes.default.svc', 'h.example']
    const { certificate, key } = authority.issue({ commonName: 'server', usage: 'server', names })
    const read = new X509Certificate(certificate)
    assert.equal(read.checkPrivateKey(createPrivateKey(key)), true)
    assert.equal(read.verify(new X509Certificate(authority.certificate).publicKey), true)
    assert.equal(read.checkIssued(new X509Certificate(authority.certificate)), true)
    for (const name of names)
      assert.notEqual(name.includes(':') || name === '127.0.0.1' ? read.checkIP(name) : read.checkHost(name), undefined)
    assert.equal(read.checkHost('other.example'), undefined)
    assert.deepEqual([read.ca, read.keyUsage], [false, ['1.3.6.1.5.5.7.3.1']])
  })

  it('writes user and groups into a client certificate, whatever their characters', () => {
    const groups = ['system:masters', 'Ärzte', 'a\nCN=admin', 'a+b, "c"']
    const { certificate } = authority.issue({ commonName: 'jane', organizations: groups, usage: 'client' })
    const subject = readSubject(new X509Certificate(certificate))
    assert.deepEqual(subject, { commonName: 'jane', organizations: groups, uids: [] })
  })

  it('signs certificates up to its own end, and dates later than 2049 too', () => {
    const late = createFakeClock(Date.UTC(2045, 0, 1))
    const { certificate } = authorityAt(late).issue({ commonName: 'x', usage: 'both', validMs: 100 * 365 * dayMs })
    assert.equal(new X509Certificate(certificate).validToDate.getUTCFullYear(), 2054)
  })

  it('uses an existing authority, and refuses a key that does not match', () => {
    const again = createAuthority({ clock, random }, { existing: authority })
    const { certificate } = again.issue({ commonName: 'x', usage: 'client' })
    assert.equal(new X509Certificate(certificate).checkIssued(new X509Certificate(authority.certificate)), true)
    const other = authorityAt(clock)
    const mixed = { certificate: authority.certificate, key: other.key }
    assert.throws(() => createAuthority({ clock, random }, { existing: mixed }), /does not fit/)
    const leaf = authority.issue({ commonName: 'x', usage: 'client' })
    assert.throws(() => createAuthority({ clock, random }, { existing: leaf }), /not that of an authority/)
  })
})

describe('pki: chains that OpenSSL has judged', () => {
  const clock = createFakeClock(start)
  const authority = authorityAt(clock)
  const stranger = authorityAt(clock, 'stranger')
  const client = authority.issue({ commonName: 'jane', usage: 'client', validMs: 30 * dayMs })
  const bundle = `${stranger.certificate}# a comment\n${authority.certificate}`

  function verifyAt(ms: number, refusal: string | undefined, ...chain: Uint8Array[]): string {
    const authorities = { pem: `${bundle}\n${authorityAt(clock, 'proxies').certificate}` }
    const verifier = createChainVerifier(createFakeClock(ms), bundle)
    const result = verifier.verify({ chain, refusal, authorities, verifiedAtMs: start })
    return result.ok ? `ok until day ${(result.validToMs - start) / dayMs}` : result.reason
  }

  const own = der(client.certificate)
  const cases: [string, () => string, string][] = [
    ['a client certificate', () => verifyAt(start, undefined, own), 'ok until day 30'],
    [
      'one that expires on its connection',
      () => verifyAt(start + 31 * dayMs, undefined, own),
      'the certificate has expired',
    ],
    [
      'one that OpenSSL refused for its time',
      () => verifyAt(start, 'CERT_NOT_YET_VALID', own),
      'the certificate is not yet valid',
    ],
    [
      'one that OpenSSL refused for a reason without words',
      () => verifyAt(start, 'PATH_LENGTH_EXCEEDED', own),
      'the certificate is not valid: PATH_LENGTH_EXCEEDED',
    ],
    [
      'one that leads to no authority of the bundle',
      () =>
        verifyAt(
          start,
          undefined,
          der(authorityAt(clock, 'x').issue({ commonName: 'x', usage: 'client' }).certificate),
        ),
      'the certificate is signed by an unknown authority',
    ],
    ['no certificate at all', () => verifyAt(start, undefined), 'the certificate is malformed'],
    ['rubbish', () => verifyAt(start, undefined, Buffer.from('rubbish')), 'the certificate is malformed'],
    [
      'a chain beyond the limit',
      () => verifyAt(start, undefined, ...Array.from({ length: 17 }, () => own)),
      'the certificate chain is too long',
    ],
    ['an RSA key of 16384 bits', () => verifyAt(start, undefined, hugeKey()), 'the certificate has too large a key'],
  ]
  for (const [what, run, expected] of cases)
    it(`answers "${expected}" for ${what}`, () => {
      assert.equal(run(), expected)
    })

  function hugeKey(): Uint8Array {
    const jwk = { kty: 'RSA', n: Buffer.alloc(2048, 0xff).toString('base64url'), e: 'AQAB' }
    const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
    return der(authority.certify(spki, { commonName: 'jane', usage: 'client' }))
  }

  const forAny = usageExtension('2.5.29.37.0')
  const caKey = newKey()
  const caOf = (...extensions: Buffer[]) =>
    makeAnyCertificate({ subject: ['CN=any-ca'], key: caKey, extensions: [authorityExtension(), ...extensions] })
  const ca = caOf()
  const nowMs = Date.now()
  const anyClient = (more: Partial<Parameters<typeof makeAnyCertificate>[0]> = {}) =>
    makeAnyCertificate({ subject: ['CN=jane'], issuer: ca, extensions: [forAny], ...more })
  const unknown = (isCritical: boolean): Buffer => extension('1.2.3.4', isCritical, Buffer.of(5, 0))
  const middle = makeAnyCertificate({ subject: ['CN=middle'], issuer: ca, extensions: [authorityExtension()] })
  const purposes: readonly (readonly [string, boolean, leaf: ReturnType<typeof anyClient>, pem?: string])[] = [
    ['for any purpose', true, anyClient()],
    [
      'for any purpose and servers',
      true,
      anyClient({ extensions: [usageExtension('2.5.29.37.0', '1.3.6.1.5.5.7.3.1')] }),
    ],
    [
      'for any purpose with an extension that may be passed over',
      true,
      anyClient({ extensions: [forAny, unknown(false)] }),
    ],
    ['for servers', false, anyClient({ extensions: [usageExtension('1.3.6.1.5.5.7.3.1')] })],
    [
      'for any purpose with an extension that must be understood',
      false,
      anyClient({ extensions: [forAny, unknown(true)] }),
    ],
    ['for any purpose that is signed by another key', false, anyClient({ issuer: { ...ca, key: newKey() } })],
    ['for any purpose that signed itself', false, makeAnyCertificate({ subject: ['CN=any-ca'], extensions: [forAny] })],
    ['for any purpose that has expired', false, anyClient({ endMs: nowMs - 1000 })],
    ['for any purpose that is not yet valid', false, anyClient({ startMs: nowMs + 60_000 })],
    ['for any purpose of an authority between', false, anyClient({ issuer: middle })],
    ['for any purpose of an authority for servers', false, anyClient(), caOf(usageExtension('1.3.6.1.5.5.7.3.1')).pem],
    ['for any purpose of an authority with name constraints', false, anyClient(), caOf(permittedNames(['CN=x'])).pem],
    [
      'for any purpose of a certificate that is no authority',
      false,
      anyClient(),
      makeAnyCertificate({ subject: ['CN=any-ca'], key: caKey }).pem,
    ],
  ]
  for (const [what, isGood, { raw }, pem = ca.pem] of purposes)
    it(`${isGood ? 'accepts' : 'refuses'} a certificate ${what}, which OpenSSL refuses`, () => {
      const verifier = createChainVerifier(createFakeClock(nowMs), pem)
      const presented = { refusal: 'INVALID_PURPOSE', authorities: { pem }, verifiedAtMs: nowMs }
      assert.equal(verifier.verify({ chain: [raw, middle.raw], ...presented }).ok, isGood)
    })

  it('reads the certificate that was presented, not one that its subject holds as text', () => {
    const key = createPrivateKey(authority.key)
    const issuer = makeAnyCertificate({ subject: ['CN=test-ca'], key })
    const inner = makeAnyCertificate({ subject: ['CN=root', 'O=system:masters'], issuer: { ...issuer, key: newKey() } })
    const outer = makeAnyCertificate({ subject: ['O=devs', `CN=x\n${inner.pem}`], issuer })
    const verifier = createChainVerifier(createFakeClock(Date.now()), bundle)
    const presented = { refusal: undefined, authorities: { pem: bundle }, verifiedAtMs: Date.now() }
    const result = verifier.verify({ chain: [outer.raw], ...presented })
    assert.ok(result.ok)
    assert.deepEqual(readSubject(result.leaf).organizations, ['devs'])
  })

  it('treats a chain as one of another bundle when it can have ended there as well', () => {
    // Two certificates of one authority, name and key; only one is in the bundle.
    const key = newKey()
    const make = () => makeAnyCertificate({ subject: ['CN=same'], key, extensions: [authorityExtension()] })
    const [one, other] = [make(), make()]
    const leaf = makeAnyCertificate({ subject: ['CN=jane'], issuer: one })
    const presented = {
      chain: [leaf.raw],
      refusal: undefined,
      authorities: { pem: one.pem + other.pem },
      verifiedAtMs: Date.now(),
    }
    const verify = (pem: string) => createChainVerifier(createFakeClock(Date.now()), pem).verify(presented).ok
    assert.deepEqual([verify(one.pem), verify(other.pem), verify(one.pem + other.pem)], [false, false, true])
  })

  it('distinguishes authorities of one name by their keys', () => {
    const make = () => makeAnyCertificate({ subject: ['CN=same'], extensions: [authorityExtension()] })
    const [one, other] = [make(), make()]
    const leaf = makeAnyCertificate({ subject: ['CN=jane'], issuer: one })
    const presented = {
      chain: [leaf.raw],
      refusal: undefined,
      authorities: { pem: one.pem + other.pem },
      verifiedAtMs: Date.now(),
    }
    const verify = (pem: string) => createChainVerifier(createFakeClock(Date.now()), pem).verify(presented).ok
    assert.deepEqual([verify(one.pem), verify(other.pem)], [true, false])
  })

  it('refuses a bundle without certificates', () => {
    assert.throws(() => createChainVerifier(clock, 'nothing'), /holds no certificate/)
    assert.throws(
      () => readCertificates('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
      /certificate 1/,
    )
  })
})

describe('pki: names', () => {
  const firsts: [string, string][] = [
    ['10.0.0.0/24', '10.0.0.1'],
    ['10.96.37.255/12', '10.96.0.1'],
    ['fd00:1::/108', 'fd00:1::1'],
  ]
  for (const [range, address] of firsts)
    it(`finds ${address} as the first of ${range}`, () => {
      assert.equal(firstServiceAddress(range), address)
    })

  it('refuses texts that are no range', () => {
    for (const range of ['10.0.0.0', '10.0.0/8', 'x/8', '10.0.0.0/33']) assert.throws(() => firstServiceAddress(range))
  })

  it('leaves wildcards and doubles out of the names to serve', () => {
    const names = servingNames({
      serviceRange: '10.0.0.0/24',
      hostName: 'Box',
      more: ['0.0.0.0', '::', '', '127.0.0.1'],
    })
    assert.deepEqual(names.slice(-3), ['kubernetes.default.svc.cluster.local', '10.0.0.1', 'box'])
  })
})

describe('pki: self-signed serving pair', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-pki-'))
  })
  afterEach(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true })
  })
  const names = ['localhost', '127.0.0.1']

  it('is made once, with a key that others cannot read, and used again', async () => {
    const clock = createFakeClock(start)
    const made = await ensureServingPair({ clock, random }, { folder: join(folder, 'deep'), names })
    assert.equal(statSync(made.keyFile).mode & 0o777, 0o600)
    assert.equal(readCertificates(readFileSync(made.certificateFile, 'utf8')).length, 2)
    const again = await ensureServingPair({ clock, random }, { folder: join(folder, 'deep'), names })
    assert.equal(again.certificate, made.certificate)
  })

  it('is named after its program', async () => {
    const pairName = 'kube-controller-manager'
    await ensureServingPair({ clock: createFakeClock(start), random }, { folder, pairName, names })
    assert.deepEqual(readdirSync(folder).toSorted(), [`${pairName}.crt`, `${pairName}.key`])
  })

  it('is the operator’s where there is one, whatever its content', async () => {
    const clock = createFakeClock(start)
    writeFileSync(join(folder, 'apiserver.crt'), 'rubbish')
    writeFileSync(join(folder, 'apiserver.key'), 'more')
    const found = await ensureServingPair({ clock, random }, { folder, names })
    assert.deepEqual([found.certificate, found.key], ['rubbish', 'more'])
    assert.equal(readFileSync(join(folder, 'apiserver.crt'), 'utf8'), 'rubbish')
  })

  for (const [there, missing] of [
    ['crt', 'key'],
    ['key', 'crt'],
  ])
    it(`is refused where apiserver.${missing} is missing`, async () => {
      writeFileSync(join(folder, `apiserver.${there}`), 'half')
      await assert.rejects(ensureServingPair({ clock: createFakeClock(start), random }, { folder, names }), {
        name: 'IncompletePair',
        message: `error reading ${join(folder, `apiserver.${missing}`)}, certificate and key must be supplied as a pair`,
      })
      assert.deepEqual(readdirSync(folder), [`apiserver.${there}`])
    })

  it('is made again in the program’s own folder when it has expired, lacks a name, or is broken', async () => {
    const clock = createFakeClock(start)
    const authority = createAuthority({ clock, random }, { commonName: 'own' })
    const renew = async (more: readonly string[] = []): Promise<ServingPair> =>
      await renewServingPair({ clock, random }, { folder, names: [...names, ...more], authority })
    const first = await renew()
    assert.equal((await renew()).certificate, first.certificate)
    const named = await renew(['10.0.0.1'])
    assert.notEqual(named.certificate, first.certificate)
    clock.advance(400 * dayMs)
    const renewed = await renew()
    assert.notEqual(renewed.certificate, named.certificate)
    writeFileSync(renewed.certificateFile, 'rubbish')
    assert.notEqual((await renew()).certificate, renewed.certificate)
    rmSync(renewed.keyFile)
    assert.notEqual((await renew()).key, renewed.key)
  })
})
