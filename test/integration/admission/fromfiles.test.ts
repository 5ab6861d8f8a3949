import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type HookServer, patchOf, startHookServer } from '../../support/hookserver.ts'
import { type Answer, ask } from '../../support/plane.ts'

const gate = ['--emulated-version=1.36', '--feature-gates=ManifestBasedAdmissionControlConfig=true']
const registration = '/apis/admissionregistration.k8s.io/v1'
const kinds = {
  ValidatingAdmissionPolicy: 'ValidatingAdmissionPolicyConfiguration',
  MutatingAdmissionPolicy: 'MutatingAdmissionPolicyConfiguration',
  ValidatingAdmissionWebhook: 'WebhookAdmissionConfiguration',
  MutatingAdmissionWebhook: 'WebhookAdmissionConfiguration',
} as const

const matches = (resource: string, group = '') => ({
  resourceRules: [{ operations: ['CREATE'], apiGroups: [group], apiVersions: ['*'], resources: [resource] }],
})
const object = (kind: string, name: string, more: object) =>
  JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, ...more })

/** A validating policy that refuses with `message`, and its binding. */
function refusing(name: string, message: string, matchConstraints: object, expression = 'false'): string {
  const policy = { spec: { matchConstraints, validations: [{ expression, message }] } }
  const binding = { spec: { policyName: name, validationActions: ['Deny'] } }
  return [
    object('ValidatingAdmissionPolicy', name, policy),
    object('ValidatingAdmissionPolicyBinding', name, binding),
  ].join('\n---\n')
}

describe('webhooks and policies from files of a whole server', function () {
  this.timeout(60_000)
  const folder = scratchFolder('fromfiles')
  const metrics = createMetrics()
  let server: Apiserver
  let hooks: HookServer
  const file = (plugin: keyof typeof kinds, name: string, text: string): void =>
    writeFileSync(join(folder.path, plugin, name), text)

  function configuration(folders: Readonly<Record<string, string>>): string {
    const plugins = Object.entries(folders).map(([name, staticManifestsDir]) => ({
      name,
      configuration: {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: kinds[name as keyof typeof kinds],
        staticManifestsDir,
      },
    }))
    const path = join(folder.path, 'admission.json')
    const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' }
    writeFileSync(path, JSON.stringify({ ...head, plugins }))
    return `--admission-control-config-file=${path}`
  }
  const allFolders = () => Object.fromEntries(Object.keys(kinds).map((name) => [name, join(folder.path, name)]))

  before(async () => {
    hooks = await startHookServer()
    for (const plugin of Object.keys(kinds)) mkdirSync(join(folder.path, plugin))
    const hook = (path: string, more: object = {}) => ({
      name: `${path}.example.com`,
      clientConfig: { url: `${hooks.url}/${path}`, caBundle: hooks.caBundle },
      rules: matches('configmaps').resourceRules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    })
    hooks.on('/labels', () => ({
      response: { allowed: true, ...patchOf({ op: 'add', path: '/metadata/labels', value: { hook: 'yes' } }) },
    }))
    hooks.on('/judge', ({ request }) => ({
      response: { allowed: (request['object'] as { data?: { hook?: string } }).data?.hook !== 'no' },
    }))
    const mutating = { webhooks: [hook('labels')] }
    file('MutatingAdmissionWebhook', 'a.json', object('MutatingWebhookConfiguration', 'a.static.k8s.io', mutating))
    const validating = { webhooks: [hook('judge')] }
    file('ValidatingAdmissionWebhook', 'a.yml', object('ValidatingWebhookConfiguration', 'a.static.k8s.io', validating))
    file('ValidatingAdmissionPolicy', 'a.yaml', refusing('a.static.k8s.io', 'no secrets', matches('secrets')))
    file(
      'ValidatingAdmissionPolicy',
      'b.yaml',
      refusing(
        'b.static.k8s.io',
        'guarded',
        matches('*', 'admissionregistration.k8s.io'),
        'object.metadata.name != "guarded"',
      ),
    )
    file('ValidatingAdmissionPolicy', 'ignored.txt', 'not: [read')
    const expression = 'Object{metadata: Object.metadata{annotations: {"policy": "yes"}}}'
    const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
    const spec = { matchConstraints: matches('configmaps'), reinvocationPolicy: 'Never', mutations: [mutation] }
    const policy = object('MutatingAdmissionPolicy', 'a.static.k8s.io', { spec })
    const bound = object('MutatingAdmissionPolicyBinding', 'a.static.k8s.io', {
      spec: { policyName: 'a.static.k8s.io' },
    })
    file('MutatingAdmissionPolicy', 'a.yaml', `${policy}\n---\n${bound}`)
    server = await startComposed(folder.path, [...gate, configuration(allFolders())], { metrics })
  })
  after(async () => {
    await server.stop()
    await hooks.close()
    folder.remove()
  })

  const call = (path: string, options: Omit<NonNullable<Parameters<typeof ask>[2]>, 'token'> = {}): Promise<Answer> =>
    ask(server.url, path, { ...options, token: adminToken })
  const create = (resource: string, body: object): Promise<Answer> =>
    call(`/api/v1/namespaces/default/${resource}?dryRun=All`, { body })

  it('decide about writes: policies and webhooks, changing and judging', async () => {
    const secret = await create('secrets', { metadata: { name: 's' } })
    assert.equal(secret.status, 422)
    const told = "ValidatingAdmissionPolicy 'a.static.k8s.io' with binding 'a.static.k8s.io' denied request: no secrets"
    assert.equal(secret.body.message, `secrets "s" is forbidden: ${told}`)
    const map = await create('configmaps', { metadata: { name: 'c' } })
    assert.equal(map.status, 201, map.text)
    const { labels, annotations } = map.body['metadata'] as Record<string, unknown>
    assert.deepEqual([labels, annotations], [{ hook: 'yes' }, { policy: 'yes' }])
    const refused = await create('configmaps', { metadata: { name: 'c' }, data: { hook: 'no' } })
    assert.match(refused.body.message, /admission webhook "judge\.example\.com" denied the request/)
  })

  it('decide about webhook configurations and policies, too, which API webhooks and policies never do', async () => {
    const policy = (name: string) => ({
      metadata: { name },
      spec: { matchConstraints: matches('*', '*'), validations: [{ expression: 'false' }] },
    })
    const plural = `${registration}/validatingadmissionpolicies`
    const refused = await call(plural, { body: policy('guarded') })
    assert.match(refused.body.message, /with binding 'b\.static\.k8s\.io' denied request: guarded$/)
    assert.equal((await call(`${plural}?dryRun=All`, { body: policy('free') })).status, 201)
  })

  it('have names that clients may not use', async () => {
    const body = {
      metadata: { name: 'x.static.k8s.io' },
      spec: { policyName: 'p', validationActions: ['Deny'] },
    }
    const { status, body: answer } = await call(`${registration}/validatingadmissionpolicybindings`, { body })
    assert.equal(status, 422)
    assert.match(
      answer.message,
      /metadata\.name: Invalid value: "x\.static\.k8s\.io": names ending with "\.static\.k8s\.io" are reserved for static manifest-based configurations and cannot be managed via the API$/,
    )
  })

  it('are read again when files change; bad ones are refused and counted, and the last good ones stay', async () => {
    const name = 'apiserver_manifest_admission_config_controller_automatic_reloads_total'
    const isCounted = async (status: string): Promise<boolean> => {
      const { body } = await metrics.exposition('text', [name])
      const lines = body.split('\n')
      return lines.some(
        (line) => line.includes('plugin="ValidatingAdmissionPolicy"') && line.endsWith(`status="${status}"} 1`),
      )
    }
    file('ValidatingAdmissionPolicy', 'a.yaml', 'kind: [')
    await eventually(() => isCounted('failure'), 'the bad file is refused', 15_000)
    assert.equal((await create('secrets', { metadata: { name: 's' } })).status, 422)
    file('ValidatingAdmissionPolicy', 'a.yaml', refusing('a.static.k8s.io', 'no events', matches('services')))
    await eventually(() => isCounted('success'), 'the new file is taken', 15_000)
    assert.equal((await create('secrets', { metadata: { name: 's' } })).status, 201)
    rmSync(join(folder.path, 'ValidatingAdmissionPolicy', 'a.yaml'))
    const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }
    await eventuallyEquals(async () => (await create('services', service)).status, 201, 'its policy is gone', 15_000)
  })

  const starting: readonly (readonly [title: string, flags: () => readonly string[], message: RegExp])[] = [
    [
      'without the gate',
      () => [configuration({ MutatingAdmissionWebhook: folder.path })],
      /MutatingAdmissionWebhook: staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled$/,
    ],
    [
      'with a path that is not absolute',
      () => [...gate, configuration({ MutatingAdmissionWebhook: 'here' })],
      /staticManifestsDir: Invalid value: "here": must be an absolute file path$/,
    ],
    [
      'with a path that is not there',
      () => [...gate, configuration({ ValidatingAdmissionPolicy: '/nowhere/at/all' })],
      /staticManifestsDir: Invalid value: "\/nowhere\/at\/all": unable to read: no such file or folder$/,
    ],
    [
      'with a file for a folder',
      () => [...gate, configuration({ ValidatingAdmissionPolicy: join(folder.path, 'admission.json') })],
      /must be a directory$/,
    ],
    [
      'with a file that has another kind',
      () => [...gate, configuration({ ValidatingAdmissionPolicy: join(folder.path, 'MutatingAdmissionPolicy') })],
      /^failed to load static policy manifests from ".*": file ".*a\.yaml" has an object of /,
    ],
  ]
  for (const [title, flags, message] of starting)
    it(`don't let a server start ${title}`, async () => {
      await assert.rejects(startComposed(folder.path, flags()), (error: Error) => {
        assert.match(error.message, message)
        return true
      })
    })

  it('log a warning about their names where the gate is off', async () => {
    const plain = await startComposed(folder.path, [])
    try {
      const body = { metadata: { name: 'x.static.k8s.io' }, webhooks: [] }
      const answer = await ask(plain.url, `${registration}/validatingwebhookconfigurations`, {
        body,
        token: adminToken,
      })
      assert.equal(answer.status, 201)
      assert.match(
        String(answer.headers['warning']),
        /metadata\.name: names ending with \\"\.static\.k8s\.io\\" are reserved/,
      )
    } finally {
      await plain.stop()
    }
  })
})
