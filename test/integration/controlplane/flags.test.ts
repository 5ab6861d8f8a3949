import { equal, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminToken } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { ask } from '../../support/plane.ts'

describe('flags that change what a server does', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'flags-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function withServer(
    flags: readonly string[],
    use: (server: Awaited<ReturnType<typeof startComposed>>) => Promise<void>,
  ): Promise<void> {
    const server = await startComposed(folder, flags)
    try {
      await use(server)
    } finally {
      await server.stop()
    }
  }

  for (const [gate, encoding] of [
    ['true', 'gzip'],
    ['false', undefined],
  ] as const)
    it(`compress large answers only with the gate APIResponseCompression (${gate})`, () =>
      withServer([`--feature-gates=APIResponseCompression=${gate}`], async ({ url }) => {
        const headers = { 'accept-encoding': 'gzip' }
        const path = '/api/v1/namespaces/default/configmaps'
        const body = { metadata: { name: 'large' }, data: { a: 'a'.repeat(300_000) } }
        equal((await ask(url, path, { token: adminToken, body })).status, 201)
        const list = await ask(url, path, { token: adminToken, headers })
        equal(list.headers['content-encoding'], encoding)
      }))

  it('serve authentication.k8s.io/v1beta1 where --runtime-config enables it', () =>
    withServer(['--runtime-config=authentication.k8s.io/v1beta1=true'], async ({ url }) => {
      const path = '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews'
      const body = { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' }
      const answer = await ask(url, path, { token: adminToken, body })
      equal(answer.status, 201)
      equal(answer.body.status.userInfo.username, 'admin')
    }))

  it('refuse an anonymous block in the authentication configuration beside --anonymous-auth', async () => {
    const file = join(folder, 'authentication.yaml')
    writeFileSync(
      file,
      'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\nanonymous:\n  enabled: true\n',
    )
    await withServer([`--authentication-config=${file}`, '--authorization-mode=RBAC'], async ({ url }) => {
      // The authorizer sees its roles a moment after they are stored.
      await eventually(async () => (await ask(url, '/version')).text.includes('gitVersion'), 'strangers may ask for it')
    })
    await rejects(
      startComposed(folder, [`--authentication-config=${file}`, '--anonymous-auth=true']),
      /--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file/,
    )
  })
})
