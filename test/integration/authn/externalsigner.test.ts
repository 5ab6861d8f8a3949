import assert from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { openExternalSigner } from '../../../lib/controlplane/access/externalsigner.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { startSigner, type TestSigner } from '../../support/externalsigner.ts'
import { ask } from '../../support/plane.ts'
import { as } from '../authz/support.ts'

describe('tokens of an external signer', () => {
  let signer: TestSigner
  const opened: { close(): void }[] = []
  beforeEach(async () => {
    signer = await startSigner()
  })
  afterEach(() => {
    for (const each of opened.splice(0)) each.close()
    signer.remove()
  })
  async function open(metrics = createMetrics()) {
    const external = await openExternalSigner({ clock: systemClock, log: silentLogger, metrics }, signer.path)
    opened.push(external)
    return external
  }

  const starts: [string, () => unknown, RegExp][] = [
    ['without keys', () => (signer.keys = []), /: found no keys$/],
    ['without a time of refresh', () => (signer.refreshHintSeconds = 0), /: found invalid refresh hint \(0s\)$/],
    ['with a time of refresh in the past', () => (signer.refreshHintSeconds = -5), /refresh hint \(-5s\)$/],
    ['without a time of its data', () => (signer.dataTimestamp = undefined), /: invalid data timestamp: /],
    ['with a key without id', () => signer.rotate(''), /: found invalid public key id ""$/],
    ['with a key of a long id', () => signer.rotate('k'.repeat(1025)), /: found invalid public key id "k/],
    [
      'with a key that is none',
      () => signer.keys.push({ keyId: 'x', key: Buffer.of(1), excludeFromOidcDiscovery: false }),
      /: while parsing external public keys: /,
    ],
    [
      'with an empty key',
      () => signer.keys.push({ keyId: 'x', key: Buffer.alloc(0), excludeFromOidcDiscovery: false }),
      /: found empty public key$/,
    ],
    [
      'that does not name its keys',
      () => (signer.failing = 'FetchKeys'),
      /^while setting up external-jwt-signer: .*rpc error: code = Unavailable desc = the vault is sealed$/,
    ],
    [
      'that does not describe itself',
      () => (signer.failing = 'Metadata'),
      /^while setting up external-jwt-signer: rpc error: /,
    ],
    [
      'of short tokens',
      () => (signer.expirationSeconds = 300),
      /^max token life supported by external-jwt-signer \(300s\) is less than acceptable \(min 600s\)$/,
    ],
  ]
  for (const [title, spoil, message] of starts)
    it(`a signer ${title} is refused`, async () => {
      spoil()
      await assert.rejects(open(), { name: 'StartError', message })
    })

  const headers: [string, object, RegExp][] = [
    ['of another type', { typ: 'at+jwt' }, /: bad type$/],
    ['without a key', { kid: undefined }, /: key id missing$/],
    ['with a long key id', { kid: 'k'.repeat(1025) }, /: key id longer than 1 kb$/],
    ['without a signature', { alg: 'none' }, /: bad signing algorithm "none"$/],
    ['with a symmetric key', { alg: 'HS256' }, /: bad signing algorithm "HS256"$/],
    ['with further members', { crit: ['x'] }, /: while parsing header JSON: json: unknown field "crit"$/],
  ]
  for (const [title, header, message] of headers)
    it(`a token ${title} is not issued`, async () => {
      const external = await open()
      signer.header = header
      await assert.rejects(external.sign({ sub: 'x' }), message)
    })

  it('a key that is kept for older tokens signs no new ones, and is not published', async () => {
    for (const key of signer.keys) key.excludeFromOidcDiscovery = true
    const external = await open()
    await assert.rejects(
      external.sign({}),
      /key used for signing JWT \(kid: first\) is excluded from OIDC discovery docs$/,
    )
    assert.deepEqual(external.keys.published(), [])
    assert.equal((await external.keys.find('first')).length, 1)
  })

  it('an unknown key is asked for once by all tokens that name it, and known keys never', async () => {
    const external = await open()
    assert.equal(signer.calls.FetchKeys, 1)
    signer.rotate('second')
    const found = await Promise.all(Array.from({ length: 100 }, async () => await external.keys.find('second')))
    assert.ok(found.every((keys) => keys.length === 1))
    assert.equal(signer.calls.FetchKeys, 2)
    await external.keys.find('first')
    assert.equal(signer.calls.FetchKeys, 2)
    assert.equal((await external.keys.find('none')).length, 0)
  })

  it('its known keys stay valid while it is away', async () => {
    const external = await open()
    signer.failing = 'FetchKeys'
    assert.equal((await external.keys.find('second')).length, 0)
    assert.equal((await external.keys.find('first')).length, 1)
  })

  it('calls are counted and measured', async () => {
    const metrics = createMetrics()
    const external = await open(metrics)
    await external.sign({})
    signer.failing = 'Sign'
    await assert.rejects(
      external.sign({}),
      /^Error: while signing jwt: rpc error: code = Unavailable desc = the vault is sealed$/,
    )
    const text = (await metrics.exposition(metrics.formatFor(undefined))).body
    for (const line of [
      'apiserver_externaljwt_fetch_keys_request_total{code="OK"} 1',
      'apiserver_externaljwt_fetch_keys_data_timestamp 1.7e+09',
      'apiserver_externaljwt_sign_request_total{code="OK"} 1',
      'apiserver_externaljwt_sign_request_total{code="Unavailable"} 1',
      'apiserver_externaljwt_request_duration_seconds_count{code="OK",method="/v1.ExternalJWTSigner/Sign"} 1',
    ])
      assert.ok(text.includes(line), `${line}\n${text}`)
  })
})

describe('a server with an external signer', () => {
  let signer: TestSigner
  let server: ServerProcess
  let folder: ReturnType<typeof scratchFolder>
  before(async () => {
    signer = await startSigner()
    folder = scratchFolder('externalsigner')
    const issuer = 'https://tokens.example'
    const flags = [
      '--storage-backend=memory',
      `--service-account-signing-endpoint=${signer.path}`,
      `--service-account-issuer=${issuer}`,
      `--api-audiences=${issuer}`,
    ]
    server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
  })
  after(async () => {
    await server?.stop()
    folder?.remove()
    signer.remove()
  })

  async function request(
    expirationSeconds = 3600,
  ): Promise<{ status: number; token: string; expiration: number; message: string }> {
    const path = '/api/v1/namespaces/default/serviceaccounts/ann/token'
    const { status, json } = await as(server, '', path, { method: 'POST', body: { spec: { expirationSeconds } } })
    const made = json.status as { token?: string } | undefined
    const [, claims = ''] = (made?.token ?? '').split('.')
    const { exp = 0, iat = 0 } = claims ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : {}
    return { status, token: made?.token ?? '', expiration: exp - iat, message: json.message ?? '' }
  }

  it('issues its tokens, accepts them after another key came, and publishes the keys', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    assert.equal((await as(server, '', accounts, { method: 'POST', body: { metadata: { name: 'ann' } } })).status, 201)
    const first = await request()
    assert.equal(first.status, 201, first.message)
    signer.rotate('second')
    const second = await request(86_400)
    assert.equal(second.expiration, 7200) // the signer's maximum
    for (const { token } of [first, second]) {
      const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
      const { body } = await ask(server.url, reviews, { token, body: {}, method: 'POST' })
      const { userInfo } = (body as { status: { userInfo: { username: string } } }).status
      assert.equal(userInfo.username, 'system:serviceaccount:default:ann')
    }
    const { json } = await as(server, '', '/openid/v1/jwks')
    assert.deepEqual(
      (json['keys'] as { kid: string; alg: string }[]).map(({ kid, alg }) => [kid, alg]),
      [
        ['first', 'ES256'],
        ['second', 'ES256'],
      ],
    )
  })

  it('answers 500 to a request for a token while the signer fails', async () => {
    signer.failing = 'Sign'
    const { status, message } = await request()
    assert.deepEqual(
      [status, message],
      [
        500,
        'Internal error occurred: failed to generate token: while signing jwt: rpc error: code = Unavailable desc = the vault is sealed',
      ],
    )
  })
})
