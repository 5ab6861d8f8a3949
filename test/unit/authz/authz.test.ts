import assert from 'node:assert/strict'
import {
  type AuthorizationAttributes,
  type AuthorizationResult,
  type Authorizer,
  alwaysAllow,
  alwaysDeny,
  createAuthorizer,
  createRuleResolver,
  forbiddenMessage,
} from '../../../lib/authz/index.ts'
import { createFakeClock, silentMetrics } from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'

const clock = createFakeClock()
const context = { signal: new AbortController().signal }

function attributes(changes: Partial<AuthorizationAttributes> = {}): AuthorizationAttributes {
  return {
    user: { name: 'jane', uid: '', groups: ['dev'], extra: {} },
    verb: 'get',
    isResource: true,
    path: '/api/v1/namespaces/ns/pods/p',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'ns',
    name: 'p',
    ...changes,
  }
}

function says(decision: AuthorizationResult['decision'], reason = ''): Authorizer {
  return { name: decision, authorize: () => ({ decision, reason }) }
}

function later(authorizer: Authorizer): Authorizer {
  return { name: `later ${authorizer.name}`, authorize: async (...question) => await authorizer.authorize(...question) }
}

const failing: Authorizer = {
  name: 'failing',
  authorize() {
    throw new Error('broken')
  },
}

describe('authz union', () => {
  const allow = says('allow', 'yes')
  const deny = says('deny', 'never')
  const shrug = says('no-opinion', 'dunno')
  const cases: [string, Authorizer[], string, string][] = [
    ['the first that allows', [shrug, allow, deny], 'allow', 'yes'],
    ['the first that denies', [shrug, deny, allow], 'deny', 'never'],
    ['no opinion with all reasons', [shrug, says('no-opinion', 'either')], 'no-opinion', 'dunno\neither'],
    ['nobody', [], 'no-opinion', ''],
    ['AlwaysAllow', [alwaysAllow], 'allow', ''],
    ['AlwaysDeny', [alwaysDeny], 'no-opinion', 'Everything is forbidden.'],
    ['those after one that fails', [failing, allow], 'allow', 'yes'],
    ['later answers too', [later(shrug), later(failing), later(deny), allow], 'deny', 'never'],
  ]
  for (const [who, authorizers, decision, reason] of cases)
    it(`follows ${who}`, async () => {
      const members = authorizers.map((authorizer) => ({ type: 'Test', authorizer }))
      const union = createAuthorizer({ clock, metrics: silentMetrics }, members)
      const result = await union.authorize(attributes(), context)
      assert.deepEqual([result.decision, result.reason], [decision, reason])
    })

  it('refuses with the error when an authorizer fails, at once or later', async () => {
    for (const authorizer of [failing, later(failing)]) {
      const union = createAuthorizer({ clock, metrics: silentMetrics }, [{ type: 'Test', authorizer }])
      const result = await union.authorize(attributes(), context)
      assert.deepEqual([result.decision, result.error?.message], ['no-opinion', 'broken'])
    }
  })

  it('allows system:masters everything, synchronously', () => {
    const union = createAuthorizer({ clock, metrics: silentMetrics }, [{ type: 'Test', authorizer: later(deny) }])
    const user = { name: 'root', uid: '', groups: ['system:masters'], extra: {} }
    assert.deepEqual(union.authorize(attributes({ user }), context), { decision: 'allow', reason: '' })
  })

  it('answers synchronously when its members do, and counts who decided', async () => {
    const metrics = createMetrics()
    const union = createAuthorizer({ clock, metrics }, [{ type: 'RBAC', authorizer: allow }])
    assert.deepEqual(union.authorize(attributes(), context), { decision: 'allow', reason: 'yes' })
    const { body } = await metrics.exposition()
    assert.match(body, /^apiserver_authorization_decisions_total\{decision="allowed",name="allow",type="RBAC"\} 1$/m)
    assert.match(body, /^authorization_attempts_total\{result="allowed"\} 1$/m)
    assert.match(body, /^authorization_duration_seconds_count\{result="allowed"\} 1$/m)
  })
})

describe('rules of several authorizers', () => {
  it('are incomplete where one of them is a webhook, whatever it is called', async () => {
    const resolver = createRuleResolver(() => [alwaysAllow, says('no-opinion')])
    const { incomplete, errors } = await resolver.rulesFor(attributes().user, 'ns', context)
    assert.deepEqual([incomplete, errors], [true, ['webhook authorizer does not support user rule resolution']])
  })
})

describe('forbiddenMessage', () => {
  const cases: [Partial<AuthorizationAttributes>, string, string][] = [
    [{}, '', 'User "jane" cannot get resource "pods" in API group "" in the namespace "ns"'],
    [
      { subresource: 'log', group: 'apps', namespace: '' },
      'why',
      'User "jane" cannot get resource "pods/log" in API group "apps" at the cluster scope: why',
    ],
    [{ isResource: false, path: '/a?<b>&"' }, '', 'User "jane" cannot get path "/a?&lt;b&gt;&amp;\\""'],
  ]
  for (const [changes, reason, message] of cases)
    it(`refuses with: ${message}`, () => {
      assert.equal(forbiddenMessage(attributes(changes), reason), message)
    })
})
