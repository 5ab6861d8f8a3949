import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { as } from './support.ts'

interface Review {
  apiVersion: string
  spec: { user: string; resourceAttributes?: { resource: string }; group?: string[]; groups?: string[] }
}

/** A webhook that allows and denies users by their names. */
async function startWebhook(): Promise<{ server: Server; reviews: Review[]; url: string }> {
  const reviews: Review[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const review = JSON.parse(text) as Review
      reviews.push(review)
      const { user } = review.spec
      const status = { allowed: user === 'wanda', denied: user === 'walt', reason: `it is ${user}` }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...review, status }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, reviews, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/authorize` }
}

describe('authorization modes', function () {
  this.timeout(120_000)
  let folder: ReturnType<typeof scratchFolder>
  let webhook: Awaited<ReturnType<typeof startWebhook>>
  let kubeconfig: string
  before(async () => {
    folder = scratchFolder('modes')
    webhook = await startWebhook()
    kubeconfig = join(folder.path, 'webhook.json')
    const cluster = { name: 'hook', cluster: { server: webhook.url } }
    const context = { name: 'hook', context: { cluster: 'hook', user: 'hook' } }
    const user = { name: 'hook', user: { token: 'secret' } }
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        kind: 'Config',
        clusters: [cluster],
        users: [user],
        contexts: [context],
        'current-context': 'hook',
      }),
    )
  })
  after(async () => {
    await new Promise((resolve) => webhook.server.close(resolve))
    folder.remove()
  })
  beforeEach(() => {
    webhook.reviews.length = 0
  })

  const withServer = async (flags: string[], run: (server: Apiserver) => Promise<void>): Promise<void> => {
    const server = await startComposed(folder.path, flags)
    try {
      await run(server)
    } finally {
      await server.stop()
    }
  }
  const pods = '/api/v1/namespaces/default/pods'

  it('decide in their order: ABAC, then a webhook, each answer cached or not', async () => {
    const policies = join(folder.path, 'policies.jsonl')
    const spec = { user: 'alice', namespace: '*', resource: 'pods', apiGroup: '' }
    writeFileSync(
      policies,
      JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec }),
    )
    const flags = [
      '--authorization-mode=ABAC,Webhook',
      `--authorization-policy-file=${policies}`,
      `--authorization-webhook-config-file=${kubeconfig}`,
    ]
    await withServer(flags, async (server) => {
      assert.equal((await as(server, 'alice', pods)).status, 200)
      assert.equal(webhook.reviews.length, 0)
      for (let time = 0; time < 3; time++) assert.equal((await as(server, 'wanda', pods)).status, 200)
      const refused = await as(server, 'walt', pods)
      assert.equal(refused.status, 403)
      assert.match(refused.json.message ?? '', /in the namespace "default": it is walt$/)
      const undecided = await as(server, 'joe', pods)
      assert.match(undecided.json.message ?? '', /: No policy matched\.\nit is joe$/)
      assert.deepEqual(
        webhook.reviews.map(({ apiVersion, spec: { user, group } }) => [apiVersion, user, group]),
        ['wanda', 'walt', 'joe'].map((user) => ['authorization.k8s.io/v1beta1', user, ['system:authenticated']]),
      )
    })
  })

  it('modes of a file are reloaded when it changes', async () => {
    const file = join(folder.path, 'authorization.yaml')
    const config = (condition: string): string => `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: RBAC
  name: rbac
- type: Webhook
  name: hook
  webhook:
    timeout: 2s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: { type: KubeConfigFile, kubeConfigFile: ${kubeconfig} }
    matchConditions:
    - expression: ${condition}
`
    writeFileSync(file, config("request.user == 'nobody'"))
    await withServer([`--authorization-config=${file}`], async (server) => {
      await eventuallyEquals(async () => (await as(server, 'wanda', '/api')).status, 200, 'the default roles')
      assert.equal((await as(server, 'wanda', pods)).status, 403)
      assert.equal(webhook.reviews.length, 0)
      writeFileSync(file, config("request.user == 'wanda'"))
      await eventuallyEquals(async () => (await as(server, 'wanda', pods)).status, 200, 'the new file')
      assert.equal(webhook.reviews.at(-1)?.apiVersion, 'authorization.k8s.io/v1')
    })
  })

  it('Node authorizes an agent for what its pods need, and NodeRestriction restricts it to its own objects', async () => {
    // No controller makes the account that pods run as.
    const flags = [
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--disable-admission-plugins=ServiceAccount',
    ]
    await withServer(flags, async (server) => {
      const post = async (path: string, body: object) => {
        const answer = await as(server, '', path, { method: 'POST', body })
        assert.equal(answer.status, 201, JSON.stringify(answer.json))
      }
      const agent = async (path: string, options: { method?: string; body?: object } = {}) =>
        await as(server, 'system:node:n1', path, { groups: ['system:nodes'], ...options })
      const secret = '/api/v1/namespaces/default/secrets/s'
      await post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } })
      assert.equal((await agent(secret)).status, 403)
      await post(pods, {
        metadata: { name: 'p' },
        spec: {
          nodeName: 'n1',
          containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 's' } }] }],
        },
      })
      let status = 403
      for (let wait = 0; wait < 20 && status === 403; wait++) ({ status } = await agent(secret))
      assert.equal(status, 200)
      const other = await as(server, 'system:node:n2', secret, { groups: ['system:nodes'] })
      assert.equal(
        other.json.message,
        `secrets "s" is forbidden: User "system:node:n2" cannot get resource "secrets" in API group "" in the namespace "default": no relationship found between node 'n2' and this object`,
      )
      assert.equal((await agent('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1')).status, 200)
      assert.equal((await agent('/api/v1/pods')).status, 403)
      const made = await agent(pods, {
        method: 'POST',
        body: { metadata: { name: 'q' }, spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] } },
      })
      assert.equal(
        made.json.message,
        'pods "q" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
      )
      await as(server, '', `${pods}/p?gracePeriodSeconds=0`, { method: 'DELETE' })
      for (let wait = 0; wait < 20 && status === 200; wait++) ({ status } = await agent(secret))
      assert.equal(status, 403)
    })
  })

  const refused: [string[], string][] = [
    [
      ['--authorization-config=/x', '--authorization-mode=RBAC'],
      '--authorization-config and --authorization-mode exclude each other',
    ],
    [
      ['--authorization-config=/x', '--authorization-webhook-version=v1'],
      '--authorization-config and --authorization-webhook-version exclude each other',
    ],
    [['--authorization-config=/nowhere'], '--authorization-config: /nowhere: no such file or folder'],
    [['--authorization-mode=RBAC,RBAC'], '--authorization-mode names RBAC twice'],
    [['--authorization-mode=ABAC'], '--authorization-mode=ABAC needs --authorization-policy-file'],
    [['--authorization-policy-file=/x'], '--authorization-policy-file needs --authorization-mode=ABAC'],
    [['--authorization-mode=Webhook'], '--authorization-mode=Webhook needs --authorization-webhook-config-file'],
    [
      ['--authorization-webhook-config-file=/x'],
      '--authorization-webhook-config-file needs --authorization-mode=Webhook',
    ],
    [['--authorization-webhook-version=v2'], '--authorization-webhook-version: "v2" is none of v1, v1beta1'],
    [
      ['--authorization-mode=Webhook', '--authorization-webhook-config-file=/nowhere'],
      "the authorizers can't be made: /nowhere: no such file or folder",
    ],
  ]
  for (const [line, message] of refused)
    it(`refuses ${line.join(' ')}`, async () => {
      // How the program prints it is tested with its other flags.
      await assert.rejects(startComposed(folder.path, line), { message })
    })
})
