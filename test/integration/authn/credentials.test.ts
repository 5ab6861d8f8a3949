import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { keyPem, makeAnyCertificate, usageExtension } from '../../support/certificates.ts'
import { startComposed } from '../../support/composed.ts'
import { ask } from '../../support/plane.ts'

const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const secrets = '/api/v1/namespaces/kube-system/secrets'
const services = { clock: systemClock, random: systemRandom }
const base64 = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))

describe('credentials, served', () => {
  const folder = scratchFolder('credentials')
  const clients = createAuthority(services, { commonName: 'clients' })
  const proxies = createAuthority(services, { commonName: 'proxies' })
  let server: Apiserver

  before(async () => {
    writeFileSync(join(folder.path, 'clients.pem'), clients.certificate)
    writeFileSync(join(folder.path, 'proxies.pem'), proxies.certificate)
    server = await startComposed(folder.path, [
      '--enable-bootstrap-token-auth',
      `--client-ca-file=${join(folder.path, 'clients.pem')}`,
      `--requestheader-client-ca-file=${join(folder.path, 'proxies.pem')}`,
      '--requestheader-allowed-names=front-proxy',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-uid-headers=X-Remote-Uid',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ])
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  const who = async (options: Parameters<typeof ask>[2]): Promise<unknown> => {
    const answer = await ask(server.url, whoami, { ...options, body: {} })
    return answer.status === 201 ? answer.body.status.userInfo : answer.status
  }

  const secretText = '0123456789abcdef'
  const bootstrap: [string, Record<string, string>, string | undefined, string, number | object][] = [
    [
      'goodid',
      { 'auth-extra-groups': 'system:bootstrappers:workers,system:bootstrappers:a' },
      undefined,
      secretText,
      {
        username: 'system:bootstrap:goodid',
        groups: [
          'system:bootstrappers',
          'system:bootstrappers:a',
          'system:bootstrappers:workers',
          'system:authenticated',
        ],
      },
    ],
    ['badtxt', {}, undefined, 'fedcba9876543210', 401],
    ['oldone', { expiration: '2020-01-01T00:00:00Z' }, undefined, secretText, 401],
    ['notime', { expiration: 'soon' }, undefined, secretText, 401],
    ['signer', { 'usage-bootstrap-authentication': 'false' }, undefined, secretText, 401],
    ['groups', { 'auth-extra-groups': 'system:masters' }, undefined, secretText, 401],
    ['opaque', {}, 'Opaque', secretText, 401],
    ['wrong1', { 'token-id': 'wrong2' }, undefined, secretText, 401],
  ]
  for (const [id, data, type, text, expected] of bootstrap) {
    it(`a bootstrap token ${id}: ${typeof expected === 'number' ? 'refused' : 'accepted'}`, async () => {
      const made = await ask(server.url, secrets, {
        token: adminToken,
        body: {
          metadata: { name: `bootstrap-token-${id}` },
          type: type ?? 'bootstrap.kubernetes.io/token',
          data: base64({
            'token-id': id,
            'token-secret': secretText,
            'usage-bootstrap-authentication': 'true',
            ...data,
          }),
        },
      })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(await who({ token: `${id}.${text}` }), expected)
    })
  }

  const remote = {
    'X-Remote-User': 'ann',
    'X-Remote-Group': ['a, b', 'c'],
    'X-Remote-Uid': '7',
    'X-Remote-Extra-Acme%2fx': 'y',
  }
  const pairOf = (authority: typeof clients, commonName: string): { cert: string; key: string } => {
    const { certificate, key } = authority.issue({ commonName, organizations: ['dev'], usage: 'client' })
    return { cert: certificate, key }
  }
  const remoteUser = {
    username: 'ann',
    uid: '7',
    groups: ['a, b', 'c', 'system:authenticated'],
    extra: { 'acme/x': ['y'] },
  }

  it('trusts the headers of a front proxy', async () => {
    assert.deepEqual(await who({ ...pairOf(proxies, 'front-proxy'), headers: remote }), remoteUser)
  })
  it('distrusts headers from a client with another name, another authority, or no certificate', async () => {
    assert.equal(await who({ ...pairOf(proxies, 'other'), headers: remote }), 401)
    assert.equal(await who({ headers: remote }), 401)
    const client = (await who({ ...pairOf(clients, 'front-proxy'), headers: remote })) as { username: string }
    assert.equal(client.username, 'front-proxy')
  })
  it('accepts a client by its own certificate', async () => {
    const client = (await who(pairOf(clients, 'bob'))) as { username: string; groups: string[] }
    assert.deepEqual([client.username, client.groups], ['bob', ['dev', 'system:authenticated']])
  })
  it('accepts a client whose certificate is for any purpose', async () => {
    const issuer = { ...makeAnyCertificate({ subject: ['CN=clients'] }), key: createPrivateKey(clients.key) }
    const pairFor = (...usages: string[]) => {
      const { pem, key } = makeAnyCertificate({
        subject: ['O=dev', 'CN=eve'],
        issuer,
        extensions: [usageExtension(...usages)],
      })
      return { cert: pem, key: keyPem(key) }
    }
    const client = (await who(pairFor('2.5.29.37.0'))) as { username: string; groups: string[] }
    assert.deepEqual([client.username, client.groups], ['eve', ['dev', 'system:authenticated']])
    assert.equal(await who(pairFor('1.3.6.1.5.5.7.3.1')), 401)
  })
  it('authenticates nobody by the certificate of a proxy alone', async () => {
    assert.equal(await who(pairOf(proxies, 'front-proxy')), 401)
  })
  it('impersonates another user', async () => {
    const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': ['x', 'y'] }
    assert.deepEqual(await who({ token: adminToken, headers }), {
      username: 'bob',
      groups: ['x', 'y', 'system:authenticated'],
    })
  })
})
