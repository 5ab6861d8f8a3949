import assert from 'node:assert/strict'
import { contextsOf, isSameServer } from '../../../console/state/kubeconfig.ts'

describe('contexts of a kubeconfig in the console', () => {
  it('name server, user and credential; the current one comes first', () => {
    const file = {
      'current-context': 'b',
      clusters: [{ name: 'here', cluster: { server: 'https://here:6443/path' } }],
      contexts: ['a', 'b', 'c', 'd'].map((name) => ({
        name,
        context: { cluster: name === 'd' ? 'none' : 'here', user: name },
      })),
      users: [
        { name: 'a', user: { exec: { command: 'login' } } },
        { name: 'b', user: { token: 'secret' } },
        { name: 'c', user: { 'client-certificate': 'c.crt' } },
      ],
    }
    const shared = { server: 'https://here:6443', token: '', instead: undefined, isCurrent: false }
    assert.deepEqual(contextsOf(file), [
      { ...shared, name: 'b', user: 'b', token: 'secret', isCurrent: true },
      { ...shared, name: 'a', user: 'a', instead: 'program' },
      { ...shared, name: 'c', user: 'c', instead: 'certificate' },
      { ...shared, name: 'd', user: 'd', server: '' },
    ])
  })

  it('other documents have none, and broken parts are skipped', () => {
    for (const document of [null, 'text', [], {}, { users: 'x' }]) assert.equal(contextsOf(document), undefined)
    assert.deepEqual(contextsOf({ users: [null, { name: 'a' }], contexts: [{ name: 'a' }, 7], clusters: {} }), [])
  })

  it('at most a hundred are read', () => {
    const contexts = Array.from({ length: 200 }, (_, at) => ({ name: `c${at}`, context: {} }))
    assert.equal(contextsOf({ users: [], contexts })?.length, 100)
  })

  it('only equal origins, and names of this machine with one port, are one server', () => {
    const cases: readonly [string, string, boolean][] = [
      ['https://a:6443', 'https://a:6443', true],
      ['https://a:6443', 'https://b:6443', false],
      ['https://localhost:6443', 'https://127.0.0.1:6443', true],
      ['https://[::1]:6443', 'https://127.0.0.1:6443', true],
      ['https://localhost:6443', 'https://127.0.0.1:6444', false],
      ['https://127.0.0.1.example:6443', 'https://127.0.0.1:6443', false],
      ['', 'https://127.0.0.1:6443', false],
    ]
    for (const [a, b, same] of cases) assert.equal(isSameServer(a, b), same, `${a} ${b}`)
  })
})
