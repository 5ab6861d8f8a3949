import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, request, scratchFolder, startServer } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { ask } from '../../support/plane.ts'

const policy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  nonResourceURLs: ["/healthz*", "/readyz", "/api", "/apis*"]
- level: RequestResponse
  omitManagedFields: true
  resources:
  - group: ""
    resources: [configmaps, serviceaccounts/token]
  - group: authentication.k8s.io
- level: Metadata
  resources: [{group: "", resources: [secrets]}]
  namespaces: [kube-public]
- level: Request
  resources: [{group: "", resources: [secrets]}]
  omitStages: [ResponseStarted]
- level: Metadata
`

const ofResources = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, resources: [{group: ""}]}]\n'

// oxlint-disable-next-line typescript/no-explicit-any -- events of any shape
type Event = Record<string, any>

describe('audit, served', () => {
  const folder = scratchFolder('audit')
  const logFile = join(folder.path, 'audit.log')
  const received: Event[] = []
  let failures = 2
  let hook: Server
  let server: Apiserver

  before(async () => {
    hook = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', () => {
        // Fails twice, so that a batch has to be sent again.
        if (failures-- > 0) return response.writeHead(500).end()
        received.push(...JSON.parse(text).items)
        return response.writeHead(200).end('{}')
      })
    })
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const address = hook.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    writeFileSync(join(folder.path, 'policy.yaml'), policy)
    writeFileSync(
      join(folder.path, 'hook.yaml'),
      `clusters: [{name: a, cluster: {server: "http://127.0.0.1:${port}/audit"}}]\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n`,
    )
    server = await startComposed(folder.path, [
      `--audit-policy-file=${join(folder.path, 'policy.yaml')}`,
      `--audit-log-path=${logFile}`,
      `--audit-webhook-config-file=${join(folder.path, 'hook.yaml')}`,
      '--audit-webhook-initial-backoff=10ms',
      '--audit-webhook-batch-max-wait=50ms',
    ])
  })
  after(async () => {
    hook.close()
    folder.remove()
  })

  const admin = async (path: string, body?: unknown, options: Parameters<typeof ask>[2] = {}) =>
    await ask(server.url, path, { token: adminToken, body, ...options })
  /** Events of a request, as the log has them. */
  const eventsOf = async (id: string, count = 1): Promise<Event[]> => {
    const logged = (): Event[] =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .slice(0, -1) // behind the last line, nothing or what is being written
        .map((line): Event => JSON.parse(line))
        .filter((event) => event['auditID'] === id)
    await eventually(() => logged().length >= count, `${count} events of ${id}`)
    // Those too many would be before the event of a later request.
    const { headers } = await admin('/version')
    await eventually(() => readFileSync(logFile, 'utf8').includes(String(headers['audit-id'])), 'a later event')
    return logged()
  }
  const configMaps = '/api/v1/namespaces/default/configmaps'

  it('records who requested what, and the outcome', async () => {
    const answer = await admin('/api/v1/namespaces/default/pods?limit=5', undefined, {
      headers: { 'Audit-ID': 'one', 'User-Agent': 'test/1', 'X-Forwarded-For': '10.1.2.3, nonsense' },
    })
    assert.equal(answer.headers['audit-id'], 'one')
    const [event, ...more] = await eventsOf('one')
    assert.deepEqual(more, [])
    const { requestReceivedTimestamp, stageTimestamp, ...rest } = event ?? {}
    assert.match(`${requestReceivedTimestamp} ${stageTimestamp}`, /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z ?){2}$/)
    assert.deepEqual(rest, {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'one',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/default/pods?limit=5',
      verb: 'list',
      user: { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['10.1.2.3', '127.0.0.1'],
      userAgent: 'test/1',
      objectRef: { resource: 'pods', namespace: 'default', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 200 },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    })
  })

  it('shows a list of megabytes that is otherwise streamed', async () => {
    const data = { text: 'x'.repeat(10_000) }
    for (let i = 0; i < 40; i++)
      await admin(configMaps, { metadata: { name: `long-${i}`, labels: { long: 'yes' } }, data })
    const headers = { 'Audit-ID': 'long' }
    const answer = await admin(`${configMaps}?labelSelector=long%3Dyes`, undefined, { headers })
    assert.equal(answer.status, 200)
    const [event] = await eventsOf('long')
    assert.equal(event?.['responseObject'].items.length, 40)
    assert.equal(event?.['responseObject'].items[39].data.text, data.text)
  })

  it('shows the collection that a client in this process has deleted without a list in the answer', async () => {
    const namespace = '/api/v1/namespaces/kube-public'
    const user = { name: 'admin', groups: ['system:masters'], uid: '', extra: {} }
    const remove = async (resource: string, id: string): Promise<unknown> =>
      await server.local.serve({
        method: 'DELETE',
        url: `${namespace}/${resource}?labelSelector=gone%3Dyes`,
        user,
        headers: { 'user-agent': 'test', 'audit-id': id },
      })
    for (const resource of ['configmaps', 'secrets']) {
      const url = `${namespace}/${resource}`
      for (const name of ['a', 'b'])
        assert.equal((await admin(url, { metadata: { name, labels: { gone: 'yes' } } })).status, 201)
    }
    const items = (list: unknown): unknown[] => (list as { items: unknown[] }).items
    assert.equal(items(await remove('secrets', 'gone-secrets')).length, 0)
    await remove('configmaps', 'gone-maps')
    const [event] = await eventsOf('gone-maps')
    assert.equal(event?.['responseObject'].items.length, 2)
    for (const resource of ['configmaps', 'secrets']) {
      const { body } = await admin(`${namespace}/${resource}?labelSelector=gone%3Dyes`)
      assert.equal(items(typeof body === 'string' ? JSON.parse(body) : body).length, 0)
    }
  })

  it('shows no content of a Secret at level Metadata, also where the Secret was invalid', async () => {
    const secrets = '/api/v1/namespaces/kube-public/secrets'
    const value = Buffer.from('hush').toString('base64')
    const send = async (id: string, path: string, body: unknown, type: string, method = 'PATCH'): Promise<number> =>
      (await admin(path, body, { method, headers: { 'Audit-ID': id, 'content-type': type } })).status
    const types = ['application/json', 'application/merge-patch+json', 'application/apply-patch+yaml'] as const
    assert.equal(await send('s1', secrets, { metadata: { name: 's' }, data: { k: value } }, types[0], 'POST'), 201)
    assert.equal(await send('s2', `${secrets}/s`, { data: { more: 1 } }, types[1]), 422)
    const applied = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { k: [value] } }
    assert.equal(await send('s3', `${secrets}/s?fieldManager=me`, applied, types[2]), 500)
    assert.equal(await send('s4', `${secrets}/none`, { data: {} }, types[1]), 404)
    const statuses = []
    for (const id of ['s2', 's3', 's4']) statuses.push((await eventsOf(id))[0]?.['responseStatus'])
    assert.deepEqual(statuses, [
      { metadata: {}, status: 'Failure', reason: 'Invalid', code: 422 },
      { metadata: {}, status: 'Failure', code: 500 },
      {
        metadata: {},
        status: 'Failure',
        message: 'secrets "none" not found',
        reason: 'NotFound',
        details: { name: 'none', kind: 'secrets' },
        code: 404,
      },
    ])
    assert.equal(readFileSync(logFile, 'utf8').includes(value), false)
  })

  it('shows objects without managedFields at level RequestResponse', async () => {
    await admin(configMaps, { metadata: { name: 'a' }, data: { x: 'y' } }, { headers: { 'Audit-ID': 'rr' } })
    const [event] = await eventsOf('rr')
    assert.deepEqual(event?.['objectRef'], {
      resource: 'configmaps',
      namespace: 'default',
      name: 'a',
      apiVersion: 'v1',
    })
    assert.deepEqual(event?.['requestObject'].data, { x: 'y' })
    assert.equal(event?.['requestObject'].kind, 'ConfigMap')
    assert.deepEqual(event?.['responseObject'].data, { x: 'y' })
    assert.equal(event?.['responseObject'].metadata.managedFields, undefined)
    assert.equal(event?.['responseStatus'].code, 201)
  })

  it('shows objects as JSON that were sent as protobuf', async () => {
    const headers = { 'Audit-ID': 'pb', Accept: 'application/vnd.kubernetes.protobuf' }
    await admin(`${configMaps}/a`, undefined, { headers })
    const [event] = await eventsOf('pb')
    assert.deepEqual([event?.['responseObject'].kind, event?.['responseObject'].data], ['ConfigMap', { x: 'y' }])
  })

  it('shows patches as they were sent', async () => {
    const headers = { 'Audit-ID': 'patch', 'content-type': 'application/merge-patch+json' }
    await admin(`${configMaps}/a`, '{"data":{"z":"1"}}', { method: 'PATCH', headers })
    const [event] = await eventsOf('patch')
    assert.deepEqual(event?.['requestObject'], { data: { z: '1' } })
  })

  it('records the Status of a success that its client gets', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    await admin('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
    const pod = await admin(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
    assert.equal(pod.status, 201, JSON.stringify(pod.body))
    const headers = { 'Audit-ID': 'bind' }
    await admin(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }, { headers })
    const [event] = await eventsOf('bind')
    assert.deepEqual(event?.['responseStatus'], { metadata: {}, status: 'Success', code: 201 })
  })

  it('shows no answers at level Request', async () => {
    const body = { metadata: { name: 's' }, stringData: { a: 'b' } }
    await admin('/api/v1/namespaces/default/secrets', body, { headers: { 'Audit-ID': 'request' } })
    const [event] = await eventsOf('request')
    assert.equal(event?.['requestObject'].metadata.name, 's')
    assert.equal(event?.['responseObject'], undefined)
  })

  it('shows no token, whatever the policy is', async () => {
    const token = 'very-secret-token'
    const path = '/apis/authentication.k8s.io/v1/tokenreviews'
    await admin(path, { spec: { token } }, { headers: { 'Audit-ID': 'review' } })
    await ask(server.url, configMaps, { token, headers: { 'Audit-ID': 'bad' } })
    const text = readFileSync(logFile, 'utf8')
    assert.equal(text.includes(token), false)
    assert.equal(text.includes(adminToken), false)
    assert.equal((await eventsOf('review')).length, 1)
  })

  it('records why a request was refused, and only the kind of its credentials', async () => {
    await admin(`${configMaps}/none`, undefined, { headers: { 'Audit-ID': 'missing' } })
    const [missing] = await eventsOf('missing')
    assert.deepEqual(missing?.['responseStatus'], {
      metadata: {},
      status: 'Failure',
      message: 'configmaps "none" not found',
      reason: 'NotFound',
      details: { name: 'none', kind: 'configmaps' },
      code: 404,
    })
    await ask(server.url, configMaps, { token: 'bad', headers: { 'Audit-ID': 'unknown' } })
    const [unknown] = await eventsOf('unknown')
    assert.deepEqual(
      [unknown?.['stage'], unknown?.['user'], unknown?.['responseStatus']],
      [
        'ResponseStarted',
        {},
        {
          metadata: {},
          status: 'Failure',
          message: 'Authentication failed, attempted: bearer',
          reason: 'Unauthorized',
          code: 401,
        },
      ],
    )
  })

  it('records the impersonated user, and the verb of constrained impersonation', async () => {
    const headers = { 'Audit-ID': 'as', 'Impersonate-User': 'bob' }
    await admin('/api/v1/namespaces', undefined, { headers })
    const [event] = await eventsOf('as')
    assert.deepEqual(
      [event?.['user'].username, event?.['impersonatedUser'], event?.['authenticationMetadata']],
      [
        'admin',
        { username: 'bob', groups: ['system:authenticated'] },
        { impersonationConstraint: 'impersonate:user-info' },
      ],
    )
  })

  it('records a watch when it begins and when it ends, both times with the impersonated user', async () => {
    const headers = { 'Audit-ID': 'watch', 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' }
    await admin('/api/v1/namespaces?watch=1&timeoutSeconds=1', undefined, { headers })
    const events = await eventsOf('watch', 2)
    assert.deepEqual(
      events.map((event) => [
        event['stage'],
        event['verb'],
        event['responseStatus'].code,
        event['impersonatedUser']?.username,
        event['authenticationMetadata'], // only the older verb makes members of system:masters
      ]),
      [
        ['ResponseStarted', 'watch', 200, 'bob', undefined],
        ['ResponseComplete', 'watch', 200, 'bob', undefined],
      ],
    )
  })

  it('records the answer to a deletion', async () => {
    await admin(`${configMaps}/a`, undefined, { method: 'DELETE', headers: { 'Audit-ID': 'delete' } })
    const [event] = await eventsOf('delete')
    assert.equal(event?.['responseStatus'].status, 'Success')
    assert.equal(event?.['responseStatus'].details.name, 'a')
  })

  it('records nothing that the policy leaves out', async () => {
    await admin('/readyz', undefined, { headers: { 'Audit-ID': 'ready' } })
    assert.deepEqual(await eventsOf('ready', 0), [])
  })

  it('counts events and levels, and loses nothing when the server stops', async () => {
    const metrics = (await admin('/metrics')).text
    assert.match(metrics, /^apiserver_audit_event_total [1-9]/m)
    assert.match(metrics, /^apiserver_audit_level_total\{level="RequestResponse"\} [1-9]/m)
    for (let request = 0; request < 50; request++) await admin(`/api/v1/namespaces/default/pods?n=${request}`)
    await server.stop()
    const logged = readFileSync(logFile, 'utf8').trim().split('\n').length
    assert.equal(received.length, logged)
    assert.equal(
      received.every((event) => event['kind'] === undefined && event['level'] !== undefined),
      true,
    )
  })

  for (const [mode, status] of [
    ['blocking', 200],
    ['blocking-strict', 500],
  ] as const) {
    it(`answers ${status} when the log is full and its mode is ${mode}`, async function () {
      if (!existsSync('/dev/full')) this.skip()
      const file = join(folder.path, 'resources.yaml')
      writeFileSync(file, ofResources)
      const flags = [`--audit-policy-file=${file}`, '--audit-log-path=/dev/full', `--audit-log-mode=${mode}`]
      const full = await startComposed(folder.path, flags)
      try {
        const answer = await ask(full.url, '/api/v1/namespaces', { token: adminToken })
        assert.equal(answer.status, status)
        if (status === 500) assert.equal(answer.body.message, 'Internal error occurred: failed to store audit event')
        let metrics = ''
        await eventually(async () => {
          metrics = (await ask(full.url, '/metrics', { token: adminToken })).text
          return metrics.includes('apiserver_audit_error_total{')
        }, 'the error')
        assert.match(metrics, /^apiserver_audit_error_total\{plugin="log"\} [1-9]/m)
        if (status === 500) assert.match(metrics, /^apiserver_audit_requests_rejected_total 1$/m)
      } finally {
        await full.stop()
      }
    })
  }

  for (const [mode, status] of [
    ['blocking', 200],
    ['blocking-strict', 500],
    ['batch', 200],
  ] as const) {
    it(`counts events lost on an unread standard output when its mode is ${mode}`, async () => {
      writeFileSync(join(folder.path, 'resources.yaml'), ofResources)
      const flags = [
        '--storage-backend=memory',
        `--audit-policy-file=${join(folder.path, 'resources.yaml')}`,
        '--audit-log-path=-',
        `--audit-log-mode=${mode}`,
        '--audit-log-batch-max-wait=10ms',
      ]
      const unread = await startServer('cmd/apiserver/main.ts', flags, folder.path)
      try {
        assert.equal((await request(unread, '/api/v1/namespaces')).status, 200)
        await eventually(() => unread.output().includes('"kind":"Event"'), 'an event')
        unread.process.stdout?.destroy()
        await eventuallyEquals(async () => (await request(unread, '/api/v1/namespaces')).status, status, `${status}`)
        await eventually(async () => {
          const { body } = await request(unread, '/metrics')
          return /^apiserver_audit_error_total\{plugin="log"\} [1-9]/m.test(body)
        }, 'the error')
      } finally {
        assert.equal(await unread.stop(), 0)
      }
    })
  }

  const wrong: [string, string, RegExp][] = [
    ['no rules', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []', /0 rules/],
    [
      'a level that is none',
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: All}]',
      /rules\[0\]\.level: Unsupported value: "All"/,
    ],
    ['another kind', 'apiVersion: v1\nkind: Pod', /Policy/],
    ['no kind', 'rules: [{level: None}]', /kind is missing/],
    ['no text', '', /kind is missing/],
    ['no YAML', 'rules: ][', /yaml: line 1: /],
    [
      'a version that is gone',
      'apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules: [{level: None}]',
      /audit\.k8s\.io\/v1/,
    ],
  ]
  for (const [title, text, message] of wrong) {
    it(`a policy with ${title} fails the start`, async () => {
      writeFileSync(join(folder.path, 'wrong.yaml'), text)
      const policy = `--audit-policy-file=${join(folder.path, 'wrong.yaml')}`
      // Also without a sink.
      for (const flags of [[policy, '--audit-log-path=-'], [policy]])
        await assert.rejects(startComposed(folder.path, flags), (error: Error) => {
          assert.match(error.message, message)
          assert.match(error.message, /^--audit-policy-file: /)
          return true
        })
    })
  }
})
