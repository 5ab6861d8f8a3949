import assert from 'node:assert/strict'
import { createWebhookAuthenticator } from '../../../lib/authn/index.ts'
import { createFakeClock, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { type EndpointClient, RequestError } from '../../../lib/client/index.ts'

const { signal } = new AbortController()

/** A webhook that answers as `answer` says, and the requests that it got. */
function hook(answer: (token: string, attempt: number) => { status: number; body?: object }) {
  const clock = createFakeClock(0)
  const asked: string[] = []
  const client: EndpointClient = {
    async post(body) {
      const { spec } = JSON.parse(String(body)) as { spec: { token: string } }
      asked.push(spec.token)
      const { status, body: answered = {} } = answer(spec.token, asked.length)
      if (status === 0) throw new RequestError('no connection')
      return { status, headers: {}, body: Buffer.from(JSON.stringify(answered)) }
    },
    get: () => Promise.reject(new Error('no such thing')),
    close() {},
  }
  // Pauses between tries take no time.
  const time = { ...systemClock, monotonicMs: () => clock.monotonicMs(), sleep: async () => {} }
  const authenticator = createWebhookAuthenticator(
    { clock: time, random: systemRandom, metrics: silentMetrics },
    client,
    {
      version: 'v1',
      ttlMs: 1000,
      audiences: ['api'],
      entriesMax: 2,
    },
  )
  const ask = async (token: string, audiences?: readonly string[]): Promise<string> => {
    const result = await authenticator.authenticateToken(token, audiences ? { signal, audiences } : { signal })
    return result.outcome === 'authenticated' ? `${result.user.name} for ${result.audiences?.join()}` : result.outcome
  }
  return { clock, asked, ask }
}

const review = (status: object, apiVersion = 'authentication.k8s.io/v1') => ({
  status: 200,
  body: { apiVersion, kind: 'TokenReview', status },
})
const ann = { authenticated: true, user: { username: 'ann' } }

describe('authn: review webhook', () => {
  it('caches a limited number of answers, for a while', async () => {
    const { clock, asked, ask } = hook((token) => review(token === 'bad' ? {} : ann))
    for (const token of ['a', 'bad', 'a', 'bad']) await ask(token)
    assert.deepEqual(asked, ['a', 'bad'])
    await ask('c')
    await ask('a')
    assert.deepEqual(asked, ['a', 'bad', 'c', 'a'])
    clock.advance(1000)
    await ask('c')
    assert.equal(asked.length, 5)
  })
  it('asks separately for other audiences', async () => {
    const { asked, ask } = hook((token) => review({ ...ann, ...(token === 'db' ? { audiences: ['db'] } : {}) }))
    assert.equal(await ask('a'), 'ann for api')
    assert.equal(await ask('a', ['db']), 'invalid')
    assert.equal(await ask('db', ['db', 'x']), 'ann for db')
    assert.equal(asked.length, 3)
  })

  const failures: [string, number, number][] = [
    ['a server in trouble', 500, 5],
    ['too many requests', 429, 5],
    ['a connection that breaks', 0, 5],
    ['a refusal', 403, 1],
  ]
  for (const [title, status, tries] of failures) {
    it(`is asked ${tries} times for ${title}, and the failure is not cached`, async () => {
      const { asked, ask } = hook(() => ({ status }))
      await assert.rejects(ask('a'))
      assert.equal(asked.length, tries)
      await assert.rejects(ask('a'))
      assert.equal(asked.length, 2 * tries)
    })
  }
  it("is not trusted with an answer in another version than the request's", async () => {
    const { ask } = hook(() => review(ann, 'authentication.k8s.io/v1beta1'))
    await assert.rejects(ask('a'), /another kind/)
  })
})
