import assert from 'node:assert/strict'
import {
  type AuthorizationAttributes,
  type AuthorizationResult,
  compileConditions,
  createWebhookAuthorizer,
  encodeReview,
  reviewSpec,
  type WebhookAuthorizerOptions,
} from '../../../lib/authz/index.ts'
import { createFakeClock, createSeededRandom, type FakeClock, silentLogger } from '../../../lib/base/index.ts'
import { RequestError } from '../../../lib/client/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'

const jane = { name: 'jane', uid: '1', groups: ['dev'], extra: { scopes: ['a', 'b'] } }
const attributes: AuthorizationAttributes = {
  user: jane,
  verb: 'list',
  isResource: true,
  path: '',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespace: 'ns',
  name: '',
}
const options: WebhookAuthorizerOptions = {
  name: 'hook',
  version: 'v1',
  authorizedTtlMs: 1000,
  unauthorizedTtlMs: 100,
  failurePolicy: 'NoOpinion',
}

/** Plays the webhook: a body, a status, or what is thrown. */
type Reply = object | number | Error
const says = (status: object): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  status,
})

function create(replies: Reply[], change: Partial<WebhookAuthorizerOptions> = {}) {
  const clock: FakeClock = createFakeClock()
  const metrics = createMetrics()
  const asked: string[] = []
  const authorizer = createWebhookAuthorizer(
    {
      clock,
      random: createSeededRandom(1),
      log: silentLogger,
      metrics,
      client: {
        async post(body) {
          asked.push(String(body))
          const reply = replies.length > 1 ? replies.shift() : replies[0]
          if (reply instanceof Error) throw reply
          const status = typeof reply === 'number' ? reply : 200
          return { status, headers: {}, body: Buffer.from(typeof reply === 'object' ? JSON.stringify(reply) : 'no') }
        },
      },
    },
    { ...options, ...change },
  )
  const ask = async (what: Partial<AuthorizationAttributes> = {}, signal = new AbortController().signal) => {
    const answer = Promise.resolve(authorizer.authorize({ ...attributes, ...what }, { signal }))
    let settled: AuthorizationResult | undefined
    void answer.then((result) => (settled = result))
    for (let round = 0; round < 40 && settled === undefined; round++) {
      await new Promise(setImmediate)
      clock.advance(200)
    }
    return await answer
  }
  return { ask, asked, clock, metrics }
}

describe('webhook: what it is asked', () => {
  const sent = (what: Partial<AuthorizationAttributes>, version: 'v1' | 'v1beta1' = 'v1'): unknown =>
    JSON.parse(encodeReview(reviewSpec({ ...attributes, ...what }), version))
  const envelope = {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { creationTimestamp: null },
    status: { allowed: false },
  }
  const who = { user: 'jane', uid: '1', extra: { scopes: ['a', 'b'] } }
  const what = { namespace: 'ns', verb: 'list', group: 'apps', version: 'v1', resource: 'deployments' }

  it('a webhook is asked about a resource', () => {
    assert.deepEqual(sent({}), { ...envelope, spec: { resourceAttributes: what, ...who, groups: ['dev'] } })
  })

  it('a webhook is asked in the older version', () => {
    const spec = { resourceAttributes: what, ...who, group: ['dev'] }
    assert.deepEqual(sent({}, 'v1beta1'), { ...envelope, apiVersion: 'authorization.k8s.io/v1beta1', spec })
  })

  it('a webhook is asked about a path', () => {
    const spec = { nonResourceAttributes: { path: '/x', verb: 'list' }, ...who, groups: ['dev'] }
    assert.deepEqual(sent({ isResource: false, path: '/x' }), { ...envelope, spec })
  })

  it('a webhook gets selectors as requirements, as far as they have that form', () => {
    const { spec } = sent({
      fieldSelector: 'spec.nodeName=n,metadata.name!=x',
      labelSelector: 'a=1,b in (2,3),c notin (4),d,!e,f!=5,g>6',
    }) as { spec: { resourceAttributes: { fieldSelector: object; labelSelector: object } } }
    assert.deepEqual(spec.resourceAttributes.fieldSelector, {
      requirements: [
        { key: 'spec.nodeName', operator: 'In', values: ['n'] },
        { key: 'metadata.name', operator: 'NotIn', values: ['x'] },
      ],
    })
    assert.deepEqual(spec.resourceAttributes.labelSelector, {
      requirements: [
        { key: 'a', operator: 'In', values: ['1'] },
        { key: 'b', operator: 'In', values: ['2', '3'] },
        { key: 'c', operator: 'NotIn', values: ['4'] },
        { key: 'd', operator: 'Exists' },
        { key: 'e', operator: 'DoesNotExist' },
        { key: 'f', operator: 'NotIn', values: ['5'] },
      ],
    })
    const broken = sent({ labelSelector: 'a in', fieldSelector: 'x' }) as { spec: { resourceAttributes: object } }
    assert.deepEqual(broken.spec.resourceAttributes, what)
  })
})

describe('webhook: its answers', () => {
  const cases: [object, AuthorizationResult['decision'], string][] = [
    [{ allowed: true, reason: 'why' }, 'allow', 'why'],
    [{ allowed: false, reason: 'no' }, 'no-opinion', 'no'],
    [{ allowed: false, denied: true, reason: 'never' }, 'deny', 'never'],
    [{ allowed: true, denied: true }, 'deny', ''],
  ]
  for (const [status, decision, reason] of cases)
    it(`${JSON.stringify(status)}: ${decision}`, async () => {
      const answer = await create([says(status)]).ask()
      assert.deepEqual([answer.decision, answer.reason], [decision, reason])
    })

  it('are cached for their time', async () => {
    const { ask, asked, clock } = create([says({ allowed: true }), says({ allowed: false }), says({ allowed: true })])
    await ask()
    clock.advance(500)
    assert.equal((await ask()).decision, 'allow')
    assert.equal(asked.length, 1)
    await ask({ namespace: 'other' })
    assert.equal(asked.length, 2)
    clock.advance(1001)
    assert.equal((await ask()).decision, 'allow')
    assert.equal(asked.length, 3)
  })

  it('answers to very long questions are not cached', async () => {
    const { ask, asked } = create([says({ allowed: true })])
    for (let time = 0; time < 2; time++) await ask({ name: 'x'.repeat(10_000) })
    assert.equal(asked.length, 2)
  })
})

describe('webhook: failures', () => {
  const reset = new RequestError('POST x: reset', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
  it('failures that may be temporary are retried', async () => {
    const { ask, asked } = create([503, 429, reset, says({ allowed: true })])
    assert.equal((await ask()).decision, 'allow')
    assert.equal(asked.length, 4)
  })

  for (const reply of [
    400,
    says({}),
    { status: 1 },
    { ...says({ allowed: true }), kind: 'Pod' },
    { ...says({ allowed: true }), apiVersion: 'authorization.k8s.io/v1beta1' },
    new RequestError('Post "x": context deadline exceeded', { isTimeout: true }),
  ] as const)
    for (const failurePolicy of ['NoOpinion', 'Deny'] as const)
      it(`${reply instanceof Error ? reply.message : JSON.stringify(reply)} with ${failurePolicy}: one try, not cached`, async () => {
        const { ask, asked } = create([reply], { failurePolicy })
        const answer = await ask()
        assert.equal(answer.decision, failurePolicy === 'Deny' ? 'deny' : 'no-opinion')
        assert.notEqual(answer.error, undefined)
        await ask()
        assert.equal(asked.length, 2)
      })

  it('are given up after five tries', async () => {
    const { ask, asked, metrics } = create([500])
    assert.equal((await ask()).decision, 'no-opinion')
    assert.equal(asked.length, 5)
    const { body } = await metrics.exposition(metrics.formatFor(undefined))
    assert.match(body, /apiserver_authorization_webhook_evaluations_total\{name="hook",result="error"\} 1/)
    assert.match(body, /apiserver_authorization_webhook_evaluations_fail_open_total\{name="hook",result="error"\} 1/)
  })
})

describe('webhook: match conditions', () => {
  const cases: [string[], boolean | 'error'][] = [
    [[], true],
    [["request.user == 'jane'"], true],
    [["request.user == 'jane'", "'dev' in request.groups", "request.extra['scopes'][0] == 'a'"], true],
    [["request.user == 'jane'", "request.resourceAttributes.namespace == 'x'"], false],
    [['has(request.resourceAttributes)', 'has(request.nonResourceAttributes)'], false],
    [["request.nonResourceAttributes.path == '/x'"], 'error'],
    [["request.nonResourceAttributes.path == '/x'", "request.user == 'joe'"], false],
    [["request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'a' && 'b' in r.values)"], true],
  ]
  for (const [expressions, expected] of cases)
    it(`${expressions.join('; ')}: ${expected}`, () => {
      const { match, error } = compileConditions(expressions)(reviewSpec({ ...attributes, labelSelector: 'a=b' }))
      assert.equal(error ? 'error' : match, expected)
    })

  for (const [expression, message] of [
    ['request.usr == 1', /matchConditions\[0\]\.expression: compilation failed: .*undefined field 'usr'/s],
    ['request.user', /matchConditions\[0\]\.expression: .*bool/],
    ['(', /matchConditions\[0\]\.expression: compilation failed/],
  ] as const)
    it(`refuse ${expression}`, () => {
      assert.throws(() => compileConditions([expression]), message)
    })

  it('keep requests from the webhook; errors in them count as failures', async () => {
    const undecidable = compileConditions(["request.nonResourceAttributes.path == '/x'"])
    const conditions = compileConditions(["request.user == 'joe'"])
    const excluded = create([says({ allowed: true })], { conditions })
    assert.equal((await excluded.ask()).decision, 'no-opinion')
    assert.equal((await excluded.ask({ user: { ...jane, name: 'joe' } })).decision, 'allow')
    assert.equal(excluded.asked.length, 1)
    assert.equal((await create([says({ allowed: true })], { conditions: undecidable }).ask()).decision, 'no-opinion')
    const denied = create([says({ allowed: true })], { conditions: undecidable, failurePolicy: 'Deny' })
    assert.equal((await denied.ask()).decision, 'deny')
    assert.equal(denied.asked.length, 0)
  })
})
