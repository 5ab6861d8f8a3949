import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { createFakeClock, silentLogger, systemClock } from '../../../lib/base/index.ts'
import { openIssuers } from '../../../lib/controlplane/access/issuers.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { directEgress } from '../../../lib/egress/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { type IssuerMood, startIssuer, type TestIssuer } from '../../support/issuer.ts'
import { ask } from '../../support/plane.ts'

const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const { signal } = new AbortController()

describe('tokens of issuers, served', () => {
  const folder = scratchFolder('issuers')
  let issuer: TestIssuer
  let server: Apiserver | undefined

  before(async () => {
    issuer = await startIssuer()
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })
  after(async () => {
    await issuer.stop()
    folder.remove()
  })

  const write = (name: string, text: string): string => {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }
  const who = async (token: string): Promise<unknown> => {
    const answer = await ask(server?.url ?? '', whoami, { token, body: {} })
    return answer.status === 201 ? answer.body.status.userInfo : answer.status
  }
  const jwt = (more: string, audiences = '[app]'): string => `
apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${issuer.url}
    audiences: ${audiences}
    certificateAuthority: ${JSON.stringify(issuer.ca)}
${more}`
  const plain = '  claimMappings: {username: {claim: sub, prefix: "corp:"}}\n'

  it('tokens are accepted by flags: name, groups, prefixes, required claims', async () => {
    server = await startComposed(folder.path, [
      `--oidc-issuer-url=${issuer.url}`,
      '--oidc-client-id=app',
      `--oidc-ca-file=${write('ca.pem', issuer.ca)}`,
      '--oidc-groups-claim=roles',
      '--oidc-groups-prefix=oidc:',
      '--oidc-required-claim=org=acme',
      '--oidc-signing-algs=ES256',
    ])
    const claims = { sub: 'ann', aud: 'app', roles: ['dev', 'ops'], org: 'acme', jti: '1' }
    assert.deepEqual(await who(await issuer.sign(claims)), {
      username: `${issuer.url}#ann`,
      groups: ['oidc:dev', 'oidc:ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=1'] },
    })
    for (const wrong of [{ org: 'other' }, { aud: 'else' }, { iss: 'https://other' }, { sub: 7 }])
      assert.equal(await who(await issuer.sign({ ...claims, ...wrong })), 401, JSON.stringify(wrong))
    const metrics = (await ask(server.url, '/metrics', { token: adminToken })).text
    const line = metrics
      .split('\n')
      .find((each) => /^apiserver_authentication_jwt\w+_latency_seconds_count\{.*"success"/.test(each))
    assert.match(line ?? '', /jwt_issuer_hash="sha256:[0-9a-f]{64}".*\} 1$/)
  })

  it('tokens are accepted by a file: expressions make and check the user', async () => {
    const text = jwt(`  claimValidationRules:
  - {expression: 'claims.hd == "acme"', message: the domain is wrong}
  - {expression: '!has(claims.email_verified) || claims.email_verified == true'}
  claimMappings:
    username: {expression: 'claims.email + ":x"'}
    groups: {expression: 'claims.roles.map(r, "r:" + r)'}
    uid: {claim: oid}
    extra: [{key: acme.com/team, valueExpression: 'claims.team'}, {key: acme.com/none, valueExpression: '""'}]
  userValidationRules:
  - {expression: "!user.username.startsWith('system:')", message: no system names}
`)
    server = await startComposed(folder.path, [`--authentication-config=${write('expressions.yaml', text)}`])
    const claims = {
      aud: ['x', 'app'],
      hd: 'acme',
      email: 'a@b',
      email_verified: true,
      roles: ['q'],
      oid: '7',
      team: ['s', 't'],
    }
    assert.deepEqual(await who(await issuer.sign(claims)), {
      username: 'a@b:x',
      uid: '7',
      groups: ['r:q', 'system:authenticated'],
      extra: { 'acme.com/team': ['s', 't'] },
    })
    const wrong = [
      { hd: 'b' },
      { email_verified: false },
      { roles: [1] },
      { oid: 1 },
      { email: 'system:a' },
      { team: 1 },
    ]
    for (const each of wrong)
      assert.equal(await who(await issuer.sign({ ...claims, ...each })), 401, JSON.stringify(each))
  })

  it('fetches new keys when a token names an unknown one, at most now and then', async () => {
    const clock = createFakeClock(Date.now())
    const path = write('keys.yaml', jwt(plain))
    const issuers = await openIssuers(
      { file: path, pollMs: 3_600_000, anonymousIsSet: false },
      { disallowedIssuers: [], serverId: 's' },
      { clock, log: silentLogger, metrics: createMetrics(), egress: directEgress },
    )
    try {
      const outcome = async (token: string): Promise<string> =>
        (await issuers?.authenticator.authenticateToken(token, { signal }))?.outcome ?? ''
      const before = issuer.looks
      assert.equal(await outcome(await issuer.sign({ sub: 'a', aud: 'app' })), 'authenticated')
      issuer.rotate()
      const token = await issuer.sign({ sub: 'a', aud: 'app' })
      assert.equal(await outcome(token), 'invalid')
      assert.equal(await outcome(token), 'invalid')
      assert.equal(issuer.looks - before, 1)
      clock.advance(10_000)
      assert.equal(await outcome(token), 'authenticated')
      assert.equal(issuer.looks - before, 2)
    } finally {
      await issuers?.close()
    }
  })

  const moods: IssuerMood[] = [
    'hangs',
    'rubbish',
    'torn',
    'huge',
    'fails',
    'sends elsewhere',
    'is another',
    'has no keys',
    'has odd keys',
  ]
  for (const mood of moods) {
    it(`accepts no token of an issuer that is like this: ${mood}; and does once it is healthy again`, async () => {
      const clock = createFakeClock(Date.now())
      issuer.mood = mood
      const issuers = await openIssuers(
        { file: write('moody.yaml', jwt(plain)), pollMs: 3_600_000, anonymousIsSet: false },
        { disallowedIssuers: [], serverId: 's' },
        { clock, log: silentLogger, metrics: createMetrics(), egress: directEgress },
      )
      /** No look may take longer than its time, by the server's clock. */
      const outcome = async (): Promise<string> => {
        let result = ''
        const token = await issuer.sign({ sub: 'a', aud: 'app' })
        const asked = Promise.resolve(issuers?.authenticator.authenticateToken(token, { signal })).then((found) => {
          result = found?.outcome ?? 'nothing'
        })
        // Who answers at all does so without time passing for the server.
        if (issuer.mood !== 'hangs') await asked
        for (let waitedMs = 0; result === ''; waitedMs += 500) {
          assert.ok(waitedMs <= 21_000, 'two documents of ten seconds each are all that a look waits for')
          await new Promise((resolve) => setTimeout(resolve, 20))
          if (result === '' && waitedMs >= 2000) clock.advance(500)
        }
        return result
      }
      try {
        assert.equal(await outcome(), 'invalid')
        assert.equal(await outcome(), 'invalid')
        issuer.mood = 'well'
        clock.advance(10_000)
        assert.equal(await outcome(), 'authenticated')
      } finally {
        issuer.mood = 'well'
        await issuers?.close()
      }
    })
  }

  it('reloads a file that has changed, and keeps the old one when the new one is invalid', async () => {
    const path = write('changing.yaml', jwt(plain))
    const metrics = createMetrics()
    const issuers = await openIssuers(
      { file: path, pollMs: 20, anonymousIsSet: false },
      { disallowedIssuers: [], serverId: 's' },
      { clock: systemClock, log: silentLogger, metrics, egress: directEgress },
    )
    try {
      const name = async (): Promise<string | undefined> => {
        const token = await issuer.sign({ sub: 'a', aud: 'app' })
        const result = await issuers?.authenticator.authenticateToken(token, { signal })
        return result?.outcome === 'authenticated' ? result.user.name : undefined
      }
      const counted = async (status: string): Promise<number> => {
        const { body } = await metrics.exposition(metrics.formatFor(undefined))
        return Number(new RegExp(`_automatic_reloads_total\\{.*status="${status}".*\\} (\\d+)`).exec(body)?.[1] ?? 0)
      }
      assert.equal(await name(), 'corp:a')
      write('changing.yaml', jwt(plain.replace('corp:', 'new:')))
      await eventuallyEquals(() => name(), 'new:a', 'the new file')
      write('changing.yaml', jwt(plain.replace('sub', 'sub, more: 1')))
      await eventuallyEquals(() => counted('failure'), 1, 'the wrong file')
      assert.equal(await name(), 'new:a')
      assert.equal(await counted('success'), 1)
      let failures = 1
      // An emptied file, or the beginning of one, asks for no issuers and the default of anonymous users.
      for (const emptied of ['', '\n', 'apiVersion: apiserver.config.k8s.io/v1\n', 'anonymous: {enabled: true}\n']) {
        write('changing.yaml', emptied)
        await eventuallyEquals(() => counted('failure'), ++failures, `the failure of ${emptied}`)
        assert.equal(await name(), 'new:a', emptied)
      }
    } finally {
      await issuers?.close()
    }
  })

  it('allows anonymous requests to some paths only', async () => {
    const text = `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nanonymous: {enabled: true, conditions: [{path: /livez}]}\n`
    server = await startComposed(folder.path, [
      `--authentication-config=${write('anonymous.yaml', text)}`,
      '--authorization-mode=RBAC',
    ])
    const { url } = server
    // The roles that let them are written soon after the start.
    await eventuallyEquals(async () => (await ask(url, '/livez')).status, 200, 'an answer for a stranger')
    assert.equal((await ask(url, '/readyz')).status, 401)
  })

  const wrong: [string, () => string, RegExp][] = [
    ['an unknown field', () => jwt(`${plain}  nonsense: 1\n`), /unknown field "jwt\[0\]\.nonsense"/],
    [
      'no prefix',
      () => jwt('  claimMappings: {username: {claim: sub}}\n'),
      /jwt\[0\]\.claimMappings\.username\.prefix: Required value: prefix is required/,
    ],
    ['no name', () => jwt('  claimMappings: {}\n'), /username: Required value: claim or expression is required/],
    ['several audiences', () => jwt(plain, '[a, b]'), /audienceMatchPolicy must be MatchAny for multiple audiences/],
    [
      'an egress that is none of the two for issuers',
      () => jwt(plain).replace('    audiences:', '    egressSelectorType: etcd\n    audiences:'),
      /jwt\[0\]\.issuer\.egressSelectorType: Invalid value: "etcd": egress selector must be either controlplane or cluster/,
    ],
    [
      'a bad expression',
      () => jwt('  claimMappings: {username: {expression: "claims."}}\n'),
      /jwt\[0\]\.claimMappings\.username\.expression: Invalid value/,
    ],
    [
      'an email that nobody has verified',
      () => jwt('  claimMappings: {username: {expression: claims.email}}\n'),
      /claims\.email_verified must be used/,
    ],
    [
      'a rule that is no question',
      () => jwt(`${plain}  userValidationRules: [{expression: user.username}]\n`),
      /must evaluate to bool/,
    ],
    [
      'a reserved key',
      () =>
        jwt(
          `  claimMappings: {username: {claim: sub, prefix: ""}, extra: [{key: a.k8s.io/x, valueExpression: "'a'"}]}\n`,
        ),
      /are reserved for Kubernetes use/,
    ],
    ['one issuer twice', () => jwt(plain) + jwt(plain).split('jwt:\n')[1], /issuer\.url: Duplicate value/],
    ['another kind', () => 'apiVersion: v1\nkind: Pod\n', /Pod/],
    [
      'a bad authority',
      () => jwt(plain).replace(/certificateAuthority: .*/, 'certificateAuthority: x'),
      /does not contain any valid certificates/,
    ],
  ]
  for (const [title, text, message] of wrong) {
    it(`a file with ${title} fails the start`, async () => {
      await assert.rejects(
        openIssuers(
          { file: write('wrong.yaml', text()), pollMs: 1000, anonymousIsSet: false },
          { disallowedIssuers: [], serverId: '' },
          { clock: systemClock, log: silentLogger, metrics: createMetrics(), egress: directEgress },
        ),
        message,
      )
    })
  }
})

describe('tokens of a webhook, served', () => {
  const folder = scratchFolder('tokenwebhook')
  const reviews: { apiVersion: string; spec: { token: string; audiences?: string[] } }[] = []
  let hook: Server
  let server: Apiserver
  let failures = 0

  before(async () => {
    hook = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', () => {
        const review = JSON.parse(text)
        reviews.push(review)
        if (failures > 0) {
          failures -= 1
          return response.writeHead(503).end()
        }
        const user = { username: 'ann', uid: '7', groups: ['dev'], extra: { a: ['b'] } }
        const status = review.spec.token === 'good' ? { authenticated: true, user } : { authenticated: false }
        return response
          .writeHead(200)
          .end(JSON.stringify({ apiVersion: review.apiVersion, kind: 'TokenReview', status }))
      })
    })
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const address = hook.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const path = join(folder.path, 'hook.yaml')
    writeFileSync(
      path,
      `clusters: [{name: a, cluster: {server: "http://127.0.0.1:${port}/review"}}]\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n`,
    )
    const accountKey = join(folder.path, 'accounts.key')
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(accountKey, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    server = await startComposed(folder.path, [
      `--authentication-token-webhook-config-file=${path}`,
      '--authentication-token-webhook-version=v1',
      '--api-audiences=api',
      '--service-account-issuer=https://accounts.example',
      `--service-account-signing-key-file=${accountKey}`,
    ])
  })
  after(async () => {
    await server.stop()
    hook.close()
    folder.remove()
  })
  beforeEach(() => {
    reviews.length = 0
  })

  it('are reviewed once and cached for a while, and reviewed again after a failure', async () => {
    failures = 1
    for (let request = 0; request < 3; request++) {
      const me = await ask(server.url, whoami, { token: 'good', body: {} })
      assert.deepEqual(
        [me.status, me.body.status.userInfo],
        [201, { username: 'ann', uid: '7', groups: ['dev', 'system:authenticated'], extra: { a: ['b'] } }],
      )
    }
    assert.equal(reviews.length, 2)
    assert.deepEqual(
      [reviews[0]?.apiVersion, reviews[0]?.spec],
      ['authentication.k8s.io/v1', { token: 'good', audiences: ['api'] }],
    )
  })
  it('are refused when the webhook does not accept them, and the refusal is cached', async () => {
    for (let request = 0; request < 2; request++)
      assert.equal((await ask(server.url, whoami, { token: 'bad', body: {} })).status, 401)
    assert.equal(reviews.length, 1)
  })
})
