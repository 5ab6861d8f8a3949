import assert from 'node:assert/strict'
import { checkProjected } from '../../../../lib/kinds/core/podspec/projections.ts'
import { type FieldError, FieldPath } from '../../../../lib/object/index.ts'

type Projection = Parameters<typeof checkProjected>[1]

function findings(...sources: object[]): string[] {
  const errors: FieldError[] = []
  checkProjected(errors, { sources } as Projection, FieldPath.root('p'))
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

const valid = { signerName: 'a.io/b', keyType: 'ED25519', credentialBundlePath: 'bundle.pem' }
const at = 'p.sources[0].podCertificate'

describe('the certificate of a pod in a projected volume', () => {
  const cases: [string, object, string[]][] = [
    ['a bundle', {}, []],
    ['two files', { credentialBundlePath: undefined, keyPath: 'key', certificateChainPath: 'chain' }, []],
    ['91 days', { maxExpirationSeconds: 7_862_400 }, []],
    ['words to the signer', { userAnnotations: { 'a.io/role': 'x' } }, []],
    ['no signer', { signerName: undefined }, [`${at}.signerName: Required value`]],
    [
      'another type of key',
      { keyType: 'RSA2048' },
      [
        `${at}.keyType: Unsupported value: "RSA2048": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`,
      ],
    ],
    [
      'half an hour',
      { maxExpirationSeconds: 1800 },
      [`${at}.maxExpirationSeconds: Invalid value: 1800: if provided, maxExpirationSeconds must be >= 3600`],
    ],
    [
      '92 days',
      { maxExpirationSeconds: 7_948_800 },
      [`${at}.maxExpirationSeconds: Invalid value: 7948800: if provided, maxExpirationSeconds must be <= 7862400`],
    ],
    [
      'two days of a signer of Kubernetes',
      { signerName: 'kubernetes.io/x', maxExpirationSeconds: 172_800 },
      [`${at}.maxExpirationSeconds: Invalid value: 172800: if provided, maxExpirationSeconds must be <= 86400`],
    ],
    [
      'no file',
      { credentialBundlePath: undefined },
      [`${at}: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath`],
    ],
    [
      'a file outside of the volume',
      { credentialBundlePath: '../x' },
      [`${at}.credentialBundlePath: Invalid value: "../x": must not contain '..'`],
    ],
    ['one file twice', { keyPath: 'bundle.pem' }, ['p: Invalid value: "bundle.pem": conflicting duplicate paths']],
    [
      'a word to the signer without a domain',
      { userAnnotations: { role: 'x' } },
      [`${at}.userAnnotations: Invalid value: "role": must be a domain-prefixed key (such as "acme.io/foo")`],
    ],
  ]
  for (const [title, change, expected] of cases)
    it(`with ${title} ${expected.length === 0 ? 'is valid' : 'is refused'}`, () => {
      assert.deepEqual(findings({ podCertificate: { ...valid, ...change } }), expected)
    })

  it('is one source of several at most', () => {
    assert.deepEqual(findings({ podCertificate: valid, secret: { name: 's' } }), [
      'p.sources[0]: Forbidden: may not specify more than 1 volume type per source',
    ])
  })
})
