import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import {
  type Authenticator,
  createAuthenticator,
  createCertificateAuthenticator,
  createTokenCache,
  createTokenFileAuthenticator,
  parseTokenFile,
  type TokenAuthenticator,
} from '../../../lib/authn/index.ts'
import { createFakeClock, silentMetrics, systemRandom } from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createAuthority, createChainVerifier, type PresentedCertificates } from '../../../lib/pki/index.ts'
import type { Call } from '../../../lib/request/index.ts'

const start = Date.UTC(2030, 0, 1)
const { signal } = new AbortController()

/** The parts of a call that authenticators look at. */
function callWith(headers: Record<string, string>, presented?: PresentedCertificates): Call {
  return { headers, signal, clientCertificates: () => presented } as Call
}

function bearer(token: string): Call {
  return callWith({ authorization: `Bearer ${token}` })
}

async function outcomeOf(authenticator: Authenticator, call: Call): Promise<string> {
  const result = await authenticator.authenticate(call)
  if (result.outcome === 'none') return 'none'
  if (result.outcome === 'invalid') return `invalid: ${result.reason}`
  return `${result.user.name} [${result.user.groups.join(' ')}]`
}

const tokenFile = createTokenFileAuthenticator(
  parseTokenFile(
    'secret-a,ann,1,"dev,ops"\r\n\n"sec""ret",bob,2\n secret-c , cid ,3,g1,g2\n,nobody,4\nsecret-a,amy,5\n',
  ),
)

describe('authn: bearer tokens of a file', () => {
  const authenticator = createAuthenticator(
    { clock: createFakeClock(start), metrics: silentMetrics },
    { tokens: [tokenFile], anonymous: true },
  )
  const cases: [string, Call, string][] = [
    ['a token whose later line holds', bearer('secret-a'), 'amy [system:authenticated]'],
    ['a quoted token', bearer('sec"ret'), 'bob [system:authenticated]'],
    ['groups in columns of their own', bearer('secret-c'), 'cid [g1 g2 system:authenticated]'],
    ['any spelling of the scheme', callWith({ authorization: 'bEARER secret-a' }), 'amy [system:authenticated]'],
    ['an unknown token', bearer('secret-b'), 'invalid: invalid bearer token'],
    ['a token too long to be one', bearer('x'.repeat(70_000)), 'invalid: the token is too long'],
    ['no header', callWith({}), 'system:anonymous [system:unauthenticated]'],
    ['an empty token', callWith({ authorization: 'Bearer ' }), 'system:anonymous [system:unauthenticated]'],
    ['two spaces', callWith({ authorization: 'Bearer  secret-a' }), 'system:anonymous [system:unauthenticated]'],
    ['another scheme', callWith({ authorization: 'Basic abc' }), 'system:anonymous [system:unauthenticated]'],
    [
      "a WebSocket's protocol",
      callWith({
        upgrade: 'websocket',
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from('secret-a').toString('base64url')}, v4.channel.k8s.io`,
      }),
      'amy [system:authenticated]',
    ],
  ]
  for (const [what, call, expected] of cases)
    it(`accepts ${what} for ${expected}`, async () => {
      assert.equal(await outcomeOf(authenticator, call), expected)
    })

  it('answers synchronously', () => {
    assert.equal(authenticator.authenticate(bearer('secret-a')) instanceof Promise, false)
  })

  it('answers nothing to anonymous clients where anonymous requests are not allowed', async () => {
    const strict = createAuthenticator(
      { clock: createFakeClock(start), metrics: silentMetrics },
      { tokens: [tokenFile], anonymous: false },
    )
    assert.equal(await outcomeOf(strict, callWith({})), 'none')
  })

  const malformed: [string, RegExp][] = [
    ['a,b\n', /^line 1 of the token file needs at least three columns/],
    ['a,b,c\nx,y"z,1\n', /^line 2 of the token file has a quote in the wrong place$/],
  ]
  for (const [text, message] of malformed)
    it(`refuses the file ${JSON.stringify(text)} without quoting it`, () => {
      assert.throws(() => parseTokenFile(text), { message })
    })
})

describe('authn: the cache of tokens', () => {
  /** Knows every token but `bad`; counts how often it is asked. */
  function counting(isLate: boolean): TokenAuthenticator & { asked: number } {
    const members = {
      name: 'counting',
      asked: 0,
      authenticateToken(token: string) {
        members.asked++
        const user = { name: token, uid: '', groups: [], extra: {} }
        const result = token === 'bad' ? ({ outcome: 'none' } as const) : ({ outcome: 'authenticated', user } as const)
        return isLate ? Promise.resolve(result) : result
      },
    }
    return members
  }

  for (const isLate of [false, true])
    it(`caches valid tokens for ten seconds and unknown ones not at all (${isLate ? 'late' : 'immediate'} answers)`, async () => {
      const clock = createFakeClock(start)
      const member = counting(isLate)
      const cache = createTokenCache({ clock, metrics: silentMetrics }, [member])
      for (const token of ['a', 'a', 'bad', 'bad']) await cache.authenticateToken(token, { signal })
      assert.equal(member.asked, 3)
      clock.advance(9_999)
      await cache.authenticateToken('a', { signal })
      assert.equal(member.asked, 3)
      clock.advance(1)
      await cache.authenticateToken('a', { signal })
      assert.equal(member.asked, 4)
    })

  it('drops the oldest beyond its limit', async () => {
    const member = counting(false)
    const cache = createTokenCache({ clock: createFakeClock(start), metrics: silentMetrics }, [member], {
      entriesMax: 2,
    })
    for (const token of ['a', 'b', 'c', 'c', 'b', 'a']) await cache.authenticateToken(token, { signal })
    assert.equal(member.asked, 4)
  })

  it('asks once for concurrent requests', async () => {
    const member = counting(true)
    const cache = createTokenCache({ clock: createFakeClock(start), metrics: silentMetrics }, [member])
    const answers = await Promise.all([1, 2, 3].map(async () => await cache.authenticateToken('a', { signal })))
    assert.deepEqual([member.asked, answers.map((answer) => answer.outcome)], [1, Array(3).fill('authenticated')])
  })

  it('asks the next authenticator when one fails, and counts no failure as a success', async () => {
    const broken: TokenAuthenticator = { name: 'broken', authenticateToken: () => Promise.reject(new Error('down')) }
    const clock = createFakeClock(start)
    const both = createAuthenticator(
      { clock, metrics: silentMetrics },
      { tokens: [broken, counting(true)], anonymous: true },
    )
    assert.equal(await outcomeOf(both, bearer('a')), 'a [system:authenticated]')
    const alone = createAuthenticator({ clock, metrics: silentMetrics }, { tokens: [broken], anonymous: true })
    assert.equal(await outcomeOf(alone, bearer('a')), 'invalid: down')
  })
})

describe('authn: client certificates', () => {
  const clock = createFakeClock(start)
  const authority = createAuthority({ clock, random: systemRandom }, { commonName: 'ca' })
  const metrics = createMetrics()
  const authenticator = createAuthenticator(
    { clock, metrics: silentMetrics },
    {
      certificates: createCertificateAuthenticator(
        { clock, metrics },
        createChainVerifier(clock, authority.certificate),
      ),
      tokens: [tokenFile],
      anonymous: true,
    },
  )
  const day = 24 * 3600 * 1000
  const authorities = { pem: authority.certificate }
  const issue = (commonName: string, refusal?: string): PresentedCertificates => {
    const options = { commonName, organizations: ['g2', 'g1'], usage: 'client', validMs: day } as const
    const { raw } = new X509Certificate(authority.issue(options).certificate)
    return { chain: [raw], refusal, authorities, verifiedAtMs: clock.now() }
  }

  it('names the user by the common name and the groups by the organizations', async () => {
    const chain = issue('jane')
    assert.equal(await outcomeOf(authenticator, callWith({}, chain)), 'jane [g2 g1 system:authenticated]')
    const result = await authenticator.authenticate(callWith({}, chain))
    assert.equal(result.outcome, 'authenticated')
    const extra = 'user' in result ? Object.entries(result.user.extra) : []
    assert.match(String(extra), /^authentication\.kubernetes\.io\/credential-id,X509SHA256=[\da-f]{64}$/)
  })

  it('refuses unknown certificates even where anonymous requests are allowed, unless the client has a token', async () => {
    const chain = issue('jane', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
    assert.equal(
      await outcomeOf(authenticator, callWith({}, chain)),
      'invalid: the certificate is signed by an unknown authority',
    )
    const call = callWith({ authorization: 'Bearer secret-a' }, chain)
    assert.equal(await outcomeOf(authenticator, call), 'amy [system:authenticated]')
  })

  it('refuses a certificate without a common name', async () => {
    assert.equal(await outcomeOf(authenticator, callWith({}, issue(''))), 'invalid: the certificate has no common name')
  })

  it('reads a chain once a connection', async () => {
    const verifier = createChainVerifier(clock, authority.certificate)
    let verified = 0
    const counting = { verify: (presented: PresentedCertificates) => (verified++, verifier.verify(presented)) }
    const once = createCertificateAuthenticator({ clock, metrics: silentMetrics }, counting)
    const [jane, john] = [issue('jane'), issue('john')]
    const counts: number[] = []
    for (const presented of [jane, jane, { ...jane }, john, john]) {
      await once.authenticate(callWith({}, presented))
      counts.push(verified)
    }
    assert.deepEqual(counts, [1, 1, 2, 3, 3])
  })

  it('notices that a certificate expires while its connection lasts', async () => {
    const chain = issue('jane')
    assert.match(await outcomeOf(authenticator, callWith({}, chain)), /^jane/)
    clock.advance(day + 1000)
    assert.equal(await outcomeOf(authenticator, callWith({}, chain)), 'invalid: the certificate has expired')
  })

  it('reports with every request how long the certificate lasts', async () => {
    const counts = async (): Promise<number[]> => {
      const { body } = await metrics.exposition()
      return ['0', '86400', '+Inf'].map((bound) =>
        Number(body.split(`apiserver_client_certificate_expiration_seconds_bucket{le="${bound}"} `)[1]?.split('\n')[0]),
      )
    }
    const before = await counts()
    const chain = issue('jane')
    for (let request = 0; request < 3; request++) await authenticator.authenticate(callWith({}, chain))
    clock.advance(day + 1000)
    await authenticator.authenticate(callWith({}, chain))
    assert.deepEqual(
      (await counts()).map((count, index) => count - (before[index] ?? 0)),
      [1, 4, 4],
    )
  })
})

describe('authn: metrics', () => {
  it('counts attempts, kinds of users and the cache, and never shows a token', async () => {
    const metrics = createMetrics()
    const authenticator = createAuthenticator(
      { clock: createFakeClock(start), metrics },
      { tokens: [tokenFile], anonymous: false },
    )
    for (const token of ['secret-a', 'secret-a', 'secret-b']) await authenticator.authenticate(bearer(token))
    const { body } = await metrics.exposition()
    for (const line of [
      'authentication_attempts{result="success"} 2',
      'authentication_attempts{result="failure"} 1',
      'authenticated_user_requests{username="other"} 2',
      'authentication_token_cache_request_total{status="hit"} 1',
      'authentication_token_cache_request_total{status="miss"} 2',
      'authentication_token_cache_fetch_total{status="error"} 1',
      'authentication_duration_seconds_count{result="success"} 2',
    ])
      assert.equal(body.split('\n').includes(line), true, line)
    assert.doesNotMatch(body, /secret-/)
  })
})
