import assert from 'node:assert/strict'
import type { AuthorizationAttributes } from '../../../lib/authz/index.ts'
import { impersonate } from '../../../lib/server/index.ts'
import { get1, get2, type Running, run } from './support.ts'

describe('server: impersonation by the verb impersonate alone', () => {
  let running: Running
  let asked: string[] = []
  const authorizer = {
    name: 'test',
    authorize(attributes: AuthorizationAttributes) {
      const { verb, group, resource, subresource, namespace, name } = attributes
      if (verb !== 'impersonate') return { decision: 'allow' as const, reason: '' }
      asked.push([group, resource, subresource, namespace, name].join('/'))
      const decision = name === 'forbidden' ? ('no-opinion' as const) : ('allow' as const)
      return { decision, reason: decision === 'allow' ? '' : 'no rule' }
    },
  }
  before(async () => {
    running = await run(
      (call) => {
        const left = Object.keys(call.headers).filter((name) => name.startsWith('impersonate-') && call.headers[name])
        return call.responder.send(200, {}, Buffer.from(JSON.stringify({ user: call.user, left })))
      },
      {},
      { authorizer, impersonate: impersonate({ authorizer }) },
    )
  })
  after(async () => {
    await running.server.stop()
  })
  beforeEach(() => {
    asked = []
  })

  const path = '/api/v1/namespaces/default/pods'
  const taken: [string, Record<string, string | string[]>, object, string[]][] = [
    [
      'a user',
      { 'Impersonate-User': 'bob' },
      { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} },
      ['/users///bob'],
    ],
    [
      'a user of groups, one with a comma',
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['a, b', 'c'] },
      { name: 'bob', uid: '', groups: ['a, b', 'c', 'system:authenticated'], extra: {} },
      ['/users///bob', '/groups///a, b', '/groups///c'],
    ],
    [
      'the first of two users',
      { 'Impersonate-User': ['bob', 'root'] },
      { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} },
      ['/users///bob'],
    ],
    [
      'a user whose name has a comma',
      { 'Impersonate-User': 'a, b' },
      { name: 'a, b', uid: '', groups: ['system:authenticated'], extra: {} },
      ['/users///a, b'],
    ],
    [
      'the first of two uids',
      { 'Impersonate-User': 'bob', 'Impersonate-Uid': ['1', '2'] },
      { name: 'bob', uid: '1', groups: ['system:authenticated'], extra: {} },
      ['/users///bob', 'authentication.k8s.io/uids///1'],
    ],
    [
      'a service account',
      { 'Impersonate-User': 'system:serviceaccount:ns:ann' },
      {
        name: 'system:serviceaccount:ns:ann',
        uid: '',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        extra: {},
      },
      ['/serviceaccounts//ns/ann'],
    ],
    [
      'a service account of other groups',
      { 'Impersonate-User': 'system:serviceaccount:ns:ann', 'Impersonate-Group': 'only' },
      { name: 'system:serviceaccount:ns:ann', uid: '', groups: ['only', 'system:authenticated'], extra: {} },
      ['/serviceaccounts//ns/ann', '/groups///only'],
    ],
    [
      'uid and extra',
      { 'Impersonate-User': 'bob', 'Impersonate-Uid': '7', 'Impersonate-Extra-Acme.com%2fScope': ['x', 'y'] },
      { name: 'bob', uid: '7', groups: ['system:authenticated'], extra: { 'acme.com/scope': ['x', 'y'] } },
      [
        '/users///bob',
        'authentication.k8s.io/userextras/acme.com/scope//x',
        'authentication.k8s.io/userextras/acme.com/scope//y',
        'authentication.k8s.io/uids///7',
      ],
    ],
    [
      'nobody in particular',
      { 'Impersonate-User': 'system:anonymous' },
      { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} },
      ['/users///system:anonymous'],
    ],
    [
      'somebody who is unauthenticated',
      { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:unauthenticated' },
      { name: 'bob', uid: '', groups: ['system:unauthenticated'], extra: {} },
      ['/users///bob', '/groups///system:unauthenticated'],
    ],
  ]
  for (const [title, headers, user, checks] of taken) {
    it(`treats a request as that of ${title}`, async () => {
      const answer = await get1(running.port, path, { headers })
      assert.deepEqual(JSON.parse(answer.body), { user, left: [] })
      assert.deepEqual(asked, checks)
    })
  }

  it('reads repeated groups over HTTP/2', async () => {
    const headers = { 'impersonate-user': 'bob', 'impersonate-group': ['a', 'b'] }
    const answer = await get2(running.port, path, { headers })
    assert.deepEqual(JSON.parse(answer.body).user.groups, ['a', 'b', 'system:authenticated'])
  })

  const refused: [string, Record<string, string | string[]>, number, string][] = [
    [
      'a user',
      { 'Impersonate-User': 'forbidden' },
      403,
      'users "forbidden" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope: no rule',
    ],
    [
      'a group',
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['fine', 'forbidden'] },
      403,
      'groups "forbidden" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" at the cluster scope: no rule',
    ],
    [
      'a service account',
      { 'Impersonate-User': 'system:serviceaccount:ns:forbidden' },
      403,
      'serviceaccounts "forbidden" is forbidden: User "alice" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns": no rule',
    ],
    [
      'an extra value',
      { 'Impersonate-User': 'bob', 'Impersonate-Extra-scope': 'forbidden' },
      403,
      'userextras.authentication.k8s.io "forbidden" is forbidden: User "alice" cannot impersonate resource "userextras/scope" in API group "authentication.k8s.io" at the cluster scope: no rule',
    ],
    ['groups of nobody', { 'Impersonate-Group': 'g' }, 400, 'requested [{Group  g    }] without impersonating a user'],
  ]
  for (const [title, headers, status, message] of refused) {
    it(`refuses ${title}`, async () => {
      const answer = await get1(running.port, path, { headers })
      assert.deepEqual([answer.status, JSON.parse(answer.body).message], [status, message])
    })
  }
})
