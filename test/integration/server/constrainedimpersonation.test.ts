import assert from 'node:assert/strict'
import type { AuthorizationAttributes } from '../../../lib/authz/index.ts'
import { createFakeClock } from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import type { UserInfo } from '../../../lib/request/index.ts'
import { impersonateConstrained, type Server } from '../../../lib/server/index.ts'
import { get1, run } from './support.ts'

type Headers = Record<string, string | string[]>

const node = 'system:node:node-1'
const account = 'system:serviceaccount:kube-system:agent'
const alice: UserInfo = { name: 'alice', uid: '', groups: ['dev'], extra: {} }
/** A service account whose pod runs on node-1. */
const agent: UserInfo = {
  name: account,
  uid: '',
  groups: [],
  extra: {
    'authentication.kubernetes.io/node-name': ['node-1'],
    'authentication.kubernetes.io/pod-name': ['agent-x'],
  },
}
const pods = '/api/v1/namespaces/default/pods'
const on = (mode: string, verb = 'list'): string => `impersonate-on:${mode}:${verb} pods default`
const userInfo = 'impersonate:user-info'

/** `verb resource/subresource namespace name`, without what is empty. */
function line({
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
}: AuthorizationAttributes): string {
  if (!isResource) return `${verb} ${path}`
  const what = `${group === 'authentication.k8s.io' ? 'authn:' : ''}${resource}${subresource && `/${subresource}`}`
  return [verb, what, namespace, name].filter((word) => word !== '').join(' ')
}

describe('server: constrained impersonation', () => {
  let server: Server
  let port = 0
  let requestor = alice
  let allowed: (attributes: AuthorizationAttributes) => boolean = () => false
  let asked: string[] = []
  let extras: unknown[] = []
  let constraint: string | undefined
  let clock = createFakeClock(0)
  let metrics = createMetrics()
  const authorizer = {
    name: 'test',
    authorize(attributes: AuthorizationAttributes) {
      if (!attributes.verb.startsWith('impersonate')) return { decision: 'allow' as const, reason: '' }
      asked.push(line(attributes))
      extras.push(attributes.user.extra)
      return allowed(attributes)
        ? { decision: 'allow' as const, reason: '' }
        : { decision: 'no-opinion' as const, reason: 'no rule' }
    },
  }
  let impersonate = impersonateConstrained({ authorizer, clock, metrics })
  before(async () => {
    const running = await run(
      (call) => call.responder.send(200, {}, Buffer.from(JSON.stringify({ user: call.user }))),
      {},
      {
        authorizer,
        authenticator: { name: 'test', authenticate: () => ({ outcome: 'authenticated', user: requestor }) },
        impersonate: (call, next) =>
          impersonate(call, (passed) => {
            constraint = passed.impersonationConstraint
            return next(passed)
          }),
      },
    )
    server = running.server
    port = running.port
  })
  after(async () => {
    await server.stop()
  })
  beforeEach(() => {
    clock = createFakeClock(0)
    metrics = createMetrics()
    impersonate = impersonateConstrained({ authorizer, clock, metrics })
    requestor = alice
    reset()
  })
  function reset(): void {
    asked = []
    extras = []
    constraint = undefined
  }

  async function ask(headers: Headers, path = pods): Promise<{ status: number; user: UserInfo; message: string }> {
    const { status, body } = await get1(port, path, { headers })
    return { ...JSON.parse(body), status }
  }
  const allow = (...lines: string[]): void => {
    allowed = (attributes) => lines.includes(line(attributes))
  }

  const taken: [string, UserInfo, Headers, string[], UserInfo, string, string[]?][] = [
    [
      'a user',
      alice,
      { 'Impersonate-User': 'bob' },
      [on('user-info'), `${userInfo} authn:users bob`],
      { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} },
      userInfo,
    ],
    [
      'a user with uid, groups and extra, in this order',
      alice,
      {
        'Impersonate-User': 'bob',
        'Impersonate-Group': ['a', 'b'],
        'Impersonate-Uid': '7',
        'Impersonate-Extra-Acme.com%2fScope': ['x', 'y'],
      },
      [
        on('user-info'),
        `${userInfo} authn:users bob`,
        `${userInfo} authn:uids 7`,
        `${userInfo} authn:groups a`,
        `${userInfo} authn:groups b`,
        `${userInfo} authn:userextras/acme.com/scope x`,
        `${userInfo} authn:userextras/acme.com/scope y`,
      ],
      { name: 'bob', uid: '7', groups: ['a', 'b', 'system:authenticated'], extra: { 'acme.com/scope': ['x', 'y'] } },
      userInfo,
    ],
    [
      'a user with many groups, by one permission for all',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['a', 'b', 'c', 'd'] },
      [on('user-info'), `${userInfo} authn:users bob`, `${userInfo} authn:groups *`],
      { name: 'bob', uid: '', groups: ['a', 'b', 'c', 'd', 'system:authenticated'], extra: {} },
      userInfo,
    ],
    [
      'a user with many extra values, by one permission for all',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Extra-a.io%2fb': ['1', '2'], 'Impersonate-Extra-a.io%2fc': ['3', '4'] },
      [on('user-info'), `${userInfo} authn:users bob`, `${userInfo} authn:userextras/* *`],
      { name: 'bob', uid: '', groups: ['system:authenticated'], extra: { 'a.io/b': ['1', '2'], 'a.io/c': ['3', '4'] } },
      userInfo,
    ],
    [
      'a service account',
      alice,
      { 'Impersonate-User': account },
      [on('serviceaccount'), 'impersonate:serviceaccount authn:serviceaccounts kube-system agent'],
      {
        name: account,
        uid: '',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
        extra: {},
      },
      'impersonate:serviceaccount',
    ],
    [
      'any node',
      alice,
      { 'Impersonate-User': node },
      [on('arbitrary-node'), 'impersonate:arbitrary-node authn:nodes node-1'],
      { name: node, uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} },
      'impersonate:arbitrary-node',
    ],
    [
      'the node of its pod',
      agent,
      { 'Impersonate-User': node },
      [on('associated-node'), 'impersonate:associated-node authn:nodes *'],
      { name: node, uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} },
      'impersonate:associated-node',
    ],
    [
      'nobody in particular',
      alice,
      { 'Impersonate-User': 'system:anonymous' },
      [on('user-info'), `${userInfo} authn:users system:anonymous`],
      { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} },
      userInfo,
    ],
    [
      'a user by the older verb, which is asked about last',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Group': 'g' },
      ['impersonate users bob', 'impersonate groups g'],
      { name: 'bob', uid: '', groups: ['g', 'system:authenticated'], extra: {} },
      '',
      [on('user-info')],
    ],
    [
      'a service account with a group, which only the older verb covers',
      alice,
      { 'Impersonate-User': account, 'Impersonate-Group': 'g' },
      ['impersonate serviceaccounts kube-system agent', 'impersonate groups g'],
      { name: account, uid: '', groups: ['g', 'system:authenticated'], extra: {} },
      '',
    ],
    [
      'a node by the older verb, as a user without groups',
      alice,
      { 'Impersonate-User': node },
      [`impersonate users ${node}`],
      { name: node, uid: '', groups: ['system:authenticated'], extra: {} },
      '',
      [on('arbitrary-node')],
    ],
    [
      'a member of system:masters by the older verb alone',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' },
      ['impersonate users bob', 'impersonate groups system:masters'],
      { name: 'bob', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} },
      '',
      [on('user-info')],
    ],
  ]
  for (const [title, by, headers, needed, user, verb, deniedFirst = []] of taken) {
    it(`${by.name} acts as ${title}`, async () => {
      requestor = by
      allow(...needed)
      const answer = await ask(headers)
      assert.deepEqual({ status: answer.status, user: answer.user }, { status: 200, user })
      assert.deepEqual(asked, [...deniedFirst, ...needed])
      assert.equal(constraint, verb)
    })
    it(`acting as ${title} needs every permission of the mode`, async () => {
      requestor = by
      for (const missing of needed) {
        clock.advance(60_000)
        allow(...needed.filter((each) => each !== missing))
        assert.equal((await ask(headers)).status, 403, missing)
      }
    })
  }

  const cannot = (verb: string, resource: string): string =>
    `User "alice" cannot ${verb} resource "${resource}" in API group "authentication.k8s.io" at the cluster scope`
  const refused: [string, UserInfo, Headers, string[], number, string][] = [
    [
      'a request that it may not make so',
      alice,
      { 'Impersonate-User': 'bob' },
      [`${userInfo} authn:users bob`],
      403,
      `pods is forbidden: User "alice" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "default": no rule`,
    ],
    [
      'a user that it may not be',
      alice,
      { 'Impersonate-User': 'bob' },
      [on('user-info')],
      403,
      `users.authentication.k8s.io "bob" is forbidden: ${cannot(userInfo, 'users')}: no rule`,
    ],
    [
      'an empty group',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['a', ''] },
      [on('user-info'), `${userInfo} authn:users bob`, `${userInfo} authn:groups a`],
      403,
      `groups.authentication.k8s.io is forbidden: ${cannot(userInfo, 'groups')}: impersonating the empty string group is not allowed`,
    ],
    [
      'the group system:masters',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['system:masters'] },
      [on('user-info'), `${userInfo} authn:users bob`, `${userInfo} authn:groups system:masters`],
      403,
      `groups.authentication.k8s.io "system:masters" is forbidden: ${cannot(userInfo, 'groups')}: impersonating the system:masters group is not allowed`,
    ],
    [
      'an extra key without a domain',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Extra-scope': 'x' },
      [on('user-info'), `${userInfo} authn:users bob`, `${userInfo} authn:userextras/scope x`],
      403,
      `userextras.authentication.k8s.io is forbidden: ${cannot(userInfo, 'userextras')}: impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scope": must be a domain-prefixed path (such as "acme.io/foo")`,
    ],
    [
      'an empty extra value',
      alice,
      { 'Impersonate-User': 'bob', 'Impersonate-Extra-a.io%2fb': '' },
      [on('user-info'), `${userInfo} authn:users bob`],
      403,
      `userextras.authentication.k8s.io is forbidden: ${cannot(userInfo, 'userextras')}: impersonating the empty string value in extra is not allowed`,
    ],
    [
      'the node of another pod',
      { ...agent, extra: { 'authentication.kubernetes.io/node-name': ['node-2'] } },
      { 'Impersonate-User': node },
      [on('associated-node'), 'impersonate:associated-node authn:nodes *', on('arbitrary-node')],
      403,
      `nodes.authentication.k8s.io "node-1" is forbidden: User "${account}" cannot impersonate:arbitrary-node resource "nodes" in API group "authentication.k8s.io" at the cluster scope: no rule`,
    ],
    [
      'a node to a user that only claims to run on it',
      { ...agent, name: 'mallory' },
      { 'Impersonate-User': node },
      [on('associated-node'), 'impersonate:associated-node authn:nodes *', on('arbitrary-node')],
      403,
      `nodes.authentication.k8s.io "node-1" is forbidden: User "mallory" cannot impersonate:arbitrary-node resource "nodes" in API group "authentication.k8s.io" at the cluster scope: no rule`,
    ],
    [
      'the node of its pod without permission, for whatever node',
      agent,
      { 'Impersonate-User': node },
      [on('associated-node')],
      403,
      `nodes.authentication.k8s.io "*" is forbidden: User "${account}" cannot impersonate:associated-node resource "nodes" in API group "authentication.k8s.io" at the cluster scope: no rule`,
    ],
    [
      'groups of nobody',
      alice,
      { 'Impersonate-Group': 'g' },
      [],
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
  ]
  for (const [title, by, headers, rights, status, message] of refused) {
    it(`refuses ${by.name} ${title}`, async () => {
      requestor = by
      allow(...rights)
      const answer = await ask(headers)
      assert.deepEqual([answer.status, answer.message], [status, message])
    })
  }

  it('a path that is no resource needs the verb for its method', async () => {
    allow('impersonate-on:user-info:get /version', `${userInfo} authn:users bob`)
    assert.equal((await ask({ 'Impersonate-User': 'bob' }, '/version')).status, 200)
    allow()
    assert.equal(
      (await ask({ 'Impersonate-User': 'carol' }, '/version')).message,
      'forbidden: User "alice" cannot impersonate-on:user-info:get path "/version": no rule',
    )
  })

  it('a user remains allowed for 10 s, while each other request is checked', async () => {
    allow(on('user-info'), `${on('user-info', 'get')} x`, `${userInfo} authn:users bob`)
    const headers = { 'Impersonate-User': 'bob' }
    const checks = async (path: string): Promise<string[]> => {
      reset()
      assert.equal((await ask(headers, path)).status, 200)
      assert.equal(constraint, userInfo)
      return asked
    }
    assert.deepEqual(await checks(pods), [on('user-info'), `${userInfo} authn:users bob`])
    assert.deepEqual(await checks(pods), [])
    assert.deepEqual(await checks(`${pods}?labelSelector=a`), [on('user-info')])
    assert.deepEqual(await checks(`${pods}/x`), [`${on('user-info', 'get')} x`])
    // The use of a decision does not prolong it.
    clock.advance(9_999)
    assert.deepEqual(await checks(`${pods}?labelSelector=b`), [on('user-info')])
    clock.advance(1)
    assert.deepEqual(await checks(pods), [on('user-info'), `${userInfo} authn:users bob`])
  })

  it('what one user is allowed is not allowed to another, nor with other groups', async () => {
    allow(on('user-info'), `${userInfo} authn:users bob`)
    assert.equal((await ask({ 'Impersonate-User': 'bob' })).status, 200)
    allow()
    requestor = { ...alice, name: 'eve' }
    assert.equal((await ask({ 'Impersonate-User': 'bob' })).status, 403)
    requestor = { ...alice, groups: [] }
    assert.equal((await ask({ 'Impersonate-User': 'bob' })).status, 403)
    requestor = alice
    assert.equal((await ask({ 'Impersonate-User': 'bob', 'Impersonate-Group': 'x' })).status, 403)
    assert.equal((await ask({ 'Impersonate-User': 'bob' })).status, 200)
  })

  it('an agent on every node is asked about once, without its node', async () => {
    allow(on('associated-node'), 'impersonate:associated-node authn:nodes *')
    requestor = agent
    assert.equal((await ask({ 'Impersonate-User': node })).user.name, node)
    const keys = ['authentication.kubernetes.io/node-name', 'authentication.kubernetes.io/pod-name']
    assert.deepEqual(extras[0], { 'authentication.kubernetes.io/associated-node-keys': keys })
    reset()
    requestor = {
      ...agent,
      extra: { [keys[0] ?? '']: ['node-2'], [keys[1] ?? '']: ['agent-y'] },
    }
    assert.equal((await ask({ 'Impersonate-User': 'system:node:node-2' })).user.name, 'system:node:node-2')
    assert.deepEqual(asked, [])
    // The cached decision does not make another node its own.
    assert.equal((await ask({ 'Impersonate-User': node })).status, 403)
  })

  it('the mode that a user needed is tried first, and another when that fails', async () => {
    allow('impersonate users bob')
    const headers = { 'Impersonate-User': 'bob' }
    assert.equal((await ask(headers)).status, 200)
    reset()
    assert.equal((await ask(headers)).status, 200)
    assert.deepEqual(asked, ['impersonate users bob'])
    allow(on('user-info'), `${userInfo} authn:users bob`)
    reset()
    assert.equal((await ask(headers)).status, 200)
    assert.deepEqual(asked, ['impersonate users bob', on('user-info'), `${userInfo} authn:users bob`])
    allow()
    clock.advance(10_000)
    reset()
    assert.match((await ask(headers)).message, /cannot impersonate-on:user-info:list/)
  })

  it('attempts and checks are counted by mode', async () => {
    allow('impersonate users bob')
    await ask({ 'Impersonate-User': 'bob' })
    await ask({ 'Impersonate-User': 'carol' })
    const text = (await metrics.exposition(metrics.formatFor(undefined))).body
    const counts = [...text.matchAll(/^apiserver_impersonation_(\w+_total)\{(.*)\} (\d+)$/gm)]
      .map(([, name, labels, value]) => `${name} ${labels} ${value}`)
      .filter((text) => !text.endsWith(' 0'))
      .sort()
    assert.deepEqual(counts, [
      'attempts_total decision="allowed",mode="legacy" 1',
      'attempts_total decision="denied",mode="" 1',
      'authorization_attempts_total decision="allowed",mode="legacy" 1',
      'authorization_attempts_total decision="denied",mode="legacy" 1',
      'authorization_attempts_total decision="denied",mode="user-info" 2',
    ])
    assert.match(text, /apiserver_impersonation_attempts_duration_seconds_bucket\{.*le="16.384"/)
  })

  it('an authorizer that fails allows nothing, and its error is not shown', async () => {
    allowed = () => {
      throw new Error('dial 10.0.0.1: refused')
    }
    const answer = await get1(port, pods, { headers: { 'Impersonate-User': 'bob' } })
    assert.ok(answer.status >= 403, String(answer.status))
    assert.ok(!answer.body.includes('10.0.0.1'))
  })
})
