import assert from 'node:assert/strict'
import { createSeededRandom, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createAuthority, encodePem, readSigningRequest, signRequest } from '../../../lib/pki/index.ts'
import { type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually } from '../../support/eventually.ts'
import { valid } from '../../support/valid/PodCertificateRequest.ts'
import { as, binding, group, role } from './support.ts'

const requests = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests'

describe('authorization: certificates of pods', () => {
  let folder: ReturnType<typeof scratchFolder>
  let server: ServerProcess
  before(async () => {
    folder = scratchFolder('podcertificates')
    const flags = [
      '--storage-backend=memory',
      '--runtime-config=certificates.k8s.io/v1beta1=true',
      '--feature-gates=PodCertificateRequest=true',
    ]
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
  })
  after(async () => {
    await server?.stop()
    folder?.remove()
  })

  async function asked(
    path: string,
    body: object,
    user = '',
    patches = false,
  ): Promise<Awaited<ReturnType<typeof as>>> {
    const type = patches ? 'application/merge-patch+json' : 'application/json'
    return await as(server, user, path, { method: patches ? 'PATCH' : 'POST', body, type })
  }

  async function grant(name: string, rule: object): Promise<void> {
    await asked(`${group}/clusterroles`, role(name, rule))
    const { status } = await asked(`${group}/clusterrolebindings`, binding(name, 'ClusterRole', name, 'signer'))
    assert.equal(status, 201)
  }

  /** As a signer would: its certificate is valid from now on, to the second. */
  function issued(): object {
    const nowMs = Math.floor(systemClock.now() / 1000) * 1000
    const [hourMs, { stubPKCS10Request }] = [3_600_000, valid['spec'] as { stubPKCS10Request: string }]
    const request = readSigningRequest(encodePem('CERTIFICATE REQUEST', Buffer.from(stubPKCS10Request, 'base64')))
    const terms = { usages: ['client auth'], notBeforeMs: nowMs, notAfterMs: nowMs + hourMs }
    const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'a' })
    const time = (ms: number): string => new Date(ms).toISOString()
    return {
      conditions: [{ type: 'Issued', status: 'True', reason: 'Signed' }],
      certificateChain: signRequest(createSeededRandom(1), request, authority, terms),
      notBefore: time(nowMs),
      notAfter: time(nowMs + hourMs),
      beginRefreshAt: time(nowMs + hourMs / 2),
    }
  }

  it('setting a certificate needs the verb sign for the signer, refusing a request does not', async () => {
    for (const name of ['a', 'b']) {
      const { status, json } = await asked(requests, { ...valid, metadata: { name } })
      assert.equal(status, 201, String(json.message))
    }
    const resources = ['podcertificaterequests/status']
    await grant('status', { apiGroups: ['certificates.k8s.io'], resources, verbs: ['patch'] })
    const set = (name: string, status: object) => asked(`${requests}/${name}/status`, { status }, 'signer', true)
    await eventually(async () => (await set('none', {})).status === 404, 'the role is in force')
    const refused = await set('a', issued())
    assert.deepEqual(
      [refused.status, (refused.json.details as { causes?: unknown } | undefined)?.causes],
      [
        422,
        [
          {
            reason: 'FieldValueForbidden',
            message: 'Forbidden: User "signer" is not permitted to "sign" for signer "example.com/signer"',
            field: 'spec.signerName',
          },
        ],
      ],
    )
    const denied = await set('b', { conditions: [{ type: 'Denied', status: 'True', reason: 'No' }] })
    assert.equal(denied.status, 200, String(denied.json.message))
    await grant('sign', {
      apiGroups: ['certificates.k8s.io'],
      resources: ['signers'],
      resourceNames: ['example.com/*'],
      verbs: ['sign'],
    })
    await eventually(async () => (await set('a', issued())).status === 200, 'the certificate is set')
  })

  it('requests are found by signer, pod and node', async () => {
    for (const [selector, count] of [
      ['spec.signerName=example.com/signer', 2],
      ['spec.podName=web-0,spec.nodeName=node-1', 2],
      ['spec.nodeName=node-2', 0],
    ] as const) {
      const { json } = await as(server, '', `${requests}?fieldSelector=${encodeURIComponent(selector)}`)
      assert.equal((json['items'] as unknown[]).length, count, selector)
    }
  })
})
