import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../lib/base/index.ts'
import { type CredentialsFor, loadServerUsers } from '../../../lib/client/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'

describe('users of a kubeconfig that are named after servers', () => {
  const folder = scratchFolder('serverusers')
  after(() => folder.remove())
  const load = (names: readonly string[]): Promise<CredentialsFor> => {
    const path = join(folder.path, 'users.json')
    writeFileSync(path, JSON.stringify({ users: names.map((name) => ({ name, user: { token: name } })) }))
    return loadServerUsers({ clock: systemClock, environment: {} }, path)
  }
  const cases: [string, readonly string[], string, string | undefined][] = [
    ['the whole name before a pattern', ['*', '*.ns.svc', 'hook.ns.svc'], 'hook.ns.svc:443', 'hook.ns.svc'],
    ['the name with the port', ['hook.ns.svc', 'hook.ns.svc:8443'], 'hook.ns.svc:8443', 'hook.ns.svc:8443'],
    ['the name without it where it is 443 alone', ['hook.ns.svc'], 'hook.ns.svc:8443', undefined],
    ['the longest pattern', ['*.svc', '*.ns.svc'], 'hook.ns.svc:443', '*.ns.svc'],
    ['the pattern of any server', ['*'], 'a.example.com:1', '*'],
    ['no pattern that the name merely ends with', ['*.example.com'], 'example.com:443', undefined],
    ['no name of a prototype', ['a'], 'constructor:443', undefined],
  ]
  for (const [title, names, server, expected] of cases)
    it(`are found by ${title}`, async () => {
      const found = (await load(names))(server)
      assert.equal(found.authorization, expected === undefined ? undefined : `Bearer ${expected}`)
    })

  it('are refused where their credentials can not be used', async () => {
    const path = join(folder.path, 'bad.json')
    writeFileSync(path, JSON.stringify({ users: [{ name: 'a', user: { 'client-certificate': 'x' } }] }))
    await assert.rejects(
      loadServerUsers({ clock: systemClock, environment: {} }, path),
      /only one of client certificate/,
    )
  })
})
