import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import {
  type AuthenticationResult,
  createServiceAccountAuthenticator,
  fixedKeys,
  type LegacyUse,
  readSigningKey,
  readVerifyingKeys,
  signToken,
} from '../../../lib/authn/index.ts'
import { createFakeClock, silentMetrics } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

const start = Date.UTC(2030, 0, 1)
const now = start / 1000
const { signal } = new AbortController()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const ec384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const pemOf = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'spki' | 'sec1'): string =>
  key.export({ type: type as 'pkcs8', format: 'pem' }).toString()

const keys = readVerifyingKeys(
  [pemOf(rsa.publicKey, 'spki'), pemOf(ec.privateKey, 'sec1'), pemOf(ec384.privateKey, 'pkcs8')].join('\n'),
)

const objects = new Map<string, ApiObject>()
function put(resource: string, name: string, more: object = {}, metadata: object = {}): void {
  objects.set(`${resource}/${name}`, {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name, namespace: 'ns', uid: `${name}-uid`, ...metadata },
    ...more,
  })
}

describe('authn: service account tokens', () => {
  const uses: LegacyUse[] = []
  const authenticator = createServiceAccountAuthenticator(
    {
      clock: createFakeClock(start),
      metrics: silentMetrics,
      lookup: async (resource, _namespace, name) => objects.get(`${resource}/${name}`),
      onLegacyUse: (use) => uses.push(use),
    },
    { issuers: ['https://now', 'https://before'], keys: fixedKeys(keys), audiences: ['api'], lookup: true },
  )
  put('serviceaccounts', 'ann', { secrets: [{ name: 'auto' }] })
  put('serviceaccounts', 'leaving', {}, { deletionTimestamp: '2029-12-31T23:59:30Z' })
  put('serviceaccounts', 'left', {}, { deletionTimestamp: '2029-12-31T23:58:30Z' })
  put('nodes', 'node')

  const claims = {
    iss: 'https://now',
    sub: 'system:serviceaccount:ns:ann',
    aud: ['api'],
    exp: now + 60,
    nbf: now,
    iat: now,
    jti: 'id',
    'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'ann', uid: 'ann-uid' } },
  }
  const bound = (more: object): object => ({ ...claims, 'kubernetes.io': { ...claims['kubernetes.io'], ...more } })
  const make = async (payload: object, alg = 'ES256', key: KeyObject = ec.privateKey): Promise<string> =>
    await new SignJWT({ ...payload }).setProtectedHeader({ alg }).sign(key)
  const ask = async (token: string, audiences?: readonly string[]): Promise<string> =>
    show(await authenticator.authenticateToken(token, audiences ? { signal, audiences } : { signal }))

  const cases: [string, () => Promise<string>, string][] = [
    ['signed on P-256', () => make(claims), 'ann'],
    ['signed on P-384', () => make(claims, 'ES384', ec384.privateKey), 'ann'],
    ['signed by RSA', () => make(claims, 'RS256', rsa.privateKey), 'ann'],
    ['of an earlier issuer', () => make({ ...claims, iss: 'https://before' }), 'ann'],
    ['for several audiences', () => make({ ...claims, aud: ['x', 'api'] }), 'ann'],
    ['for one audience, as a string', () => make({ ...claims, aud: 'api' }), 'ann'],
    [
      'of an account that has just been deleted',
      () => make(bound({ serviceaccount: { name: 'leaving', uid: 'leaving-uid' } })),
      'leaving',
    ],
    ['of an unknown issuer', () => make({ ...claims, iss: 'https://other' }), 'none'],
    ['that is no token', async () => 'a.b.c', 'none'],
    ['that is some word', async () => 'word', 'none'],
    ['signed by a stranger', () => make(claims, 'ES256', stranger.privateKey), 'no key of ours has signed the token'],
    ['signed by a digest of the public key', async () => hmac(claims), 'no key of ours has signed the token'],
    ['signed by nobody', async () => unsigned(claims), 'no key of ours has signed the token'],
    [
      'with another algorithm than the key has',
      () => make(claims, 'PS256', rsa.privateKey),
      'no key of ours has signed the token',
    ],
    ['that is over', () => make({ ...claims, exp: now }), 'service account token has expired'],
    ['without an end', () => make({ ...claims, exp: undefined }), 'the token lacks claims'],
    ['of the future', () => make({ ...claims, nbf: now + 1 }), 'service account token is not valid yet'],
    [
      'for others',
      () => make({ ...claims, aud: ['x', 'y'] }),
      'token audiences ["x" "y"] is invalid for the target audiences ["api"]',
    ],
    ['without an account', () => make({ ...claims, 'kubernetes.io': { namespace: 'ns' } }), 'the token lacks claims'],
    [
      'of a deleted account',
      () => make(bound({ serviceaccount: { name: 'left', uid: 'left-uid' } })),
      'service account ns/left has been deleted',
    ],
    [
      'of an account that is gone',
      () => make(bound({ serviceaccount: { name: 'none', uid: 'none-uid' } })),
      'serviceaccounts "none" not found',
    ],
    [
      'of an account that is there again',
      () => make(bound({ serviceaccount: { name: 'ann', uid: 'old' } })),
      'service account UID (ann-uid) does not match claim (old)',
    ],
    [
      'bound to a secret that is gone',
      () => make(bound({ secret: { name: 's', uid: 's' } })),
      'service account token has been invalidated',
    ],
    [
      'bound to a pod that is gone',
      () => make(bound({ pod: { name: 'p', uid: 'p' } })),
      'service account token has been invalidated',
    ],
    [
      'bound to a node that is there again',
      () => make(bound({ node: { name: 'node', uid: 'old' } })),
      'node UID (node-uid) does not match service account node ref claim (old)',
    ],
    ['bound to a node', () => make(bound({ node: { name: 'node', uid: 'node-uid' } })), 'ann'],
    [
      'bound to a node that is gone',
      () => make(bound({ node: { name: 'm', uid: 'm' } })),
      'service account token has been invalidated',
    ],
  ]
  const encode = (text: string): string => Buffer.from(text).toString('base64url')
  /** Signed by the right key, whatever the parts say. */
  const odd = async (header: string, payload: string): Promise<string> => {
    const signed = `${encode(header)}.${encode(payload)}`
    const signature = sign('sha256', Buffer.from(signed), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
  const head = '{"alg":"ES256"}'
  const claiming =
    (more: object): (() => Promise<string>) =>
    () =>
      odd(head, JSON.stringify({ ...claims, ...more }))
  const withBound =
    (more: object): (() => Promise<string>) =>
    () =>
      odd(head, JSON.stringify(bound(more)))
  const withHeader =
    (header: string): (() => Promise<string>) =>
    () =>
      odd(header, JSON.stringify(claims))
  const [lacks, future] = ['the token lacks claims', 'service account token is issued in the future']
  const noAudience = 'the audiences of the token are no strings'
  const oddities: typeof cases = [
    ['as it should be', withHeader(head), 'ann'],
    ['issued in the future', claiming({ iat: now + 61 }), future],
    ['issued by a clock that is a minute ahead', claiming({ iat: now + 60 }), 'ann'],
    ['issued at a text', claiming({ iat: '1' }), lacks],
    ['that ends after all time', () => odd(head, JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e300')), lacks],
    ['that ends at infinity', () => odd(head, JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e999')), lacks],
    ['that begins before all time', claiming({ nbf: -1e300 }), lacks],
    ['whose header names the algorithm twice', withHeader('{"alg":"none","alg":"ES256"}'), 'none'],
    ['whose header names it twice by escapes', withHeader('{"alg":"ES256","\\u0061lg":"ES256"}'), 'none'],
    ['whose claims name the subject twice', () => odd(head, `{"sub":"x",${JSON.stringify(claims).slice(1)}`), 'none'],
    [
      'with colons and quotes in its texts',
      withBound({ pod: { name: 'a:b', uid: '":' } }),
      'service account token has been invalidated',
    ],
    [
      'of a key that is not known',
      withHeader('{"alg":"ES256","kid":"unknown"}'),
      'no key of ours has signed the token',
    ],
    ['of a key whose id is a number', withHeader('{"alg":"ES256","kid":1}'), 'none'],
    ['of a key whose id is null', withHeader('{"alg":"ES256","kid":null}'), 'none'],
    ['whose payload is not encoded', withHeader('{"alg":"ES256","b64":false,"crit":["b64"]}'), 'none'],
    ['with b64 alone', withHeader('{"alg":"ES256","b64":true}'), 'none'],
    ['whose algorithm is a list', withHeader('{"alg":["ES256"]}'), 'none'],
    ['for a number', claiming({ aud: 1 }), noAudience],
    ['for an object', claiming({ aud: { api: 'api' } }), noAudience],
    ['for nothing', claiming({ aud: null }), noAudience],
    ['for a list with more than strings', claiming({ aud: ['api', 1] }), noAudience],
    ['of a list of issuers', claiming({ iss: ['https://here'] }), 'none'],
    ['of an issuer in a list', claiming({ iss: [claims.iss] }), 'none'],
    ['whose pod is a text', withBound({ pod: 'p' }), lacks],
    ['whose pod is a number', withBound({ pod: 1 }), lacks],
    ['whose pod has a number for its uid', withBound({ pod: { name: 'p', uid: 1 } }), lacks],
    ['whose pod is null', withBound({ pod: null }), 'ann'],
    ['whose secret is a list', withBound({ secret: [] }), lacks],
    ['whose warning is a text', withBound({ warnafter: 'soon' }), lacks],
    ['whose id is a number', claiming({ jti: 1 }), lacks],
  ]
  for (const [title, token, expected] of [...cases, ...oddities]) {
    it(`a token ${title}: ${expected}`, async () => {
      assert.equal(await ask(await token()), expected)
    })
  }

  it('answers the requested audiences, in that order', async () => {
    const token = await make({ ...claims, aud: ['a', 'b', 'd'] })
    const result = await authenticator.authenticateToken(token, { signal, audiences: ['d', 'c', 'b'] })
    assert.deepEqual(result.outcome === 'authenticated' && result.audiences, ['d', 'b'])
  })

  it('reports a token past its warning as stale', async () => {
    const result = await authenticator.authenticateToken(await make(bound({ warnafter: now - 5 })), { signal })
    assert.deepEqual(result.outcome === 'authenticated' && result.annotations, {
      'authentication.k8s.io/stale-token': 'subject: system:serviceaccount:ns:ann, seconds after warning threshold: 5',
    })
  })

  it('verifies its own signatures, by the id that both halves share', async () => {
    for (const pem of [pemOf(rsa.privateKey, 'pkcs1'), pemOf(ec.privateKey, 'pkcs8')])
      assert.equal(await ask(await signToken(claims, { ...readSigningKey(pem) })), 'ann')
  })

  describe('of secrets', () => {
    const prefix = 'kubernetes.io/serviceaccount'
    const legacy = (secret: string, account = 'ann', uid = 'ann-uid'): object => ({
      iss: 'kubernetes/serviceaccount',
      sub: `system:serviceaccount:ns:${account}`,
      [`${prefix}/namespace`]: 'ns',
      [`${prefix}/secret.name`]: secret,
      [`${prefix}/service-account.name`]: account,
      [`${prefix}/service-account.uid`]: uid,
    })
    const hold = async (secret: string, payload: object, metadata: object = {}): Promise<string> => {
      const token = await make(payload)
      put('secrets', secret, { data: { token: Buffer.from(token).toString('base64') } }, metadata)
      return token
    }

    it('are valid while their secret holds them, and their use is recorded once a day', async () => {
      uses.length = 0
      assert.equal(await ask(await hold('auto', legacy('auto'))), 'ann')
      const today = { 'kubernetes.io/legacy-token-last-used': '2030-01-01' }
      assert.equal(await ask(await hold('today', legacy('today'), { labels: today })), 'ann')
      assert.deepEqual(uses, [{ namespace: 'ns', name: 'auto', day: '2030-01-01' }])
    })

    const bad: [string, () => Promise<string>, string][] = [
      ['no secret', () => make(legacy('gone')), 'service account token has been invalidated'],
      [
        'another token in the secret',
        async () => {
          const token = await make(legacy('changed'))
          await hold('changed', legacy('changed'))
          return token
        },
        "service account token does not match server's copy",
      ],
      [
        'another account of the name',
        () => hold('uid', legacy('uid', 'ann', 'old')),
        'service account UID (ann-uid) does not match claim (old)',
      ],
      [
        'a mark',
        () =>
          hold('marked', legacy('marked'), { labels: { 'kubernetes.io/legacy-token-invalid-since': '2029-01-01' } }),
        'the token has been marked as invalid',
      ],
    ]
    for (const [title, token, expected] of bad) {
      it(`are refused for ${title}`, async () => {
        assert.equal(await ask(await token()), expected)
      })
    }
    it('are valid for the API alone', async () => {
      const expected = 'token audiences ["api"] is invalid for the target audiences ["vault"]'
      assert.equal(await ask(await hold('aud', legacy('aud')), ['vault']), expected)
    })
  })

  const unreadable: [string, string, RegExp][] = [
    ['nothing', 'hello', /^Error: the file holds no PEM-encoded key$/],
    [
      'a key of another kind',
      pemOf(generateKeyPairSync('ed25519').privateKey, 'pkcs8'),
      /^Error: key 1 is neither RSA nor ECDSA/,
    ],
    ['a broken key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /^Error: key 1 can't be read$/],
  ]
  for (const [title, pem, message] of unreadable) {
    it(`a key file with ${title} is refused`, () => {
      assert.throws(() => readVerifyingKeys(pem), message)
    })
  }
})

function show(result: AuthenticationResult): string {
  if (result.outcome === 'none') return 'none'
  return result.outcome === 'invalid' ? result.reason : (result.user.name.split(':').at(-1) ?? '')
}

function unsigned(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims)}.AA`
}

async function hmac(claims: object): Promise<string> {
  const secret = Buffer.from(pemOf(rsa.publicKey, 'spki'))
  return await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(secret)
}
