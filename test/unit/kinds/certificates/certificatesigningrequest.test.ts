import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { der } from '../../../../lib/pki/der.ts'
import { contextOf, created, updated } from '../../../support/kindrun.ts'
import { createSigningRequest, type Signer, signers } from '../../../support/signingrequest.ts'
import { valid } from '../../../support/valid/CertificateSigningRequest.ts'

const user = { name: 'jane', uid: 'u1', groups: ['dev'], extra: { 'x.io/a': ['b'] } }
const { object: stored } = created(valid, contextOf(user))
const condition = (type: string, status = 'True') => ({ type, status })
const withConditions = (object: ApiObject, ...conditions: unknown[]) =>
  void (object['status'] = { ...(object['status'] as object), conditions })

describe('a certificate signing request', () => {
  it('names the requesting user, whatever the client sends', () => {
    const given = { ...valid, spec: { ...(valid['spec'] as object), username: 'root', groups: ['system:masters'] } }
    const { object } = created(given, contextOf(user))
    const { username, uid, groups, extra } = object['spec'] as Record<string, unknown>
    assert.deepEqual(
      { username, uid, groups, extra },
      { username: 'jane', uid: 'u1', groups: ['dev'], extra: user.extra },
    )
  })

  it('is created without a status', () => {
    const { object } = created({ ...valid, status: { conditions: [condition('Approved')] } })
    assert.deepEqual(object['status'], {})
  })

  it('keeps its spec and status through an update, silently', () => {
    const { object, findings } = updated(stored, (changed) => {
      changed['spec'] = { ...(changed['spec'] as object), signerName: 'other.io/x' }
      withConditions(changed, condition('Approved'))
    })
    assert.deepEqual(findings, [])
    assert.deepEqual(object['spec'], stored['spec'])
    assert.deepEqual(object['status'], stored['status'])
  })

  it('is approved through approval alone, which stamps the condition', () => {
    const approve = (changed: ApiObject) => withConditions(changed, condition('Approved'))
    const { object, findings } = updated(stored, approve, { subresource: 'approval' })
    assert.deepEqual(findings, [])
    const [approved] = (object['status'] as { conditions: Record<string, unknown>[] }).conditions
    assert.equal(approved?.['lastTransitionTime'], '2025-05-01T00:00:00Z')
    assert.deepEqual(updated(stored, approve, { subresource: 'status' }).findings, [
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ])
  })

  const { object: approved } = updated(stored, (changed) => withConditions(changed, condition('Approved')), {
    subresource: 'approval',
  })

  it('keeps its original decision when a signer repeats it at another time, or with another text', () => {
    const decided = structuredClone(approved)
    const { conditions } = decided['status'] as { conditions: Record<string, unknown>[] }
    Object.assign(conditions[0] ?? {}, { lastUpdateTime: '2025-04-01T00:00:00Z', reason: 'Known' })
    const repeat = (changed: ApiObject) =>
      withConditions(changed, condition('Failed'), { ...condition('Approved'), reason: 'Other' })
    const { object, findings } = updated(decided, repeat, { subresource: 'status' })
    assert.deepEqual(findings, [])
    const [failed, kept] = (object['status'] as { conditions: Record<string, unknown>[] }).conditions
    assert.deepEqual([failed?.['type'], kept], ['Failed', conditions[0]])
    assert.deepEqual(updated(decided, (changed) => withConditions(changed), { subresource: 'status' }).findings, [
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ])
  })

  it('is refused for a request with headers before another one', () => {
    const masters = createSigningRequest('a', ['system:masters']).request.replace('\n', '\nFoo: bar\n\n')
    const text = masters + createSigningRequest('a', ['devs']).request
    const request = Buffer.from(text).toString('base64')
    const { findings } = created({ ...valid, spec: { ...(valid['spec'] as object), request } }, contextOf(user))
    assert.equal(findings.length, 1)
    assert.match(findings[0] ?? '', /^spec\.request: Invalid value: .*: no PEM block headers are permitted$/)
  })

  const cases: readonly (readonly [string, string, (object: ApiObject) => void, readonly string[]])[] = [
    [
      'an approval is not taken back',
      'approval',
      (object) => withConditions(object),
      ['status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
    ],
    [
      'nothing is both approved and denied',
      'approval',
      (object) => withConditions(object, condition('Approved'), condition('Denied')),
      ['status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
    ],
    [
      'a decision is True',
      'approval',
      (object) => withConditions(object, condition('Approved'), condition('Failed', 'False')),
      ['status.conditions[1].status: Unsupported value: "False": supported values: "True"'],
    ],
    [
      'a certificate is one',
      'status',
      (object) => void (object['status'] = { ...(object['status'] as object), certificate: 'AAAA' }),
      ['status.certificate: Invalid value: "AAAA": must contain at least one CERTIFICATE PEM block'],
    ],
  ]
  for (const [title, subresource, change, expected] of cases)
    it(title, () => assert.deepEqual(updated(approved, change, { subresource }).findings, expected))

  const change = (spec: object) => created({ ...valid, spec: { ...(valid['spec'] as object), ...spec } }).findings
  const asking = (signer: Signer) =>
    change({ request: Buffer.from(createSigningRequest('jane', [], signer).request).toString('base64') })
  /** What is said of the request, without the request itself. */
  const saying = (findings: readonly string[]) =>
    findings.map((finding) => finding.replace(/^spec\.request: Invalid value: "[^"]*": /, ''))

  const wrong: Readonly<Record<keyof typeof signers, string>> = {
    ecdsa: 'x509: ECDSA verification failure',
    rsa: 'crypto/rsa: verification error',
    rsaPss: 'crypto/rsa: verification error',
    ed25519: 'x509: Ed25519 verification failure',
  }
  for (const [name, create] of Object.entries(signers))
    it(`is signed by the key that it is for (${name})`, () => {
      const signer = create()
      assert.deepEqual(asking(signer), [])
      const other = { ...signer, sign: (body: Buffer) => signer.sign(Buffer.concat([body, Buffer.of(0)])) }
      assert.deepEqual(saying(asking(other)), [wrong[name as keyof typeof signers]])
      assert.deepEqual(saying(asking({ ...signer, publicKey: create().publicKey })), [
        wrong[name as keyof typeof signers],
      ])
      assert.deepEqual(saying(asking({ ...signer, sign: () => Buffer.alloc(0) })), [
        wrong[name as keyof typeof signers],
      ])
    })

  it('is signed by an algorithm that proves possession, for the type of its key', () => {
    const [rsa, ecdsa] = [signers.rsa(), signers.ecdsa()]
    const as = (signer: Signer, oid: string) =>
      saying(asking({ ...signer, algorithm: der.sequence(der.objectId(oid)) }))
    assert.deepEqual(as(rsa, '1.2.840.113549.1.1.4'), ['x509: cannot verify signature: insecure algorithm MD5-RSA'])
    assert.deepEqual(as(rsa, '1.2.3'), ['x509: cannot verify signature: algorithm unimplemented'])
    assert.deepEqual(as(rsa, '1.2.840.113549.1.1.10'), ['x509: cannot verify signature: algorithm unimplemented'])
    assert.deepEqual(saying(asking({ ...rsa, publicKey: ecdsa.publicKey })), [
      'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
    ])
  })

  it('must contain a request', () => {
    assert.deepEqual(change({ request: 'AAAA' }), [
      'spec.request: Invalid value: "AAAA": PEM block type must be CERTIFICATE REQUEST',
    ])
    const pem = Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n')
    assert.match(change({ request: pem.toString('base64') })[0] ?? '', /^spec\.request: Invalid value: .*asn1/)
    assert.deepEqual(change({ expirationSeconds: 599 }), [
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ])
  })
})
