import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type AuthorizationAttributes,
  createRbac,
  holderIndexesMax,
  indexFromGrants,
  type PolicyRule,
  type Rbac,
  RbacPolicy,
} from '../../../lib/authz/index.ts'
import { type Logger, silentLogger } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

const context = { signal: new AbortController().signal }
const jane = { name: 'jane', uid: '', groups: ['dev', 'system:authenticated'], extra: {} }

function asks(verb: string, what: string, namespace = '', name = ''): AuthorizationAttributes {
  const isResource = !what.startsWith('/')
  const [, resource = '', subresource = '', group = ''] = /^([^/.]*)(?:\/([^.]*))?(?:\.(.*))?$/.exec(what) ?? []
  const of = isResource ? { group, resource, subresource } : { group: '', resource: '', subresource: '' }
  return { user: jane, verb, isResource, path: isResource ? '' : what, version: 'v1', namespace, name, ...of }
}

const rule = (apiGroups: string[], resources: string[], verbs: string[], resourceNames: string[] = []): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
})

const object = (name: string, namespace: string, rest: object): ApiObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'any',
  metadata: { name, ...(namespace === '' ? {} : { namespace }) },
  ...rest,
})
const subject = (kind: string, name: string, namespace?: string) => ({
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
})
const bound = (kind: string, name: string, ...subjects: object[]) => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects,
})

function decide(rbac: Rbac, question: AuthorizationAttributes): string {
  const answer = rbac.authorizer.authorize(question, context)
  assert.equal(answer instanceof Promise, false)
  return 'decision' in answer ? `${answer.decision} ${answer.reason}`.trim() : ''
}

describe('rbac: what rules allow', () => {
  const cases: [PolicyRule, AuthorizationAttributes, boolean][] = [
    [rule([''], ['pods'], ['get']), asks('get', 'pods'), true],
    [rule([''], ['pods'], ['get']), asks('list', 'pods'), false],
    [rule([''], ['pods'], ['get']), asks('get', 'pods.apps'), false],
    [rule([''], ['pods'], ['get']), asks('get', 'pods/log'), false],
    [rule([''], ['pods/log'], ['get']), asks('get', 'pods/log'), true],
    [rule([''], ['pods/log'], ['get']), asks('get', 'pods'), false],
    [rule([''], ['pods/*'], ['get']), asks('get', 'pods/log'), false],
    [rule(['apps'], ['*/scale'], ['update']), asks('update', 'deployments/scale.apps'), true],
    [rule(['apps'], ['*/scale'], ['update']), asks('update', 'deployments.apps'), false],
    [rule(['apps'], ['*/scale'], ['update']), asks('update', 'deployments/status.apps'), false],
    [rule(['*'], ['*/scale'], ['update']), asks('update', 'deployments/scale.apps'), true],
    [rule(['*'], ['*'], ['*']), asks('anything', 'deployments/scale.apps', 'x', 'y'), true],
    [rule([''], ['*'], ['get']), asks('get', 'pods/log'), true],
    [rule(['*'], ['pods'], ['*']), asks('get', 'pods.metrics'), true],
    [rule([''], ['pods'], ['get'], ['a', 'b']), asks('get', 'pods', '', 'b'), true],
    [rule([''], ['pods'], ['get'], ['a', 'b']), asks('get', 'pods', '', 'c'), false],
    [rule([''], ['pods'], ['list'], ['a', 'b']), asks('list', 'pods'), false],
    [rule(['*'], ['*'], ['*']), asks('get', '/metrics'), false],
    [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, asks('get', '/metrics'), true],
    [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, asks('get', '/metrics/slis'), false],
    [{ verbs: ['get'], nonResourceURLs: ['/api/*'] }, asks('get', '/api/v1'), true],
    [{ verbs: ['get'], nonResourceURLs: ['/api/*'] }, asks('get', '/api'), false],
    [{ verbs: ['get'], nonResourceURLs: ['/api*'] }, asks('get', '/apis'), true],
    [{ verbs: ['*'], nonResourceURLs: ['*'] }, asks('post', '/x/y'), true],
    [{ verbs: ['*'], nonResourceURLs: ['*'] }, asks('get', 'pods'), false],
  ]
  for (const [given, question, allowed] of cases) {
    const { verb, path, resource, subresource, group, name } = question
    it(`${JSON.stringify(given)} ${allowed ? 'allows' : 'does not allow'} ${verb} ${path}${group}/${resource}/${subresource} ${name}`, () => {
      for (const spread of [1, indexFromGrants + 1]) {
        const rbac = createRbac({ log: silentLogger })
        rbac.listeners.clusterroles.set(object('r', '', { rules: [given] }))
        for (let at = 0; at < spread; at++)
          rbac.listeners.clusterrolebindings.set(
            object(`b${at}`, '', bound('ClusterRole', 'r', subject('Group', 'dev'))),
          )
        assert.equal(decide(rbac, question).startsWith('allow'), allowed)
      }
    })
  }

  it('searches a rule that is too wide for an index of its combinations', () => {
    const many = (prefix: string): string[] => Array.from({ length: 1000 }, (_, at) => `${prefix}${at}`)
    const rbac = createRbac({ log: silentLogger })
    rbac.listeners.clusterroles.set(object('r', '', { rules: [rule(many('g'), many('r'), many('v'), ['n'])] }))
    rbac.listeners.clusterrolebindings.set(object('b', '', bound('ClusterRole', 'r', subject('User', 'jane'))))
    assert.match(decide(rbac, asks('v9', 'r999.g7', 'ns', 'n')), /^allow/)
    for (const other of [
      asks('v9', 'r999.g7', 'ns', 'm'),
      asks('v', 'r999.g7', 'ns', 'n'),
      asks('v9', 'r999.g', '', 'n'),
    ])
      assert.equal(decide(rbac, other), 'no-opinion')
  })
})

describe('rbac: bindings', () => {
  let rbac: Rbac
  beforeEach(() => {
    rbac = createRbac({ log: silentLogger })
    rbac.listeners.clusterroles.set(object('reader', '', { rules: [rule([''], ['pods'], ['get'])] }))
    rbac.listeners.roles.set(object('reader', 'a', { rules: [rule([''], ['secrets'], ['get'])] }))
  })

  it('grant a cluster role everywhere, or in their namespace, and a role in its own', () => {
    const { rolebindings, clusterrolebindings } = rbac.listeners
    rolebindings.set(object('b', 'a', bound('ClusterRole', 'reader', subject('User', 'jane'))))
    const asked = (): string[] =>
      ['a', 'b', ''].map((namespace) => decide(rbac, asks('get', 'pods', namespace)).split(' ')[0] ?? '')
    assert.deepEqual(asked(), ['allow', 'no-opinion', 'no-opinion'])
    clusterrolebindings.set(object('b', '', bound('ClusterRole', 'reader', subject('User', 'jane'))))
    assert.deepEqual(asked(), ['allow', 'allow', 'allow'])
    clusterrolebindings.remove('', 'b')
    rolebindings.remove('a', 'b')
    assert.deepEqual(asked(), ['no-opinion', 'no-opinion', 'no-opinion'])
    rolebindings.set(object('b', 'a', bound('Role', 'reader', subject('User', 'jane'))))
    assert.match(decide(rbac, asks('get', 'secrets', 'a')), /^allow/)
    assert.equal(decide(rbac, asks('get', 'pods', 'a')), 'no-opinion')
  })

  const reasons: [string, string, object, string, string][] = [
    [
      '',
      'ClusterRole',
      subject('Group', 'dev'),
      'pods',
      'ClusterRoleBinding "b" of ClusterRole "reader" to Group "dev"',
    ],
    ['a', 'ClusterRole', subject('User', 'jane'), 'pods', 'RoleBinding "b/a" of ClusterRole "reader" to User "jane"'],
    ['a', 'Role', subject('Group', 'dev'), 'secrets', 'RoleBinding "b/a" of Role "reader" to Group "dev"'],
  ]
  for (const [namespace, kind, to, resource, reason] of reasons)
    it(`are named in the reason: ${reason}`, () => {
      const listener = namespace === '' ? rbac.listeners.clusterrolebindings : rbac.listeners.rolebindings
      listener.set(object('b', namespace, bound(kind, 'reader', to)))
      assert.equal(decide(rbac, asks('get', resource, 'a')), `allow RBAC: allowed by ${reason}`)
    })

  it('reach service accounts, of their own namespace when they name none', () => {
    rbac.listeners.rolebindings.set(
      object(
        'b',
        'a',
        bound('ClusterRole', 'reader', subject('ServiceAccount', 'x'), subject('ServiceAccount', 'y', 'c')),
      ),
    )
    const as = (name: string): string =>
      decide(rbac, { ...asks('get', 'pods', 'a'), user: { name, uid: '', groups: [], extra: {} } })
    const from = 'allow RBAC: allowed by RoleBinding "b/a" of ClusterRole "reader" to ServiceAccount'
    assert.equal(as('system:serviceaccount:a:x'), `${from} "x/a"`)
    assert.equal(as('system:serviceaccount:c:y'), `${from} "y/c"`)
    assert.equal(as('system:serviceaccount:c:x'), 'no-opinion')
    assert.equal(as('x'), 'no-opinion')
  })

  it('bindings to a missing role are named in the refusal, until the role exists', () => {
    const { clusterrolebindings, rolebindings, clusterroles } = rbac.listeners
    clusterrolebindings.set(
      object('b', '', bound('ClusterRole', 'none', subject('User', 'jane'), subject('Group', 'dev'))),
    )
    const missing = 'RBAC: clusterrole.rbac.authorization.k8s.io "none" not found'
    assert.equal(decide(rbac, asks('get', 'pods', 'a')), `no-opinion ${missing}`)
    rolebindings.set(object('c', 'a', bound('Role', 'none', subject('Group', 'dev'))))
    const both = `[${missing.slice(6)}, role.rbac.authorization.k8s.io "none" not found]`
    assert.equal(decide(rbac, asks('get', 'pods', 'a')), `no-opinion RBAC: ${both}`)
    rolebindings.remove('a', 'c')
    clusterroles.set(object('none', '', { rules: [rule([''], ['pods'], ['get'])] }))
    assert.match(decide(rbac, asks('get', 'pods', 'a')), /^allow/)
    clusterroles.remove('', 'none')
    assert.equal(decide(rbac, asks('get', 'pods', 'a')), `no-opinion ${missing}`)
    clusterrolebindings.remove('', 'b')
    assert.equal(decide(rbac, asks('get', 'pods', 'a')), 'no-opinion')
  })

  it('follow a role that changes', () => {
    for (let at = 0; at <= indexFromGrants; at++)
      rbac.listeners.clusterrolebindings.set(
        object(`b${at}`, '', bound('ClusterRole', 'reader', subject('User', 'jane'))),
      )
    assert.match(decide(rbac, asks('get', 'pods')), /^allow/)
    rbac.listeners.clusterroles.set(object('reader', '', { rules: [rule([''], ['nodes'], ['get'])] }))
    assert.equal(decide(rbac, asks('get', 'pods')), 'no-opinion')
    assert.match(decide(rbac, asks('get', 'nodes')), /^allow/)
  })

  it('are resolved to rules, each binding once', async () => {
    rbac.listeners.clusterrolebindings.set(
      object('b', '', bound('ClusterRole', 'reader', subject('User', 'jane'), subject('Group', 'dev'))),
    )
    rbac.listeners.rolebindings.set(object('c', 'a', bound('Role', 'reader', subject('User', 'jane'))))
    rbac.listeners.rolebindings.set(object('d', 'a', bound('Role', 'none', subject('User', 'jane'))))
    const of = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource], resourceNames: [] })
    assert.deepEqual(await rbac.authorizer.rulesFor(jane, 'a', context), {
      resourceRules: [of('pods'), of('secrets')],
      nonResourceRules: [],
      incomplete: false,
      errors: ['role.rbac.authorization.k8s.io "none" not found'],
    })
  })

  it('bindings without an effect are logged at level 5 only', () => {
    for (const [verbosity, lines] of [
      [4, 0],
      [5, 1],
    ] as const) {
      const said: string[] = []
      const log: Logger = {
        ...silentLogger,
        enabled: (level) => level <= verbosity,
        verbose: (level, message, fields) => void said.push(`${level} ${message} ${JSON.stringify(fields)}`),
      }
      decide(createRbac({ log }), asks('get', 'pods', 'a', 'p'))
      assert.equal(said.length, lines)
      for (const line of said) assert.match(line, /^5 RBAC: .*"user":"jane".*"verb":"get".*"resource":"pods"/)
    }
  })

  it('bindings of very many subjects keep no more indexes than the limit, and still decide', () => {
    const policy = new RbacPolicy()
    policy.setRole('', 'r', [rule([''], ['pods'], ['get'])])
    const action = { verb: 'get', group: '', forms: ['pods'], keys: ['/pods'], name: '', path: undefined }
    const users = Array.from({ length: holderIndexesMax + 50 }, (_, at) => `u${at}`)
    for (let at = 0; at < indexFromGrants; at++)
      policy.setBinding(
        '',
        `b${at}`,
        { apiGroup: '', kind: 'ClusterRole', name: 'r' },
        users.map((name) => subject('User', name)),
      )
    for (let round = 0; round < 2; round++)
      for (const name of users) assert.notEqual(policy.find({ ...jane, name }, action, ''), undefined)
  })
})

/** What the specification says, rule by rule. */
function allowsPlainly(
  given: PolicyRule,
  { isResource, verb, path, group, resource, subresource, name }: AuthorizationAttributes,
) {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = given
  if (!verbs.includes('*') && !verbs.includes(verb)) return false
  if (!isResource)
    return nonResourceURLs.some((url) => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))))
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return (
    (apiGroups.includes('*') || apiGroups.includes(group)) &&
    resources.some((each) => each === '*' || each === whole || (subresource !== '' && each === `*/${subresource}`)) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  )
}

describe('rbac: after any changes', () => {
  const some = (...values: string[]) => fc.subarray(values, { minLength: 1 })
  const rules = fc.array(
    fc.oneof(
      fc.record({
        verbs: some('get', 'list', '*'),
        apiGroups: some('', 'apps', '*'),
        resources: some('pods', 'pods/log', '*', '*/log'),
        resourceNames: fc.subarray(['a', 'b']),
      }),
      fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/x', '/x/*', '*') }),
    ),
    { maxLength: 3 },
  )
  const name = fc.constantFrom('1', '2', '3', '4', '5', '6')
  const namespace = fc.constantFrom('', 'a')
  const change = fc.oneof(
    fc.record({ what: fc.constant('role' as const), name, namespace, rules: fc.option(rules) }),
    fc.record({
      what: fc.constant('binding' as const),
      name,
      namespace,
      role: name,
      kind: fc.constantFrom('Role', 'ClusterRole'),
      subjects: fc.option(
        fc.array(
          fc.constantFrom(
            subject('User', 'jane'),
            subject('User', 'joe'),
            subject('Group', 'dev'),
            subject('Group', 'ops'),
            subject('ServiceAccount', 's', 'a'),
            subject('ServiceAccount', 's'),
          ),
          { maxLength: 4 },
        ),
      ),
    }),
  )
  const question = fc.record({
    name: fc.constantFrom('', 'a', 'c'),
    verb: fc.constantFrom('get', 'list', 'watch'),
    what: fc.constantFrom('pods', 'pods/log', 'pods.apps', 'nodes/log', '/x', '/x/y', '/z'),
    namespace: fc.constantFrom('', 'a', 'b'),
    user: fc.constantFrom('jane', 'system:serviceaccount:a:s'),
  })

  it('decides as a search through all of them would', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 25 }),
        fc.array(question, { minLength: 5, maxLength: 10 }),
        (changes, questions) => {
          const rbac = createRbac({ log: silentLogger })
          const roles = new Map<string, PolicyRule[]>()
          const bindings = new Map<
            string,
            { namespace: string; role: string; subjects: readonly { kind: string; name: string; namespace?: string }[] }
          >()
          const ask = (): void => {
            for (const { name: of, verb, what, namespace: at, user } of questions) {
              const asked = { ...asks(verb, what, what.startsWith('/') ? '' : at, of), user: { ...jane, name: user } }
              const expected = [...bindings.values()].some(
                (binding) =>
                  (binding.namespace === '' || binding.namespace === asked.namespace) &&
                  binding.subjects.some((each) =>
                    each.kind === 'Group'
                      ? jane.groups.includes(each.name)
                      : each.kind === 'User'
                        ? each.name === user
                        : user === `system:serviceaccount:${each.namespace ?? binding.namespace}:${each.name}`,
                  ) &&
                  (roles.get(binding.role) ?? []).some((each) => allowsPlainly(each, asked)),
              )
              assert.equal(decide(rbac, asked).startsWith('allow'), expected, JSON.stringify({ asked }))
            }
          }
          for (const step of changes) {
            const key = `${step.namespace}/${step.name}`
            if (step.what === 'role') {
              const listener = step.namespace === '' ? rbac.listeners.clusterroles : rbac.listeners.roles
              if (step.rules) {
                roles.set(key, step.rules)
                listener.set(object(step.name, step.namespace, { rules: step.rules }))
              } else if (roles.delete(key)) listener.remove(step.namespace, step.name)
            } else {
              const listener = step.namespace === '' ? rbac.listeners.clusterrolebindings : rbac.listeners.rolebindings
              const kind = step.namespace === '' ? 'ClusterRole' : step.kind
              if (step.subjects) {
                const role = `${kind === 'Role' ? step.namespace : ''}/${step.role}`
                bindings.set(key, { namespace: step.namespace, role, subjects: step.subjects })
                listener.set(object(step.name, step.namespace, bound(kind, step.role, ...step.subjects)))
              } else if (bindings.delete(key)) listener.remove(step.namespace, step.name)
            }
            if (bindings.size % 3 === 0) ask()
          }
          ask()
        },
      ),
      { numRuns: 300 },
    )
  })
})
