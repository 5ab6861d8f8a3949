import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createFakeClock, createSeededRandom } from '../../../../lib/base/index.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { createAuthority, encodePem, readPem, readSigningRequest, signRequest } from '../../../../lib/pki/index.ts'
import { created, updated } from '../../../support/kindrun.ts'
import { createSigningRequest, type Signer, signers } from '../../../support/signingrequest.ts'
import { valid } from '../../../support/valid/PodCertificateRequest.ts'

type Fields = Record<string, unknown>

const nowMs = Date.parse('2025-05-01T00:00:00Z')
const hourMs = 3_600_000
const authority = createAuthority(
  { clock: createFakeClock(nowMs), random: createSeededRandom(1) },
  { commonName: 'authority' },
)
const podUID = String((valid['spec'] as Fields)['podUID'])

const withSpec = (change: Fields): ApiObject => ({ ...valid, spec: { ...(valid['spec'] as Fields), ...change } })
const findingsOf = (change: Fields): string[] => created(withSpec(change)).findings
const derOf = (pem: string): Buffer => Buffer.from(readPem(pem)[0]?.bytes ?? [])
const stubOf = (signer: Signer): string => derOf(createSigningRequest('x', [], signer).request).toString('base64')

/** The deprecated form: a key, and the signature of the pod's UID. */
function possession({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }, text = podUID): Fields {
  const type = privateKey.asymmetricKeyType
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN }
  const key = type === 'rsa' ? { key: privateKey, ...padding } : privateKey
  return {
    stubPKCS10Request: '',
    pkixPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    proofOfPossession: sign(type === 'ed25519' ? null : 'sha256', Buffer.from(text), key).toString('base64'),
  }
}

describe('a request for the certificate of a pod', () => {
  const ecdsa = signers.ecdsa()
  const rsa3072 = generateKeyPairSync('rsa', { modulusLength: 3072 })

  for (const [title, change] of [
    ['with a signing request for a key of ECDSA', { stubPKCS10Request: stubOf(ecdsa) }],
    ['with a signing request for a key of Ed25519', { stubPKCS10Request: stubOf(signers.ed25519()) }],
    ['with the proof of a key of ECDSA', possession(ecdsa)],
    ['with the proof of a key of P-521', possession(generateKeyPairSync('ec', { namedCurve: 'P-521' }))],
    ['with the proof of a key of Ed25519', possession(signers.ed25519())],
    ['with the proof of a key of RSA', possession(rsa3072)],
    ['for 91 days', { maxExpirationSeconds: 7_862_400 }],
    ['for a signer of Kubernetes for a day', { signerName: 'kubernetes.io/x', maxExpirationSeconds: 86_400 }],
    ['with words to the signer', { unverifiedUserAnnotations: { 'Acme.io/Role': '' } }],
  ] as const)
    it(`${title} is valid`, () => {
      assert.deepEqual(findingsOf(change), [])
    })

  const p224 = generateKeyPairSync('ec', { namedCurve: 'P-224' })
  const otherProof = possession(signers.ed25519())['proofOfPossession']
  const [host, range] = ['spec.maxExpirationSeconds', 'must be in the range']
  const either =
    'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'
  const unproven = 'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature'
  const tampered = derOf(createSigningRequest('x', [], ecdsa).request)
  tampered[tampered.length - 1] = (tampered.at(-1) ?? 0) ^ 1
  const refused: [string, Fields, string[]][] = [
    ['without the UID of its pod', { podUID: '' }, ['spec.podUID: Invalid value: "": must not be empty']],
    [
      'with a long UID of its node',
      { nodeUID: 'x'.repeat(129) },
      ['spec.nodeUID: Too long: may not be more than 128 bytes'],
    ],
    [
      'for less than an hour',
      { maxExpirationSeconds: 3599 },
      [`${host}: Invalid value: 3599: ${range} [3600, 7862400]`],
    ],
    [
      'for more than 91 days',
      { maxExpirationSeconds: 7_862_401 },
      [`${host}: Invalid value: 7862401: ${range} [3600, 7862400]`],
    ],
    [
      'for more than a day of a signer of Kubernetes',
      { signerName: 'kubernetes.io/x', maxExpirationSeconds: 86_401 },
      [`${host}: Invalid value: 86401: ${range} [3600, 86400]`],
    ],
    [
      'with a word to the signer that has no domain',
      { unverifiedUserAnnotations: { role: 'x' } },
      ['spec.unverifiedUserAnnotations: Invalid value: "role": must be a domain-prefixed key (such as "acme.io/foo")'],
    ],
    [
      'with too many words to the signer',
      { unverifiedUserAnnotations: { 'a.io/b': 'x'.repeat(256 * 1024) } },
      ['spec.unverifiedUserAnnotations: Too long: may not be more than 262144 bytes'],
    ],
    ['without a key', { stubPKCS10Request: '' }, [either]],
    ['with two keys', { ...possession(ecdsa), stubPKCS10Request: stubOf(ecdsa) }, [either]],
    [
      'with something else than a signing request',
      { stubPKCS10Request: 'AAAA' },
      ['spec.stubPKCS10Request: Invalid value: "AAAA": must be a valid PKCS#10 CSR'],
    ],
    [
      'with a long signing request',
      { stubPKCS10Request: Buffer.alloc(10_241).toString('base64') },
      ['spec.stubPKCS10Request: Too long: may not be more than 10240 bytes'],
    ],
    [
      'with a signing request of another signature',
      { stubPKCS10Request: tampered.toString('base64') },
      ['spec.stubPKCS10Request: Invalid value: invalid signature'],
    ],
    [
      'with a signing request for a small key of RSA',
      { stubPKCS10Request: stubOf(signers.rsa()) },
      ['spec.stubPKCS10Request: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096'],
    ],
    [
      'with a key of a short curve',
      possession(p224),
      ['spec.pkixPublicKey: Invalid value: "curve P-224": elliptic public keys must use curve P256 or P384'],
    ],
    ['with the proof of another pod', possession(ecdsa, 'other'), [unproven]],
    ['with the proof of another key', { ...possession(ecdsa), proofOfPossession: otherProof }, [unproven]],
    [
      'with something else than a key',
      { ...possession(ecdsa), pkixPublicKey: 'AAAA' },
      ['spec.pkixPublicKey: Invalid value: "AAAA": must be a valid PKIX-serialized public key'],
    ],
  ]
  for (const [title, change, findings] of refused)
    it(`${title} is refused`, () => {
      assert.deepEqual(findingsOf(change), findings)
    })

  it('a key with bytes after it is refused', () => {
    const { pkixPublicKey, ...rest } = possession(ecdsa)
    const longer = Buffer.concat([Buffer.from(String(pkixPublicKey), 'base64'), Buffer.of(0)]).toString('base64')
    assert.deepEqual(findingsOf({ ...rest, pkixPublicKey: longer }), [
      `spec.pkixPublicKey: Invalid value: "${longer}": must be a valid PKIX-serialized public key`,
    ])
  })

  it('is created without a status, and its spec never changes', () => {
    const { object } = created({ ...valid, status: { certificateChain: 'x' } })
    assert.equal(object['status'], undefined)
    const { findings } = updated(object, (changed) => void Object.assign(changed['spec'] as Fields, { podName: 'y' }))
    assert.match(findings.join(), /^spec: Invalid value: .*: field is immutable$/)
  })

  describe('issued by its signer', () => {
    const { object: stored } = created(withSpec({ stubPKCS10Request: stubOf(ecdsa) }))
    const request = readSigningRequest(createSigningRequest('x', [], ecdsa).request)
    const condition = (type: string, status = 'True', reason = 'Because'): Fields => ({ type, status, reason })
    const time = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

    function certificate(of = request, startMs = nowMs, endMs = nowMs + 24 * hourMs): string {
      const terms = { usages: ['client auth'], notBeforeMs: startMs, notAfterMs: endMs }
      return signRequest(createSeededRandom(2), of, authority, terms)
    }
    const chain = certificate()
    const issued: Fields = {
      conditions: [condition('Issued')],
      certificateChain: chain,
      notBefore: time(nowMs),
      notAfter: time(nowMs + 24 * hourMs),
      beginRefreshAt: time(nowMs + 12 * hourMs),
    }
    const change = (status: Fields, old = stored) =>
      updated(old, (changed) => void (changed['status'] = structuredClone(status)), { subresource: 'status' })

    it('has the chain and its times, and never changes again', () => {
      const { object, findings } = change(issued)
      assert.deepEqual(findings, [])
      const [made] = (object['status'] as { conditions: Fields[] }).conditions
      assert.equal(made?.['lastTransitionTime'], '2025-05-01T00:00:00Z')
      assert.deepEqual(change(object['status'] as Fields, object).findings, [])
      assert.deepEqual(change({ ...issued, beginRefreshAt: time(nowMs + hourMs) }, object).findings, [
        'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
      ])
    })

    it('may have further certificates behind its own', () => {
      assert.deepEqual(change({ ...issued, certificateChain: chain + authority.certificate }).findings, [])
    })

    const named = encodePem('X', Buffer.of(1))
    const other = certificate(readSigningRequest(createSigningRequest('x').request))
    const text = (part: string): string => JSON.stringify(part)
    const short = { ...issued, certificateChain: certificate(request, nowMs, nowMs + hourMs - 1000) }
    const cases: [string, Fields, string[]][] = [
      [
        'another condition',
        { conditions: [condition('Approved')] },
        ['status.conditions.[0].type: Unsupported value: "Approved": supported values: "Issued", "Denied", "Failed"'],
      ],
      [
        'two outcomes',
        { conditions: [condition('Denied'), condition('Failed')] },
        [
          'status.conditions.[1].type: Invalid value: "Failed": There may be at most one condition with type "Issued", "Denied", or "Failed"',
        ],
      ],
      [
        'an outcome that is not true',
        { conditions: [condition('Denied', 'False')] },
        ['status.conditions.[0].status: Unsupported value: "False": supported values: "True"'],
      ],
      [
        'a certificate with a refusal',
        { ...issued, conditions: [condition('Denied')] },
        [
          'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
        ],
      ],
      [
        'a certificate without an outcome',
        { certificateChain: chain },
        ['status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"'],
      ],
      [
        'no certificate',
        { ...issued, certificateChain: '' },
        ['status.certificateChain: Invalid value: "": issued certificate chain must contain at least one certificate'],
      ],
      [
        'a long chain',
        { ...issued, certificateChain: 'x'.repeat(100 * 1024 + 1) },
        ['status.certificateChain: Too long: may not be more than 102400 bytes'],
      ],
      [
        'another block before the certificate',
        { ...issued, certificateChain: named + chain },
        [
          `status.certificateChain: Invalid value: ${text(named + chain)}: issued certificate chain must consist entirely of CERTIFICATE PEM blocks`,
        ],
      ],
      [
        'a certificate for another key',
        { ...issued, certificateChain: other },
        [
          `status.certificateChain: Invalid value: ${text(other)}: leaf certificate was not issued to the requested public key`,
        ],
      ],
      [
        'no times',
        { conditions: [condition('Issued')], certificateChain: chain },
        [
          'status.notBefore: Required value: must be present and consistent with the issued certificate',
          'status.notAfter: Required value: must be present and consistent with the issued certificate',
          'status.beginRefreshAt: Required value: must be present and in the range [notbefore+10min, notafter-10min]',
        ],
      ],
      [
        'another start',
        { ...issued, notBefore: time(nowMs + 1000) },
        [
          'status.notBefore: Invalid value: 2025-05-01 00:00:01 +0000 UTC: must be set to the NotBefore time encoded in the leaf certificate',
        ],
      ],
      [
        'an old certificate',
        {
          ...issued,
          certificateChain: certificate(request, nowMs - hourMs),
          notBefore: time(nowMs - hourMs),
        },
        [
          "status.notBefore: Invalid value: 2025-04-30 23:00:00 +0000 UTC: must be set to within 5 minutes of kube-apiserver's current time",
        ],
      ],
      [
        'a certificate of less than an hour',
        { ...short, notAfter: time(nowMs + hourMs - 1000) },
        ['status.certificateChain: Invalid value: 59m59s: leaf certificate lifetime must be >= 1 hour'],
      ],
      [
        'a certificate of more than the request allows',
        {
          ...issued,
          certificateChain: certificate(request, nowMs, nowMs + 25 * hourMs),
          notAfter: time(nowMs + 25 * hourMs),
        },
        [
          'status.certificateChain: Invalid value: 25h0m0s: leaf certificate lifetime must be <= spec.maxExpirationSeconds (86400)',
        ],
      ],
      [
        'an early renewal',
        { ...issued, beginRefreshAt: time(nowMs + 599_000) },
        [
          'status.beginRefreshAt: Invalid value: 2025-05-01 00:09:59 +0000 UTC: must be at least 10 minutes after status.notBefore',
        ],
      ],
      [
        'another block after the certificate',
        { ...issued, certificateChain: chain + named },
        [
          `status.certificateChain: Invalid value: ${text(chain + named)}: issued certificate chain must consist entirely of CERTFICATE PEM blocks`,
        ],
      ],
    ]
    for (const [title, status, findings] of cases)
      it(`must not have ${title}`, () => {
        assert.deepEqual(change(status).findings, findings)
      })

    it('may be denied or failed without a certificate', () => {
      for (const type of ['Denied', 'Failed']) assert.deepEqual(change({ conditions: [condition(type)] }).findings, [])
    })
  })
})
