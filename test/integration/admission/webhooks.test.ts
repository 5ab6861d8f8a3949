import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { heldMs } from '../../support/holdmeter.ts'
import { type HookServer, patchOf, startHookServer } from '../../support/hookserver.ts'
import { type Answer, ask } from '../../support/plane.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const registration = '/apis/admissionregistration.k8s.io/v1'

interface HookSettings {
  readonly name?: string
  readonly rules?: readonly object[]
  readonly [field: string]: unknown
}

describe('admission webhooks of a whole server', function () {
  this.timeout(60_000)
  const folder = scratchFolder('webhooks')
  let server: Apiserver
  let hooks: HookServer
  before(async () => {
    hooks = await startHookServer(['hook.default.svc'])
    server = await startComposed(folder.path, ['--enable-aggregator-routing', configurationOf(hooks.port)])
  })
  after(async () => {
    await server.stop()
    await hooks.close()
    folder.remove()
  })

  /** Credentials for the server of the webhooks: one for each plugin. */
  function configurationOf(port: number): string {
    const file = join(folder.path, 'admission.json')
    const plugins = { MutatingAdmissionWebhook: '*', ValidatingAdmissionWebhook: `127.0.0.1:${port}` }
    const configured = Object.entries(plugins).map(([name, server]) => {
      const users = [{ name: server, user: { token: `for-${name}` } }]
      writeFileSync(join(folder.path, `${name}.conf`), JSON.stringify({ apiVersion: 'v1', kind: 'Config', users }))
      const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration' }
      return { name, configuration: { ...kind, kubeConfigFile: `${name}.conf` } }
    })
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' }
    writeFileSync(file, JSON.stringify({ ...kind, plugins: configured }))
    return `--admission-control-config-file=${file}`
  }

  it("are called with the credentials that their plugin's kubeconfig has for their server", async () => {
    hooks.on('/credentials', () => ({ response: { allowed: true } }))
    for (const kind of ['Mutating', 'Validating'] as const)
      await withHooks(kind, [{ path: '/credentials' }], async () => {
        await call(maps, { body: { metadata: { generateName: 'c-' } } })
        const asked = hooks.seen.filter(({ path }) => path === '/credentials').at(-1)
        assert.equal(asked?.authorization, `Bearer for-${kind}AdmissionWebhook`)
      })
  })

  const call = (path: string, options: Omit<NonNullable<Parameters<typeof ask>[2]>, 'token'> = {}): Promise<Answer> =>
    ask(server.url, path, { ...options, token: adminToken })

  const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }]
  let serial = 0

  /** Configures webhooks, waits until they are asked, and takes them away again after `run`. */
  async function withHooks(
    kind: 'Mutating' | 'Validating',
    settings: readonly HookSettings[],
    run: (name: (index: number) => string) => Promise<void>,
  ): Promise<void> {
    const id = `h${++serial}`
    const plural = `${kind.toLowerCase()}webhookconfigurations`
    const nameOf = (index: number): string => settings[index]?.name ?? `${id}-${index}.example.com`
    // The last one only shows that the configuration is in force.
    const probe = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }
    const webhooks = [...settings, { path: '/probe', rules: [probe], name: `${id}-probe.example.com` }].map(
      ({ path, ...more }: HookSettings, index) => ({
        name: nameOf(index),
        clientConfig: { url: `${hooks.url}${String(path ?? '/hook')}`, caBundle: hooks.caBundle },
        rules,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      }),
    )
    let probed = 0
    hooks.on('/probe', () => {
      probed++
      return { response: { allowed: true } }
    })
    const body = { metadata: { name: id }, webhooks }
    const { status, text } = await call(`${registration}/${plural}`, { body })
    assert.equal(status, 201, text)
    const secret = { metadata: { name: 's' } }
    await eventually(
      async () => {
        await call('/api/v1/namespaces/default/secrets?dryRun=All', { body: secret })
        return probed > 0
      },
      'the configuration is followed',
      10_000,
    )
    hooks.seen.length = 0
    try {
      await run(nameOf)
    } finally {
      const gone = await call(`${registration}/${plural}/${id}`, { method: 'DELETE' })
      assert.equal(gone.status, 200, gone.text)
      await eventually(
        async () => {
          probed = 0
          await call('/api/v1/namespaces/default/secrets?dryRun=All', { body: secret })
          return probed === 0
        },
        'the configuration is gone',
        10_000,
      )
    }
  }
  const create = (data: object = {}, query = ''): Promise<Answer> =>
    call(`${maps}${query}`, { body: { metadata: { generateName: 'm-' }, data } })
  const allow = () => ({ response: { allowed: true } })

  it('change an object one after the other, in the order of configuration and list', async () => {
    hooks.on('/one', () => ({
      response: { allowed: true, ...patchOf({ op: 'add', path: '/data', value: { a: '1' } }) },
    }))
    hooks.on('/two', ({ request }) => {
      const { data } = request['object'] as { data: { a: string } }
      return { response: { allowed: true, ...patchOf({ op: 'add', path: '/data/b', value: `${data.a}2` }) } }
    })
    await withHooks('Mutating', [{ path: '/one' }, { path: '/two' }], async () => {
      const { status, body } = await create()
      assert.equal(status, 201)
      assert.deepEqual(body.data, { a: '1', b: '12' })
    })
  })

  it('are called again after a later webhook changed the object, if they want that', async () => {
    const counts = { again: 0, once: 0 }
    hooks.on('/again', () => (counts.again++, allow()))
    hooks.on('/once', () => (counts.once++, allow()))
    hooks.on('/change', () => ({
      response: { allowed: true, ...patchOf({ op: 'add', path: '/data', value: { a: '1' } }) },
    }))
    const all = [{ path: '/again', reinvocationPolicy: 'IfNeeded' }, { path: '/once' }, { path: '/change' }]
    await withHooks('Mutating', all, async () => {
      assert.equal((await create()).status, 201)
      assert.deepEqual(counts, { again: 2, once: 1 })
    })
  })

  it('see the request, the objects and the options', async () => {
    hooks.on('/hook', allow)
    await withHooks('Validating', [{}], async () => {
      const { body } = await call(maps, { body: { metadata: { name: 'seen' }, data: { a: '1' } } })
      await call(`${maps}/seen`, { method: 'PUT', body: { ...body, data: { a: '2' } } })
      await call(`${maps}/seen`, { method: 'DELETE' })
      await call(maps, { method: 'DELETE' })
      const requests = hooks.seen.map(({ review }) => review.request)
      assert.deepEqual(
        requests.slice(0, 3).map(({ operation, name, namespace, dryRun }) => [operation, name, namespace, dryRun]),
        [
          ['CREATE', 'seen', 'default', false],
          ['UPDATE', 'seen', 'default', false],
          ['DELETE', 'seen', 'default', false],
        ],
      )
      const [made, changed, gone] = requests as Record<string, { data: object; kind: string } | null>[]
      assert.deepEqual([made?.['object']?.data, made?.['oldObject']], [{ a: '1' }, null])
      assert.deepEqual([changed?.['object']?.data, changed?.['oldObject']?.data], [{ a: '2' }, { a: '1' }])
      assert.deepEqual([gone?.['object'], gone?.['oldObject']?.data], [null, { a: '2' }])
      assert.deepEqual(
        [made, changed, gone].map((one) => one?.['options']?.kind),
        ['CreateOptions', 'UpdateOptions', 'DeleteOptions'],
      )
      assert.deepEqual(made?.['kind'], { group: '', version: 'v1', kind: 'ConfigMap' })
      assert.deepEqual(requests[0]?.['userInfo'], {
        username: 'admin',
        uid: 'admin',
        groups: ['system:masters', 'system:authenticated'],
      })
    })
  })

  const refusals: readonly { title: string; response: object; code: number; message: string; reason?: string }[] = [
    {
      title: 'with its own words, code and reason',
      response: { allowed: false, status: { message: 'no', code: 409, reason: 'Conflict' } },
      code: 409,
      message: 'denied the request: no',
      reason: 'Conflict',
    },
    {
      title: 'as 400 without a code',
      response: { allowed: false, status: { reason: 'Why' } },
      code: 400,
      message: 'denied the request: Why',
    },
    {
      title: 'without a word',
      response: { allowed: false },
      code: 400,
      message: 'denied the request without explanation',
    },
    {
      title: 'with a code of success',
      response: { allowed: false, status: { code: 200 } },
      code: 400,
      message: 'denied the request without explanation',
    },
  ]
  for (const { title, response, code, message, reason } of refusals)
    it(`refuse ${title}`, async () => {
      hooks.on('/hook', () => ({ response }))
      await withHooks('Validating', [{}], async (name) => {
        const { status, body } = await create()
        assert.equal(status, code)
        assert.equal(body.message, `admission webhook "${name(0)}" ${message}`)
        if (reason !== undefined) assert.equal(body.reason, reason)
      })
    })

  const pods = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
  const lies: readonly { title: string; kind: 'Mutating' | 'Validating'; reply: object; text: string }[] = [
    {
      title: 'another uid',
      kind: 'Validating',
      reply: { response: { uid: 'x', allowed: true } },
      text: 'received invalid webhook response: expected response.uid="',
    },
    {
      title: 'a patch of a validating one',
      kind: 'Validating',
      reply: { response: { allowed: true, ...patchOf() } },
      text: 'received invalid webhook response: validating webhook may not return response.patch',
    },
    {
      title: 'a patch without its type',
      kind: 'Mutating',
      reply: { response: { allowed: true, patch: 'W10=' } },
      text: 'received invalid webhook response: webhook returned response.patch but not response.patchType',
    },
    {
      title: 'a type without a patch',
      kind: 'Mutating',
      reply: { response: { allowed: true, patchType: 'JSONPatch' } },
      text: 'received invalid webhook response: webhook returned response.patchType but not response.patch',
    },
    {
      title: 'an unknown type',
      kind: 'Mutating',
      reply: { response: { allowed: true, patch: 'W10=', patchType: 'X' } },
      text: 'received invalid webhook response: webhook returned invalid response.patchType of "X"',
    },
    {
      title: 'a patch that is no JSON',
      kind: 'Mutating',
      reply: { response: { allowed: true, patch: 'eHh4', patchType: 'JSONPatch' } },
      text: 'received undecodable patch in webhook response: ',
    },
    {
      title: 'no JSON',
      kind: 'Validating',
      reply: { status: 200, body: 'hello' },
      text: `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct {`,
    },
    {
      title: 'nothing',
      kind: 'Validating',
      reply: { status: 200, body: '' },
      text: 'failed to call webhook: 0-length response with status code: 200 and content type: application/json',
    },
    {
      title: 'another kind',
      kind: 'Validating',
      reply: { status: 200, body: '{"kind":"Other","apiVersion":"v1","response":{}}' },
      text: 'failed to call webhook: no kind "Other" is registered for version "v1" in scheme "',
    },
    {
      title: 'no response',
      kind: 'Validating',
      reply: { status: 200, body: '{"__proto__":{"response":{"allowed":true}}}' },
      text: 'received invalid webhook response: webhook response was absent',
    },
    {
      title: '404',
      kind: 'Validating',
      reply: { status: 404, body: 'x' },
      text: 'failed to call webhook: the server could not find the requested resource',
    },
    {
      title: '500',
      kind: 'Validating',
      reply: { status: 500, body: 'boom' },
      text: 'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    },
    {
      title: '503',
      kind: 'Mutating',
      reply: { status: 503, body: '' },
      text: 'failed to call webhook: the server is currently unable to handle the request',
    },
    {
      title: 'four megabytes',
      kind: 'Validating',
      reply: { status: 200, body: ' '.repeat(4 << 20) },
      text: 'failed to call webhook: Post "',
    },
  ]
  for (const { title, kind, reply, text } of lies)
    it(`webhooks that answer ${title} fail the request, or not, by their failurePolicy`, async () => {
      hooks.on('/hook', () => reply as never)
      const settings = [
        { failurePolicy: 'Fail' },
        { failurePolicy: 'Ignore', rules: pods.map((rule) => ({ ...rule, resources: ['endpoints'] })) },
      ]
      await withHooks(kind, settings, async (name) => {
        const { status, body } = await create()
        assert.equal(status, 500, JSON.stringify(body))
        const start = `Internal error occurred: failed calling webhook "${name(0)}": ${text}`
        assert.equal(body.message?.slice(0, start.length), start)
        const open = await call('/api/v1/namespaces/default/endpoints?dryRun=All', {
          body: { metadata: { name: 'e' } },
        })
        assert.equal(open.status, 201, open.text)
      })
    })

  it('webhooks that patch a field that can not be patched, or a deleted object, fail the request', async () => {
    hooks.on('/hook', () => ({ response: { allowed: true, ...patchOf({ op: 'remove', path: '/nothing/here' }) } }))
    await withHooks('Mutating', [{ failurePolicy: 'Ignore' }], async () => {
      const { status, body } = await create()
      assert.deepEqual([status, body.reason], [500, 'InternalError'])
    })
    await call(maps, { body: { metadata: { name: 'kept' } } })
    await withHooks('Mutating', [{}], async (name) => {
      const { status, body } = await call(`${maps}/kept`, { method: 'DELETE' })
      assert.equal(status, 500)
      assert.match(
        body.message ?? '',
        new RegExp(`"${name(0)}" attempted to modify the object, which is not supported`),
      )
      assert.equal((await call(`${maps}/kept`)).status, 200)
    })
  })

  it('webhooks that are slow fail after their timeout', async () => {
    hooks.on('/hook', () => new Promise((resolve) => setTimeout(() => resolve(allow()), 1500)))
    await withHooks('Validating', [{ timeoutSeconds: 1 }], async (name) => {
      const { status, body } = await create()
      assert.equal(status, 500)
      assert.equal(
        body.message,
        `Internal error occurred: failed calling webhook "${name(0)}": failed to call webhook: Post "${hooks.url}/hook?timeout=1s": context deadline exceeded`,
      )
    })
  })

  it('webhooks that are not reachable, or not trusted, fail the request', async () => {
    const dead = { clientConfig: { url: 'https://127.0.0.1:1/hook' } }
    await withHooks('Validating', [dead], async () => {
      const { body } = await create()
      assert.match(
        body.message ?? '',
        /Post "https:\/\/127\.0\.0\.1:1\/hook\?timeout=10s": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
      )
    })
    await withHooks('Validating', [{ clientConfig: { url: `${hooks.url}/hook` } }], async () => {
      const { body } = await create()
      assert.match(body.message ?? '', /certificate signed by unknown authority$/)
    })
  })

  it('validating webhooks are called concurrently, over connections that are reused', async () => {
    let asked = 0
    let all = Promise.withResolvers<void>()
    hooks.on('/hook', async () => {
      if (++asked === 5) all.resolve()
      await all.promise
      return allow()
    })
    await withHooks('Validating', [{}, {}, {}, {}, {}], async () => {
      await create()
      const before = hooks.connections
      asked = 0
      all = Promise.withResolvers()
      assert.equal((await create()).status, 201)
      assert.equal(hooks.connections, before)
    })
  })

  it('see dry runs only where those have no side effects', async () => {
    hooks.on('/hook', allow)
    const some = { sideEffects: 'Some', admissionReviewVersions: ['v1beta1'], failurePolicy: 'Ignore' }
    const { status } = await call(`${registration}/validatingwebhookconfigurations`, {
      body: { metadata: { name: 'x' }, webhooks: [{ name: 'a.b.c', clientConfig: { url: hooks.url }, ...some }] },
    })
    assert.equal(status, 422) // v1 knows no such webhooks
    await withHooks('Validating', [{ sideEffects: 'NoneOnDryRun' }], async () => {
      assert.equal((await create({}, '?dryRun=All')).status, 201)
      assert.equal(hooks.seen[0]?.review.request['dryRun'], true)
    })
  })

  it('are selected by labels of namespaces and objects, and by conditions', async () => {
    hooks.on('/hook', () => ({ response: { allowed: false } }))
    const never = { matchLabels: { nobody: 'has-this' } }
    const settings = [
      { namespaceSelector: never },
      { objectSelector: never },
      { matchConditions: [{ name: 'c', expression: 'has(object.data) && object.data.a == "2"' }] },
      { matchConditions: [{ name: 'c', expression: '!authorizer.requestResource.check("create").allowed()' }] },
      { rules: rules.map((rule) => ({ ...rule, scope: 'Cluster' })) },
      { rules: rules.map((rule) => ({ ...rule, resources: ['configmaps/status'] })) },
    ]
    await withHooks('Validating', settings, async (name) => {
      assert.equal((await create({ a: '1' })).status, 201)
      const { body } = await create({ a: '2' })
      assert.match(body.message ?? '', new RegExp(`"${name(2)}" denied`))
    })
    await withHooks(
      'Validating',
      [{ matchConditions: [{ name: 'c', expression: 'object.nothing == 1' }] }],
      async () => {
        const { status, body } = await create()
        assert.equal(status, 403)
        assert.match(
          body.message ?? '',
          /^configmaps "m-[^"]*" is forbidden: expression 'object.nothing == 1' resulted in error: no such key: nothing$/,
        )
      },
    )
  })

  it('can neither move an object to another namespace nor rename it', async () => {
    const name = `moved-${++serial}`
    const own = `${maps}/${name}`
    const put = { method: 'PUT', body: { metadata: { name }, data: { a: 'b' } } }
    const patched = {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { data: { a: 'c' } },
    }
    const applied = {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    }
    const moves = { op: 'add', path: '/metadata/namespace', value: 'kube-system' }
    hooks.on('/hook', () => ({ response: { allowed: true, ...patchOf(moves) } }))
    const refusals: Answer[] = []
    await withHooks('Mutating', [{}], async () => {
      refusals.push(await call(maps, { body: { metadata: { name } } }), await call(`${own}?fieldManager=m`, applied))
    })
    assert.equal((await call(maps, { body: { metadata: { name } } })).status, 201)
    await withHooks('Mutating', [{}], async () => {
      refusals.push(
        await call(own, put),
        await call(own, patched),
        await call(`${own}?fieldManager=m&force=true`, applied),
      )
    })
    for (const { status, body } of refusals) {
      assert.equal(status, 400, body.message)
      assert.match(body.message ?? '', /the namespace of the provided object does not match the namespace sent/)
    }
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/binding'] }]
    await withHooks('Mutating', [{ rules }], async () => {
      const body = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }
      assert.equal((await call('/api/v1/namespaces/default/pods/p/binding', { body })).status, 400)
    })
    const other = await call(`/api/v1/namespaces/kube-system/configmaps/${name}`)
    assert.equal(other.status, 404)
    hooks.on('/hook', () => ({
      response: { allowed: true, ...patchOf({ op: 'add', path: '/metadata/name', value: 'other' }) },
    }))
    await withHooks('Mutating', [{}], async () => {
      const fresh = { ...applied, body: { ...applied.body, metadata: { name: `${name}-new` } } }
      assert.equal((await call(`${own}-new?fieldManager=m`, fresh)).status, 400)
      assert.equal((await call(own, put)).status, 422)
    })
  })

  it('can not direct an eviction to another pod or namespace', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    await call('/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'default' } } })
    const created: number[] = []
    for (const name of ['meant', 'spared']) {
      const body = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } }
      created.push((await call(pods, { body })).status)
    }
    assert.deepEqual(created, [201, 201])
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction'] }]
    const evict = (): Promise<Answer> => call(`${pods}/meant/eviction`, { body: { metadata: { name: 'meant' } } })
    for (const [path, value, why] of [
      ['/metadata/name', 'spared', /name in URL does not match name in Eviction object/],
      ['/metadata/namespace', 'kube-system', /the namespace of the provided object does not match the namespace sent/],
    ] as const) {
      hooks.on('/hook', () => ({ response: { allowed: true, ...patchOf({ op: 'add', path, value }) } }))
      await withHooks('Mutating', [{ rules }], async () => {
        const { status, body } = await evict()
        assert.equal(status, 400, body.message)
        assert.match(body.message ?? '', why)
        assert.equal(hooks.seen.filter((each) => each.path === '/hook').length, 1)
      })
      for (const name of ['meant', 'spared']) {
        const { status, body } = await call(`${pods}/${name}`)
        assert.deepEqual([status, body.metadata?.deletionTimestamp], [200, undefined], `${name} is left alone`)
      }
    }
    assert.equal((await evict()).status, 201)
    assert.equal((await call(`${pods}/meant`)).status, 404)
    assert.equal((await call(`${pods}/spared`)).status, 200)
  })

  it('have their conditions compiled in time slices, for the first request that they decide about', async () => {
    const settings = Array.from({ length: 50 }, (_, index) => ({
      matchConditions: Array.from({ length: 64 }, (_, condition) => ({
        name: `c${condition}`,
        expression: `object.metadata.name.startsWith('a${64 * index + condition}') || request.namespace.matches('^x${index}')`,
      })),
    }))
    const written = await heldMs(() =>
      withHooks('Validating', settings, async () => {
        const held = await heldMs(async () => assert.equal((await create()).status, 201))
        assert(held < 100, `asked: ${held} ms`)
      }),
    )
    assert(written < 100, `written: ${written} ms`)
    assert.equal(hooks.seen.filter(({ path }) => path === '/hook').length, 0)
  })

  it('webhooks of an equivalent resource see the object in the version that they name', async () => {
    hooks.on('/hook', () => ({
      response: { allowed: true, ...patchOf({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }) },
    }))
    const scalers = {
      operations: ['*'],
      apiGroups: ['autoscaling'],
      apiVersions: ['v1'],
      resources: ['horizontalpodautoscalers'],
    }
    await withHooks('Mutating', [{ rules: [scalers] }], async () => {
      const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } }
      const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
      const { status, body, text } = await call(path, { body: { metadata: { name: 'h' }, spec } })
      assert.equal(status, 201, text)
      assert.deepEqual(body.metadata?.labels, { seen: 'yes' })
      assert.equal((body as { apiVersion?: string }).apiVersion, 'autoscaling/v2')
      const request: Readonly<Record<string, unknown>> = hooks.seen[0]?.review.request ?? {}
      assert.equal((request['object'] as { apiVersion: string }).apiVersion, 'autoscaling/v1')
      assert.deepEqual((request['requestKind'] as { version: string }).version, 'v2')
      assert.deepEqual((request['kind'] as { version: string }).version, 'v1')
    })
    hooks.seen.length = 0
    await withHooks('Mutating', [{ rules: [scalers], matchPolicy: 'Exact' }], async () => {
      const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h'
      assert.equal((await call(path, { method: 'DELETE' })).status, 200)
      assert.equal(hooks.seen.length, 0)
    })
  })

  it('webhooks of subresources see the sent object, with its own kind', async () => {
    hooks.on('/hook', allow)
    const of = (group: string, ...resources: string[]) => ({
      operations: ['*'],
      apiGroups: [group],
      apiVersions: ['v1'],
      resources,
    })
    const rules = [of('apps', '*/scale'), of('', 'pods/status', 'pods/binding', 'pods/eviction')]
    const template = { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const spec = { replicas: 1, selector: { matchLabels: { app: 'w' } }, template }
    const core = '/api/v1/namespaces/default'
    const deployments = '/apis/apps/v1/namespaces/default/deployments'
    const merge = { 'content-type': 'application/merge-patch+json' }
    const account = { metadata: { name: 'hooked' } }
    const pod = { metadata: { name: 'w' }, spec: { ...template.spec, serviceAccountName: 'hooked' } }
    const steps: readonly [expected: readonly unknown[], ...Parameters<typeof call>][] = [
      [
        ['UPDATE', 'autoscaling/v1 Scale', 'apps/v1 deployments/scale', 'w', 'Scale', 'Scale', 'UpdateOptions'],
        `${deployments}/w/scale`,
        { method: 'PATCH', headers: merge, body: { spec: { replicas: 2 } } },
      ],
      [
        ['UPDATE', '/v1 Pod', '/v1 pods/status', 'w', 'Pod', 'Pod', 'UpdateOptions'],
        `${core}/pods/w/status`,
        { method: 'PATCH', headers: merge, body: { status: { reason: 'Hooked' } } },
      ],
      [
        ['CREATE', '/v1 Binding', '/v1 pods/binding', 'w', 'Binding', undefined, 'CreateOptions'],
        `${core}/pods/w/binding`,
        { body: { metadata: { name: 'w' }, target: { kind: 'Node', name: 'n' } } },
      ],
      [
        ['CREATE', 'policy/v1 Eviction', '/v1 pods/eviction', 'w', 'Eviction', undefined, 'CreateOptions'],
        `${core}/pods/w/eviction`,
        { body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'w' } } },
      ],
    ]
    await withHooks('Validating', [{ rules }], async () => {
      for (const [path, body] of [
        [`${core}/serviceaccounts`, account],
        [deployments, { metadata: { name: 'w' }, spec }],
        [`${core}/pods`, pod],
      ] as const) {
        const { status, text } = await call(path, { body })
        assert.equal(status, 201, text)
      }
      assert.equal(hooks.seen.length, 0, 'objects themselves are no subresources')
      for (const [expected, path, options] of steps) {
        hooks.seen.length = 0
        const { status, text } = await call(path, options)
        assert(status < 300, `${path}: ${text}`)
        assert.deepEqual(
          hooks.seen.map(({ review }) => summaryOf(review.request)),
          [expected],
          path,
        )
      }
    })
    assert.equal((await call(`${deployments}/w`, { method: 'DELETE' })).status, 200)
  })

  it('see CreateOptions for each way to create an object, and UpdateOptions for each way to change one', async () => {
    hooks.on('/hook', allow)
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    const lease = (spec: object) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'optioned' },
      spec,
    })
    const patching = (type: string) => ({ method: 'PATCH', headers: { 'content-type': `application/${type}` } })
    const steps: readonly [expected: readonly unknown[], query: string, options: Parameters<typeof call>[1]][] = [
      [['CREATE', 'CreateOptions', 'm', 'Strict'], '?fieldManager=m&fieldValidation=Strict', { method: 'PUT', body: lease({}) }],
      [['UPDATE', 'UpdateOptions', 'm', undefined], '?fieldManager=m', { method: 'PUT', body: lease({ holderIdentity: 'a' }) }],
      [['UPDATE', 'UpdateOptions', undefined, undefined], '', { ...patching('merge-patch+json'), body: { spec: { holderIdentity: 'b' } } }],
      [['UPDATE', 'UpdateOptions', 'n', 'Warn'], '?fieldManager=n&fieldValidation=Warn', { ...patching('json-patch+json'), body: [{ op: 'replace', path: '/spec/holderIdentity', value: 'c' }] }],
      [['UPDATE', 'UpdateOptions', 'o', undefined], '?fieldManager=o&force=true', { ...patching('apply-patch+yaml'), body: lease({ holderIdentity: 'd' }) }],
      [['DELETE', 'DeleteOptions', undefined, undefined], '', { method: 'DELETE' }],
      [['CREATE', 'CreateOptions', 'o', undefined], '?fieldManager=o&force=true', { ...patching('apply-patch+yaml'), body: lease({ holderIdentity: 'd' }) }],
      [['DELETE', 'DeleteOptions', undefined, undefined], '', { method: 'DELETE' }],
    ] // biome-ignore format: a table
    const rules = [
      { operations: ['*'], apiGroups: ['coordination.k8s.io'], apiVersions: ['v1'], resources: ['leases'] },
    ]
    await withHooks('Validating', [{ rules }], async () => {
      for (const [expected, query, options] of steps) {
        // A PUT that changes a lease needs the version that it replaces.
        const stored = await call(`${leases}/optioned`)
        const body = structuredClone(options?.body) as { metadata: { resourceVersion?: string } } | undefined
        if (options?.method === 'PUT' && stored.status === 200 && body)
          body.metadata.resourceVersion = stored.body.metadata.resourceVersion
        hooks.seen.length = 0
        const { status, text } = await call(`${leases}/optioned${query}`, { ...options, ...(body && { body }) })
        assert(status < 300, text)
        const seen = hooks.seen
          .filter(({ review }) => review.request['name'] === 'optioned')
          .map(({ review: { request } }) => {
            const { kind, fieldManager, fieldValidation, force } = request['options'] as Record<string, unknown>
            assert.equal(force, undefined, 'neither options have it')
            return [request.operation, kind, fieldManager, fieldValidation]
          })
        assert.deepEqual(seen, [expected], JSON.stringify(options))
      }
    })
  })

  /** Operation, kind, resource, name, the kinds of the objects and of the options. */
  function summaryOf(request: Readonly<Record<string, unknown>>): unknown[] {
    const named = (field: string): Partial<Record<string, string>> =>
      (request[field] ?? {}) as Partial<Record<string, string>>
    const kind = named('kind')
    const resource = named('resource')
    return [
      request['operation'],
      `${kind['group']}/${kind['version']} ${kind['kind']}`,
      `${resource['group']}/${resource['version']} ${resource['resource']}/${String(request['subResource'])}`,
      request['name'],
      named('object')['kind'],
      named('oldObject')['kind'],
      named('options')['kind'],
    ]
  }

  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'opted' } }
  const merging = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } }
  const applying = { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' } }
  for (const [what, query, options, operation, kind, fields] of [
    ['an apply that creates', 'fieldManager=a&force=true', applying, 'CREATE', 'CreateOptions', { fieldManager: 'a' }],
    ['an apply that changes', 'fieldManager=a&force=true', applying, 'UPDATE', 'UpdateOptions', { fieldManager: 'a' }],
    [
      'a merge patch',
      'fieldManager=b&fieldValidation=Strict',
      merging,
      'UPDATE',
      'UpdateOptions',
      { fieldManager: 'b', fieldValidation: 'Strict' },
    ],
    ['a dry merge patch', 'dryRun=All', merging, 'UPDATE', 'UpdateOptions', { dryRun: ['All'] }],
    ['a PUT', 'fieldManager=c', { method: 'PUT' }, 'UPDATE', 'UpdateOptions', { fieldManager: 'c' }],
    ['a DELETE', 'gracePeriodSeconds=0', { method: 'DELETE' }, 'DELETE', 'DeleteOptions', { gracePeriodSeconds: 0 }],
  ] as const)
    it(`see the options of ${what} as those of the resulting operation`, async () => {
      hooks.on('/hook', allow)
      const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
      await withHooks('Validating', [{ rules: [rule] }], async () => {
        const body = options.method === 'DELETE' ? {} : { body: { ...configMap, data: { what } } }
        const { status, text } = await call(`/api/v1/namespaces/default/configmaps/opted?${query}`, {
          ...options,
          ...body,
        })
        assert.ok(status < 300, text)
      })
      const request = hooks.seen.at(-1)?.review.request
      const expected = { apiVersion: 'meta.k8s.io/v1', kind, ...fields }
      assert.deepEqual([request?.['operation'], request?.['options']], [operation, expected])
    })

  it('change the replicas that a scale sets', async () => {
    hooks.on('/hook', () => ({
      response: { allowed: true, ...patchOf({ op: 'replace', path: '/spec/replicas', value: 3 }) },
    }))
    const scales = { operations: ['UPDATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/scale'] }
    const path = '/apis/apps/v1/namespaces/default/replicasets'
    const template = { metadata: { labels: { app: 'r' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const spec = { replicas: 0, selector: { matchLabels: { app: 'r' } }, template }
    await withHooks('Mutating', [{ rules: [scales] }], async () => {
      assert.equal((await call(path, { body: { metadata: { name: 'r' }, spec } })).status, 201)
      const scale = (await call(`${path}/r/scale`)).body as object
      const { status, body } = await call(`${path}/r/scale`, {
        method: 'PUT',
        body: { ...scale, spec: { replicas: 7 } },
      })
      assert.equal(status, 200)
      assert.deepEqual((body as { spec?: object }).spec, { replicas: 3 })
      const set = (await call(`${path}/r`)).body as { spec?: { replicas?: number } }
      assert.equal(set.spec?.replicas, 3)
    })
    assert.equal((await call(`${path}/r`, { method: 'DELETE' })).status, 200)
  })

  it("webhooks of v1beta1 are called in it, and needn't repeat the uid", async () => {
    hooks.on('/hook', () => ({
      response: { allowed: true, uid: 'another', ...patchOf({ op: 'add', path: '/data', value: { a: '1' } }) },
    }))
    await withHooks('Mutating', [{ admissionReviewVersions: ['v9', 'v1beta1', 'v1'] }], async () => {
      const { status, body, text } = await create()
      assert.equal(status, 201, text)
      assert.deepEqual(body.data, { a: '1' })
      assert.deepEqual(
        hooks.seen.map(({ review }) => review.apiVersion),
        ['admission.k8s.io/v1beta1'],
      )
    })
    await withHooks('Mutating', [{ admissionReviewVersions: ['v1', 'v1beta1'] }], async () => {
      const { status, text } = await create()
      assert.equal(status, 500, text)
      assert.match(text, /expected response\.uid/)
      assert.equal(hooks.seen[0]?.review.apiVersion, 'admission.k8s.io/v1')
    })
  })

  describe('on custom resources whose versions a conversion webhook converts', () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const things = '/apis/hooked.example.com/v1/namespaces/default/things'
    const rules = [
      { operations: ['*'], apiGroups: ['hooked.example.com'], apiVersions: ['v1alpha1'], resources: ['things'] },
    ]
    const schemaOf = (...fields: string[]): object => {
      const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
      return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }
    }
    interface Thing {
      readonly apiVersion: string
      readonly spec: Readonly<Record<string, string>>
    }

    /** v1 has `host` and `port`, v1alpha1 has both in `hostPort`. */
    function converted({ spec, ...thing }: Thing, apiVersion: string): Thing {
      const [host = '', port = ''] = spec['hostPort']?.split(':') ?? []
      const isNew = apiVersion.endsWith('/v1')
      return { ...thing, apiVersion, spec: isNew ? { host, port } : { hostPort: `${spec['host']}:${spec['port']}` } }
    }

    let isDead = false
    before(async () => {
      hooks.on('/convert', (review) => {
        if (isDead) return { status: 503, body: '' }
        const { uid, objects, desiredAPIVersion } = review.request as unknown as Record<string, string> & {
          readonly objects: readonly Thing[]
        }
        const convertedObjects = objects.map((object) => converted(object, String(desiredAPIVersion)))
        const response = { uid, convertedObjects, result: { status: 'Success' } }
        return { status: 200, body: JSON.stringify({ ...review, request: undefined, response }) }
      })
      const clientConfig = { url: `${hooks.url}/convert`, caBundle: hooks.caBundle }
      const spec = {
        group: 'hooked.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
        versions: [
          { name: 'v1', served: true, storage: true, schema: schemaOf('host', 'port') },
          { name: 'v1alpha1', served: true, storage: false, schema: schemaOf('hostPort') },
        ],
      }
      const { status, text } = await call(definitions, {
        body: { metadata: { name: 'things.hooked.example.com' }, spec },
      })
      assert.equal(status, 201, text)
      await eventuallyEquals(async () => (await call(things)).status, 200, 'things are served', 10_000)
    })
    beforeEach(() => {
      isDead = false
    })

    let serial = 0
    const createThing = (): Promise<Answer> => {
      const name = `t${++serial}`
      const body = { apiVersion: 'hooked.example.com/v1', kind: 'Thing', metadata: { name }, spec: { host: name, port: '1' } } // biome-ignore format: one line
      return call(things, { body })
    }

    it('webhooks that mutate see and change the object in their version', async () => {
      hooks.on('/hook', ({ request }) => {
        const { spec } = request['object'] as Thing
        const patch = patchOf({ op: 'replace', path: '/spec/hostPort', value: `${spec['hostPort']}0` })
        return { response: { allowed: true, ...patch } }
      })
      const matchConditions = [{ name: 'old', expression: 'has(object.spec.hostPort)' }]
      await withHooks('Mutating', [{ rules, matchConditions }, { rules }], async () => {
        const { status, text, body } = await createThing()
        assert.equal(status, 201, text)
        assert.equal((body as Thing).apiVersion, 'hooked.example.com/v1')
        assert.equal((body as Thing).spec['port'], '100')
      })
    })

    it('webhooks that validate see both objects in their version', async () => {
      const { body } = await createThing()
      hooks.on('/hook', ({ request }) => {
        const [before, after] = [request['oldObject'] as Thing, request['object'] as Thing]
        const message = `from ${before.spec['hostPort']} to ${after.spec['hostPort']}`
        return { response: { allowed: false, status: { message } } }
      })
      await withHooks('Validating', [{ rules }], async () => {
        const path = `${things}/${String(body.metadata?.name)}`
        const changed = { ...body, spec: { host: 'other', port: '2' } }
        const { status, text } = await call(path, { method: 'PUT', body: changed })
        assert.equal(status, 400, text)
        assert.match(text, new RegExp(`from ${String(body.metadata?.name)}:1 to other:2`))
      })
    })

    for (const kind of ['Mutating', 'Validating'] as const)
      it(`${kind.toLowerCase()} webhooks fail the request where the object can not be converted, whatever their failurePolicy`, async () => {
        hooks.on('/hook', allow)
        await withHooks(kind, [{ rules, failurePolicy: 'Ignore' }], async () => {
          isDead = true
          const { status, body } = await createThing()
          assert.equal(status, 500)
          assert.match(body.message ?? '', /conversion webhook for hooked\.example\.com\/v1, Kind=Thing failed/)
          assert.equal(hooks.seen.filter(({ path }) => path === '/hook').length, 0)
        })
      })
  })

  it('give warnings to the client', async () => {
    hooks.on('/hook', () => ({ response: { allowed: true, warnings: ['careful'] } }))
    await withHooks('Validating', [{}], async () => {
      const { headers } = await create()
      assert.match(String(headers['warning']), /299 - "careful"/)
    })
  })

  it('webhooks of a service are called at its address, and must have a certificate for its name', async () => {
    const services = '/api/v1/namespaces/default/services'
    const outside = (name: string) => ({
      metadata: { name },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    })
    const empty = { metadata: { name: 'empty' }, spec: { ports: [{ name: 'h', port: hooks.port }] } }
    for (const body of [outside('hook'), outside('other'), empty])
      assert.equal((await call(services, { body })).status, 201)
    hooks.on('/hook', () => ({ response: { allowed: false, status: { message: 'from a service' } } }))
    const cases = [
      ['hook', /denied the request: from a service$/],
      ['other', /Post "https:\/\/other\.default\.svc:\d+\/hook\?timeout=10s": .*other\.default\.svc/],
      ['empty', /: no endpoints available for service "empty"$/],
      ['nowhere', /: service "nowhere" not found$/],
    ] as const
    for (const [name, message] of cases) {
      const service = { name, namespace: 'default', path: '/hook', port: hooks.port }
      await withHooks('Validating', [{ clientConfig: { service, caBundle: hooks.caBundle } }], async () => {
        assert.match((await create()).body.message ?? '', message)
      })
    }
  })

  it('can not prevent their own removal', async () => {
    hooks.on('/hook', () => ({ response: { allowed: false } }))
    const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]
    await withHooks('Validating', [{ rules: everything }], async () => {
      assert.equal((await create()).status, 400)
    })
    assert.equal((await create()).status, 201)
  })
})
