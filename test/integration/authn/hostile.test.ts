import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { startIssuer, type TestIssuer } from '../../support/issuer.ts'
import { type Answer, ask } from '../../support/plane.ts'

const path = '/api/v1/namespaces/default/configmaps'
const accountIssuer = 'https://accounts.example'
/** Of --request-timeout; nothing may take much longer. */
const requestMsMax = 2000
/** Less than any helper would be waited for without a limit. */
const graceMs = 20_000

/** What the webhooks do: answer as they should, or fail in one of these ways. */
type Mood = 'well' | 'error' | 'rubbish' | 'another kind' | 'empty' | 'huge' | 'slow' | 'torn'

const moods: Record<Mood, (response: ServerResponse, review: Record<string, unknown>) => void> = {
  well: (response, review) => {
    const { token, user } = review['spec'] as { token?: string; user?: string }
    const status =
      token === undefined
        ? { allowed: user === 'wanda', reason: 'asked' }
        : { authenticated: token.startsWith('webbed'), user: { username: 'wanda' } }
    response.end(JSON.stringify({ ...review, status }))
  },
  error: (response) => response.writeHead(500).end('inner secret'),
  rubbish: (response) => response.end('<html>inner secret'),
  'another kind': (response) =>
    response.end(
      '{"apiVersion":"v1","kind":"Pod","status":{"allowed":true,"authenticated":true,"user":{"username":"x"}}}',
    ),
  empty: (response, review) => response.end(JSON.stringify({ ...review, status: undefined })),
  huge: (response) => void response.end('x'.repeat(4 * 1024 * 1024)),
  slow: () => {},
  torn: (response) => response.destroy(),
}

describe('hostile credentials and failing helpers, served', function () {
  this.timeout(120_000)
  const folder = scratchFolder('hostile')
  const keys = { own: pair(), strange: pair() }
  let issuer: TestIssuer
  let hook: Server
  let mood: Mood = 'well'
  let server: Apiserver

  const write = (name: string, text: string): string => {
    const file = join(folder.path, name)
    writeFileSync(file, text)
    return file
  }

  before(async () => {
    issuer = await startIssuer()
    hook = createServer({ keepAliveTimeout: 0 }, answerReview)
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
    const kubeconfig = write(
      'hook.json',
      JSON.stringify({
        clusters: [{ name: 'a', cluster: { server: url } }],
        contexts: [{ name: 'a', context: { cluster: 'a' } }],
      }),
    )
    const accountKey = write('sa.key', pemOf(keys.own.privateKey, 'pkcs8'))
    server = await startComposed(folder.path, [
      '--authorization-mode=RBAC,Webhook',
      `--authorization-webhook-config-file=${kubeconfig}`,
      '--authorization-webhook-version=v1',
      '--authorization-webhook-cache-authorized-ttl=0s',
      '--authorization-webhook-cache-unauthorized-ttl=0s',
      `--authentication-token-webhook-config-file=${kubeconfig}`,
      '--authentication-token-webhook-version=v1',
      '--authentication-token-webhook-cache-ttl=0s',
      `--request-timeout=${requestMsMax}ms`,
      `--service-account-issuer=${accountIssuer}`,
      `--service-account-key-file=${accountKey}`,
      `--service-account-signing-key-file=${accountKey}`,
      `--oidc-issuer-url=${issuer.url}`,
      '--oidc-client-id=app',
      `--oidc-ca-file=${write('issuer.pem', issuer.ca)}`,
      '--oidc-signing-algs=ES256',
    ])
    await ask(server.url, '/api/v1/namespaces/default/serviceaccounts', {
      token: adminToken,
      body: { metadata: { name: 'robot' } },
    })
  })
  after(async () => {
    await server.stop()
    hook.closeAllConnections()
    hook.close()
    await issuer.stop()
    folder.remove()
  })
  afterEach(() => {
    mood = 'well'
  })

  function answerReview(request: IncomingMessage, response: ServerResponse): void {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => moods[mood](response, JSON.parse(text) as Record<string, unknown>))
  }

  async function get(options: Parameters<typeof ask>[2]): Promise<Answer> {
    const startMs = performance.now()
    const answer = await ask(server.url, path, options)
    assert(performance.now() - startMs < requestMsMax + graceMs, `it took ${performance.now() - startMs} ms`)
    return answer
  }

  /** Refused in so many words, and in no others. */
  async function refused(options: Parameters<typeof ask>[2], statuses = [401]): Promise<void> {
    const { status, text, headers } = await get(options)
    assert(statuses.includes(status), `${status} ${text}`)
    assert.doesNotMatch(text, /secret|127\.0\.0\.1|signature|expired|issuer|webhook|jwt|\bat \//i)
    assert.equal(headers['www-authenticate'], undefined)
    if (status === 401 && text !== '') assert.match(text, /"message":"Unauthorized"/)
  }

  const seconds = Math.floor(Date.now() / 1000)
  const account = {
    iss: accountIssuer,
    sub: 'system:serviceaccount:default:robot',
    aud: [accountIssuer],
    exp: seconds + 600,
    nbf: seconds - 10,
    iat: seconds - 10,
    'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid: 'x' } },
  }
  const person = (): object => ({ iss: issuer.url, sub: 'ann', aud: 'app', exp: seconds + 600, iat: seconds - 10 })
  const signed = (claims: object, key: KeyObject, alg = 'ES256', more: object = {}): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg, ...more }).sign(key)
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  /** HS256 with a text that everybody knows as the secret. */
  const hashed = (claims: object, secret: string): string => {
    const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
    return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
  }

  const tokens: [string, () => string | Promise<string>][] = [
    ['no token at all but a word', () => 'garbage'],
    ['three parts of nothing', () => '..'],
    ['parts that are no base64', () => '!!.??.%%'],
    ['parts that are no JSON', () => 'AAAA.BBBB.CCCC'],
    ['a header that is null', () => `${part(null)}.${part({})}.AAAA`],
    ['a payload that is a list', () => `${part({ alg: 'ES256' })}.${part([])}.AAAA`],
    ['four parts', async () => `${await signed(account, keys.own.privateKey)}.AAAA`],
    ['ten thousand characters', () => 'x'.repeat(10_000)],
    ['an account token that has expired', () => signed({ ...account, exp: seconds - 60 }, keys.own.privateKey)],
    ['an account token of the future', () => signed({ ...account, nbf: seconds + 600 }, keys.own.privateKey)],
    ['an account token that ends when it is a text', () => signed({ ...account, exp: 'never' }, keys.own.privateKey)],
    ['an account token by a strange key', () => signed(account, keys.strange.privateKey)],
    [
      'an account token of another issuer',
      () => signed({ ...account, iss: 'https://else.example' }, keys.own.privateKey),
    ],
    ['an account token for others', () => signed({ ...account, aud: ['vault'] }, keys.own.privateKey)],
    ['an account token with alg none', () => `${part({ alg: 'none' })}.${part(account)}.`],
    ['an account token with alg None', () => `${part({ alg: 'None' })}.${part(account)}.AAAA`],
    ['an account token by HS256 with the public key', () => hashed(account, pemOf(keys.own.publicKey, 'spki'))],
    ['an account token by HS256 with nothing', () => hashed(account, '')],
    [
      'an account token whose subject is another than its account',
      () => signed({ ...account, sub: 'system:serviceaccount:kube-system:root' }, keys.own.privateKey),
    ],
    ['an account token of an account that is made up', () => signed(account, keys.own.privateKey)],
    [
      'an account token that brings its key along',
      () =>
        signed(account, keys.strange.privateKey, 'ES256', { jwk: keys.strange.publicKey.export({ format: 'jwk' }) }),
    ],
    [
      'an account token with a critical header that nobody knows',
      () => {
        const head = `${part({ alg: 'ES256', crit: ['http://x'], 'http://x': true })}.${part(account)}`
        const key = { key: keys.own.privateKey, dsaEncoding: 'ieee-p1363' as const }
        return `${head}.${sign('sha256', Buffer.from(head), key).toString('base64url')}`
      },
    ],
    ['a person’s token by a strange key', () => signed(person(), keys.strange.privateKey)],
    [
      'a person’s token that has expired',
      () => issuer.sign({ ...person(), exp: seconds - 60 }).then((token) => token.replace(/[^.]+$/, 'AAAA')),
    ],
    ['a person’s token with alg none', () => `${part({ alg: 'none' })}.${part(person())}.`],
    ['a person’s token by HS256 with the authority of the issuer', () => hashed(person(), issuer.ca)],
    [
      'a person’s token of an issuer with a slash more',
      () => signed({ ...person(), iss: `${issuer.url}/` }, keys.strange.privateKey),
    ],
  ]
  describe('refuses, although strangers may ask', () => {
    for (const [title, make] of tokens)
      it(title, async () => {
        await refused({ token: await make() })
      })

    it('a token of 100 KB', async () => {
      await refused({ token: 'x'.repeat(100_000) }, [401, 431])
    })
    for (const header of ['Basic YWRtaW46YWRtaW4=', 'Bearer', 'Bearer ', `bearer  ${adminToken} x`, 'Negotiate abc'])
      it(`the header ${JSON.stringify(header)}, or ignores it`, async () => {
        await refused({ headers: { authorization: header } }, [401, 403])
      })
  })

  const smuggled: Record<string, string | string[]>[] = [
    { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' },
    { 'x-remote-user': ['admin', 'admin'], 'x-remote-group': ['system:masters', 'system:masters'] },
    { 'X-Remote-Extra-Scopes': 'all', 'X-Remote-Uid': '0', 'X-Remote-User': 'system:admin' },
    { X_Remote_User: 'admin', 'X-Forwarded-User': 'admin', 'X-Forwarded-Client-Cert': 'Subject="CN=admin"' },
  ]
  for (const headers of smuggled)
    it(`authenticates nobody by the headers ${Object.keys(headers).join(', ')}`, async () => {
      const { status, body } = await get({ headers })
      assert.equal(status, 403)
      assert.match(body.message, /User "system:anonymous" cannot list resource "configmaps"/)
    })

  it('accepts the tokens of healthy webhooks', async () => {
    assert.equal((await get({ token: 'webbed' })).status, 200)
  })
  for (const wrong of Object.keys(moods).filter((each) => each !== 'well') as Mood[]) {
    it(`authenticates nobody while the webhooks fail like this: ${wrong}`, async () => {
      mood = wrong
      // Tokens that were good a moment ago are remembered.
      await refused({ token: `webbed-${wrong.replace(' ', '-')}` }, [401, 504])
    })
    it(`authorizes nothing that only a webhook could, while it fails like this: ${wrong}`, async () => {
      mood = wrong
      await refused({ token: adminToken, headers: { 'impersonate-user': 'wanda' } }, [403, 500, 504])
      assert.equal((await get({ token: adminToken })).status, 200, 'others go on')
    })
  }

  it('refuses tokens of an issuer that no longer answers', async () => {
    issuer.rotate()
    const token = await issuer.sign({ sub: 'ann', aud: 'app' })
    await issuer.stop()
    await refused({ token })
  })
})

function pair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function pemOf(key: KeyObject, type: 'pkcs8' | 'spki'): string {
  return key.export({ type: type as 'pkcs8', format: 'pem' }).toString()
}
