import assert from 'node:assert/strict'
import { createAbacAuthorizer, parsePolicies } from '../../../lib/authz/index.ts'

const context = { signal: new AbortController().signal }
const v1 = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec })

/** `user[+group]... verb namespace/group/resource` or `user verb /path`. */
function ask(policies: string, line: string): string {
  const [who = '', verb = '', what = ''] = line.split(' ')
  const [name = '', ...groups] = who.split('+')
  const isResource = !/^\/[^/]/.test(what)
  const [namespace = '', group = '', resource = ''] = isResource ? what.split('/') : []
  const answer = createAbacAuthorizer(parsePolicies(policies).policies).authorize(
    {
      user: { name, uid: '', groups, extra: {} },
      verb,
      isResource,
      path: isResource ? '' : what,
      group,
      version: 'v1',
      resource,
      subresource: '',
      namespace,
      name: '',
    },
    context,
  )
  return 'decision' in answer ? `${answer.decision} ${answer.reason}`.trim() : ''
}

const no = 'no-opinion No policy matched.'
const alice = v1({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*' })
const reader = v1({ user: 'bob', namespace: 'ns', resource: 'pods', readonly: true })
const everybody = v1({ group: 'system:authenticated', readonly: true, nonResourcePath: '*' })
const both = v1({ user: 'carl', group: 'dev', namespace: '*', resource: '*', apiGroup: '*' })
const star = v1({ user: '*', namespace: '*', resource: 'pods' })
const path = v1({ user: 'dora', nonResourcePath: '/logs/*' })
const cases: [string, string, string][] = [
  [alice, 'alice create ns/apps/deployments', 'allow'],
  [alice, 'alice get //nodes', 'allow'],
  [alice, 'alice get /metrics', no],
  [alice, 'bob get ns//pods', no],
  [reader, 'bob list ns//pods', 'allow'],
  [reader, 'bob create ns//pods', no],
  [reader, 'bob get ns/apps/pods', no],
  [reader, 'bob get other//pods', no],
  [everybody, 'x+system:authenticated get /metrics', 'allow'],
  [everybody, 'x+system:authenticated post /metrics', no],
  [everybody, 'x get /metrics', no],
  [both, 'carl+dev get ns//pods', 'allow'],
  [both, 'carl get ns//pods', no],
  [both, 'joe+dev get ns//pods', no],
  [star, 'x+system:authenticated get ns//pods', 'allow'],
  [star, 'x+system:unauthenticated get ns//pods', no],
  [path, 'dora get /logs/a', 'allow'],
  [path, 'dora get /log', no],
  [v1({ namespace: '*', resource: '*', apiGroup: '*' }), 'x get ns//pods', no],
  ['{"user":"old"}', 'old delete ns/apps/deployments', 'allow'],
  ['{"user":"old"}', 'old get /metrics', 'allow'],
  ['{"user":"old","resource":"pods"}', 'old get /metrics', no],
  ['{"user":"old","resource":"pods","readonly":true}', 'old get ns//pods', 'allow'],
  ['{"resource":"pods"}', 'x+system:authenticated get ns//pods', 'allow'],
  ['{"resource":"pods"}', 'x get ns//pods', no],
  [`# comment\n\n${reader}\r\n${alice}`, 'alice get ns//pods', 'allow'],
]

describe('abac', () => {
  for (const [policies, line, expected] of cases)
    it(`${policies.replace(/"apiVersion":"[^"]*","kind":"Policy",/, '')}: ${line}: ${expected}`, () => {
      assert.equal(ask(policies, line), expected)
    })

  const wrong: [string, RegExp][] = [
    ['\n{', /^line 2: /],
    ['[]', /^line 1: not an object$/],
    ['{"kind":"Policy"}', /^line 1: neither of kind Policy/],
    [v1({ user: 1 }), /^line 1: user must be a string$/],
    [v1({ readonly: 'yes' }), /^line 1: readonly must be true or false$/],
  ]
  for (const [text, message] of wrong)
    it(`refuses ${text.trim()}`, () => {
      assert.throws(() => parsePolicies(text), { message })
    })

  it('reports lines of the older form', () => {
    assert.equal(parsePolicies(alice).unversioned, false)
    assert.equal(parsePolicies(`${alice}\n{"user":"x"}`).unversioned, true)
  })

  it('lists what a user may do in a namespace', async () => {
    const authorizer = createAbacAuthorizer(parsePolicies([alice, reader, path].join('\n')).policies)
    const rulesOf = async (name: string, namespace: string) => {
      const found = await authorizer.rulesFor({ name, uid: '', groups: [], extra: {} }, namespace, context)
      return [
        ...found.resourceRules.map((rule) => [rule.verbs, rule.apiGroups, rule.resources]),
        ...found.nonResourceRules,
      ]
    }
    assert.deepEqual(await rulesOf('bob', 'ns'), [[['get', 'list', 'watch'], [''], ['pods']]])
    assert.deepEqual(await rulesOf('bob', 'other'), [])
    assert.deepEqual(await rulesOf('alice', 'other'), [[['*'], ['*'], ['*']]])
  })
})
