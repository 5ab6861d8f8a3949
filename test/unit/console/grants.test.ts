import assert from 'node:assert/strict'
import { type Binding, covers, grantsFor, type Role } from '../../../console/state/grants.ts'
import { type Owned, ownedBy } from '../../../console/state/ownedtree.ts'
import { ratePerSecond, readSamples } from '../../../console/state/series.ts'

describe('what the console derives from other objects', () => {
  it('a rule covers an action by verb, group, resource and name', () => {
    const rule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] }
    const action = { verb: 'get', group: 'apps', resource: 'deployments', name: 'web' }
    const cases: readonly [string, Parameters<typeof covers>[0], Parameters<typeof covers>[1], boolean][] = [
      ['the same', rule, action, true],
      ['another verb', rule, { ...action, verb: 'delete' }, false],
      ['another group', rule, { ...action, group: '' }, false],
      ['all', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, action, true],
      ['a name', { ...rule, resourceNames: ['web'] }, action, true],
      ['another name', { ...rule, resourceNames: ['db'] }, action, false],
      ['a subresource of all', { ...rule, resources: ['*/scale'] }, { ...action, resource: 'deployments/scale' }, true],
      ['a subresource without its rule', rule, { ...action, resource: 'deployments/scale' }, false],
      ['a rule of paths', { verbs: ['get'] }, action, false],
    ]
    for (const [title, given, asked, covered] of cases) assert.equal(covers(given, asked), covered, title)
  })

  it('grants name the subject, the binding and the role', () => {
    const roles: Role[] = [
      { kind: 'ClusterRole', name: 'view', rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
    ]
    const bindings: Binding[] = [
      {
        kind: 'RoleBinding',
        name: 'viewers',
        roleKind: 'ClusterRole',
        roleName: 'view',
        subjects: [
          { kind: 'User', name: 'alice' },
          { kind: 'ServiceAccount', name: 'ci', namespace: 'default' },
        ],
      },
      {
        kind: 'RoleBinding',
        name: 'dangling',
        roleKind: 'Role',
        roleName: 'view',
        subjects: [{ kind: 'User', name: 'bob' }],
      },
    ]
    assert.deepEqual(grantsFor({ verb: 'get', group: '', resource: 'pods', name: '' }, bindings, roles), [
      { subject: 'User alice', binding: 'RoleBinding viewers', role: 'ClusterRole view' },
      { subject: 'ServiceAccount default/ci', binding: 'RoleBinding viewers', role: 'ClusterRole view' },
    ])
  })

  it('a tree of owned objects ends, also where owners form a circle', () => {
    const all: Owned[] = [
      { uid: 'set', owners: ['deployment'] },
      { uid: 'pod', owners: ['set'] },
      { uid: 'a', owners: ['b'] },
      { uid: 'b', owners: ['a'] },
    ]
    assert.deepEqual(ownedBy('deployment', all), [{ object: all[0], children: [{ object: all[1], children: [] }] }])
    assert.equal(ownedBy('a', all).length, 1)
  })

  it('samples are summed over labels, and errors apart', () => {
    const names = new Set(['requests_total'])
    const text =
      '# HELP x\nrequests_total{code="200"} 5\nrequests_total{code="503"} 2\nother 9\nrequests_total_more 1\n'
    const before = readSamples(text, names)
    assert.deepEqual(
      [...before],
      [
        ['requests_total', 7],
        ['requests_total:5xx', 2],
      ],
    )
    const after = new Map([['requests_total', 17]])
    assert.equal(ratePerSecond('requests_total', before, after, 5), 2)
    assert.equal(ratePerSecond('requests_total', after, before, 5), 0)
  })
})
