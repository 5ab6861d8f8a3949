import assert from 'node:assert/strict'
import {
  type AuthorizationQuery,
  type Authorize,
  authorizerType,
  compile,
  createAuthorizerValue,
  createEnvironment,
  createResourceCheckValue,
  kubernetesLibraries,
  type Outcome,
  resourceCheckType,
} from '../../../lib/cel/index.ts'

const environment = createEnvironment({
  variables: { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType },
  libraries: kubernetesLibraries(),
})

async function run(text: string, authorize: Authorize): Promise<Outcome> {
  const compiled = compile(environment, text)
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
  const authorizer = createAuthorizerValue(authorize)
  const request = { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'front' }
  return compiled.program.evaluateAsync({
    authorizer,
    'authorizer.requestResource': createResourceCheckValue(authorizer, request),
  })
}

const queries: readonly (readonly [string, AuthorizationQuery])[] = [
  ["authorizer.path('/healthz').check('get').allowed()", { path: '/healthz', verb: 'get' }],
  [
    "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('x').check('update').allowed()",
    { group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'n', name: 'x', verb: 'update' },
  ],
  [
    "authorizer.serviceAccount('default', 'robot').group('').resource('pods').check('list').allowed()",
    { serviceAccount: { namespace: 'default', name: 'robot' }, group: '', resource: 'pods', verb: 'list' },
  ],
  [
    "authorizer.requestResource.subresource('status').check('patch').allowed()",
    { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'front', subresource: 'status', verb: 'patch' },
  ],
]

describe('cel authorizer', () => {
  for (const [text, query] of queries) {
    it(`checks ${text}`, async () => {
      const asked: AuthorizationQuery[] = []
      const outcome = await run(text, async (one) => {
        asked.push(one)
        return { allowed: true, reason: 'so' }
      })
      assert.ok(outcome.ok && outcome.value === true)
      assert.deepEqual(asked, [query])
    })
  }

  it('checks each query once, however often the evaluation starts over', async () => {
    const asked: string[] = []
    const check = (verb: string): string => `authorizer.group('').resource('pods').check('${verb}').allowed()`
    const outcome = await run(`${check('get')} && !${check('delete')} || ${check('get')}`, async ({ verb }) => {
      asked.push(verb)
      return { allowed: verb === 'get', reason: '' }
    })
    assert.ok(outcome.ok && outcome.value === true)
    assert.deepEqual(asked, ['get', 'delete'])
    assert.ok(outcome.cost > 700_000)
  })

  it('allows two checks in an evaluation, not three', async () => {
    const check = "authorizer.path('/a').check('get').allowed()"
    assert.equal((await run(`${check} && ${check}`, () => ({ allowed: true, reason: '' }))).ok, true)
    const outcome = await run(`${check} && ${check} && ${check}`, () => ({ allowed: true, reason: '' }))
    assert.ok(!outcome.ok && outcome.error.code === 'budget')
  })

  it('passes a failed check to the expression', async () => {
    const text = "authorizer.path('/a').check('get').errored() && authorizer.path('/a').check('get').error() == 'down'"
    const outcome = await run(text, () => Promise.reject(new Error('down')))
    assert.ok(outcome.ok && outcome.value === true)
    const plain = await run("authorizer.path('/a').check('get').reason() == 'no'", () => ({
      allowed: false,
      reason: 'no',
    }))
    assert.ok(plain.ok && plain.value === true)
  })

  it('reads selectors, and passes on those that do not parse', async () => {
    let asked: AuthorizationQuery | undefined
    const text =
      "authorizer.group('').resource('pods').labelSelector('a in (b)').fieldSelector('x').check('list').allowed()"
    assert.equal((await run(text, (query) => ((asked = query), { allowed: true, reason: '' }))).ok, true)
    assert.equal(asked?.labelSelector?.requirements?.length, 1)
    assert.deepEqual(asked?.fieldSelector, { text: 'x', requirements: undefined })
  })

  for (const text of [
    "authorizer.path('  ').check('get').allowed()",
    "authorizer.group('').resource('').check('get').allowed()",
    "authorizer.serviceAccount('a.b', 'x').path('/').check('get').allowed()",
    "authorizer.serviceAccount('a', 'X!').path('/').check('get').allowed()",
  ]) {
    it(`fails ${text}`, async () => {
      const outcome = await run(text, () => ({ allowed: true, reason: '' }))
      assert.ok(!outcome.ok && outcome.error.code === 'invalidArgument')
    })
  }
})
