import assert from 'node:assert/strict'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type Answer, ask } from '../../support/plane.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const registration = '/apis/admissionregistration.k8s.io/v1'

const match = (resources: readonly string[], more: object = {}): object => ({
  resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources }],
  ...more,
})

describe('validating admission policies of a whole server', function () {
  this.timeout(60_000)
  const folder = scratchFolder('policies')
  let server: Apiserver
  before(async () => {
    server = await startComposed(folder.path, [])
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  const call = (path: string, options: Omit<NonNullable<Parameters<typeof ask>[2]>, 'token'> = {}): Promise<Answer> =>
    ask(server.url, path, { ...options, token: adminToken })
  let serial = 0

  /** Applies a policy while `run` runs: an added rule shows when it is in force, and when it is deleted. */
  async function withPolicy(
    { policy, binding = {} }: { readonly policy: Record<string, unknown>; readonly binding?: object },
    run: (name: string) => Promise<void>,
  ): Promise<void> {
    const name = `p${++serial}`
    const isProbe = `has(object.metadata) && object.metadata.name == "probe-${name}"`
    const spec = {
      matchConstraints: match(['configmaps']),
      ...policy,
      validations: [
        { expression: `object == null || !(${isProbe})`, message: 'probed' },
        ...((policy['validations'] as object[] | undefined) ?? []),
      ],
    }
    const created = await call(`${registration}/validatingadmissionpolicies`, { body: { metadata: { name }, spec } })
    assert.equal(created.status, 201, created.text)
    const bound = { policyName: name, validationActions: ['Deny'], ...binding }
    const binds = { metadata: { name }, spec: bound }
    const { status, text } = await call(`${registration}/validatingadmissionpolicybindings`, { body: binds })
    assert.equal(status, 201, text)
    try {
      await run(name)
    } finally {
      for (const plural of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
        assert.equal((await call(`${registration}/${plural}/${name}`, { method: 'DELETE' })).status, 200)
    }
  }
  const create = (name: string, data: object = {}, query = ''): Promise<Answer> =>
    call(`${maps}${query}`, { body: { metadata: { name }, data } })
  const inForce = (name: string): Promise<void> =>
    eventually(
      async () => (await create(`probe-${name}`, {}, '?dryRun=All')).text.includes('probed'),
      'the policy is in force',
      10_000,
    )

  it('refuse with a Status that names the broken rule, and allow the write once they are deleted', async () => {
    const validations = [{ expression: '!("secret" in object.data)', reason: 'Forbidden' }]
    await withPolicy({ policy: { validations } }, async (name) => {
      await inForce(name)
      const { status, body } = await create('bad', { secret: 'x' })
      assert.equal(status, 403)
      const told = `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: failed expression: !("secret" in object.data)` // biome-ignore format: one line
      assert.equal(body.message, `configmaps "bad" is forbidden: ${told}`)
      assert.deepEqual(body.details, { name: 'bad', kind: 'configmaps', causes: [{ message: told }] })
      assert.equal((await create('good', { public: 'x' }, '?dryRun=All')).status, 201)
    })
    await eventuallyEquals(
      async () => (await create('bad', { secret: 'x' }, '?dryRun=All')).status,
      201,
      'the policy is gone',
      10_000,
    )
  })

  it('see the options of the operation, CreateOptions and UpdateOptions for patches, too', async () => {
    const told = ['kind', 'fieldManager', 'fieldValidation'].map(
      (field) => `(has(request.options.${field}) ? string(request.options.${field}) : "-")`,
    )
    const validations = [
      {
        expression: 'has(object.metadata) && object.metadata.name.startsWith("probe-")',
        messageExpression: `["seen:", request.operation, ${told.join(', ')}, string(has(request.options.force))].join(" ")`,
      },
    ]
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'optioned' }, data: { a: '1' } }
    const created = await create('optioned')
    assert.equal(created.status, 201, created.text)
    const patching = (type: string) => ({ method: 'PATCH', headers: { 'content-type': `application/${type}` } })
    const steps: readonly [expected: string, path: string, options: Parameters<typeof call>[1]][] = [
      ['CREATE CreateOptions m Strict false', '?fieldManager=m&fieldValidation=Strict', { body: { ...map, metadata: { name: 'new' } } }],
      ['UPDATE UpdateOptions m - false', '/optioned?fieldManager=m', { method: 'PUT', body: map }],
      ['UPDATE UpdateOptions - - false', '/optioned', { ...patching('merge-patch+json'), body: { data: { a: '2' } } }],
      ['UPDATE UpdateOptions m - false', '/optioned?fieldManager=m', { ...patching('strategic-merge-patch+json'), body: { data: { a: '2' } } }],
      ['UPDATE UpdateOptions m - false', '/optioned?fieldManager=m', { ...patching('json-patch+json'), body: [{ op: 'add', path: '/data', value: { a: '2' } }] }],
      ['UPDATE UpdateOptions m - false', '/optioned?fieldManager=m&force=true', { ...patching('apply-patch+yaml'), body: map }],
      ['CREATE CreateOptions m - false', '/absent?fieldManager=m', { ...patching('apply-patch+yaml'), body: { ...map, metadata: { name: 'absent' } } }],
    ] // biome-ignore format: a table
    await withPolicy({ policy: { validations } }, async (name) => {
      await inForce(name)
      for (const [expected, path, options] of steps) {
        const { status, body } = await call(`${maps}${path}`, options)
        assert.deepEqual([status, /seen: (.*)$/.exec(body.message)?.[1]], [422, expected], path)
      }
    })
  })

  it('see patches, deletions, subresources and apply in their own form', async () => {
    const validations = [
      { expression: 'request.operation != "DELETE" || oldObject.data.keep != "yes"', message: 'kept' },
      { expression: 'object == null || !has(object.data) || !("a" in object.data) || object.data.a != "2"', message: 'two' }, // biome-ignore format: one line
    ]
    await withPolicy({ policy: { validations } }, async (name) => {
      await inForce(name)
      assert.equal((await create('kept', { keep: 'yes' })).status, 201)
      const patch = await call(`${maps}/kept`, {
        method: 'PATCH',
        body: { data: { a: '2' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
      assert.equal(patch.status, 422, patch.text)
      const apply = await call(`${maps}/applied?fieldManager=m`, {
        method: 'PATCH',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { a: '2' } },
        headers: { 'content-type': 'application/apply-patch+yaml' },
      })
      assert.equal(apply.status, 422, apply.text)
      assert.match((await call(`${maps}/kept`, { method: 'DELETE' })).body.message, /denied request: kept$/)
      // A collection's deletion stops at the first that is refused.
      assert.equal((await call(maps, { method: 'DELETE' })).status, 422)
    })
    await eventuallyEquals(
      async () => (await call(`${maps}/kept`, { method: 'DELETE' })).status,
      200,
      'it can be deleted',
      10_000,
    )
  })

  it('see objects in the version that they name', async () => {
    const policy = {
      matchConstraints: {
        resourceRules: [
          { operations: ['CREATE'], apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }, // biome-ignore format: one line
          { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
        ],
      },
      validations: [
        {
          expression: 'object.kind != "HorizontalPodAutoscaler" || object.spec.targetCPUUtilizationPercentage < 90',
          messageExpression: 'object.apiVersion + " of " + request.requestKind.version + " as " + request.kind.version',
        },
      ],
    }
    await withPolicy({ policy }, async (name) => {
      await inForce(name)
      const target = { type: 'Utilization', averageUtilization: 95 }
      const { body } = await call('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
        body: {
          metadata: { name: 'h' },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
          },
        },
      })
      assert.match(body.message, /denied request: autoscaling\/v1 of v2 as v1$/)
    })
  })

  it('use custom resources as parameters, also when these are created, changed and deleted', async () => {
    const group = 'limits.example.com'
    const definition = {
      metadata: { name: `limits.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'limits', singular: 'limit', kind: 'Limit', listKind: 'LimitList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { max: { type: 'integer' } } } },
          },
        ],
      },
    }
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const policy = {
      paramKind: { apiVersion: `${group}/v1`, kind: 'Limit' },
      validations: [
        { expression: 'object.data.size() <= params.max', messageExpression: '"max " + string(params.max)' },
      ],
    }
    const binding = { paramRef: { name: 'l', parameterNotFoundAction: 'Deny' } }
    const tried = async (): Promise<string> => {
      const { body } = await create('m', { a: '1', b: '2' }, '?dryRun=All')
      return String(body.message ?? 'created').replace(/^.*denied request: /, '')
    }
    const becomes = (text: string): Promise<void> => eventuallyEquals(() => tried(), text, text, 10_000)
    await withPolicy({ policy, binding }, async () => {
      const unknown = `failed to configure policy: failed to find resource referenced by paramKind: '${group}/v1, Kind=Limit'` // biome-ignore format: one line
      await becomes(unknown)
      assert.equal((await call(definitions, { body: definition })).status, 201)
      await becomes('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction') // biome-ignore format: one line
      const limits = `/apis/${group}/v1/namespaces/default/limits`
      const limit = { apiVersion: `${group}/v1`, kind: 'Limit', metadata: { name: 'l' }, max: 1 }
      assert.equal((await call(limits, { body: limit })).status, 201)
      await becomes('max 1')
      const change = await call(`${limits}/l`, {
        method: 'PATCH',
        body: { max: 2 },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
      assert.equal(change.status, 200)
      await becomes('created')
      assert.equal((await call(`${limits}/l`, { method: 'DELETE' })).status, 200)
      await becomes('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction') // biome-ignore format: one line
      assert.equal((await call(`${definitions}/limits.${group}`, { method: 'DELETE' })).status, 200)
      await becomes(unknown)
    })
  })

  it('never prevent their own deletion', async () => {
    const policy = {
      matchConstraints: match(['*/*']),
      validations: [{ expression: 'request.resource.resource == "configmaps"', message: 'locked' }],
    }
    await withPolicy({ policy }, async (name) => {
      await inForce(name)
      const secret = await call('/api/v1/namespaces/default/secrets', { body: { metadata: { name: 's' } } })
      assert.match(secret.body.message, /denied request: locked$/)
      const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }
      const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      assert.equal((await call(reviews, { body: review })).status, 201)
      // withPolicy deletes the binding and the policy.
    })
  })

  it('are counted in metrics', async () => {
    await withPolicy({ policy: { validations: [{ expression: 'object.data.size() < 1' }] } }, async (name) => {
      await inForce(name)
      assert.equal((await create('counted', { a: '1' })).status, 422)
      const { text } = await call('/metrics')
      const labels = [
        'enforcement_action="deny"',
        'error_type="no_error"',
        `policy="${name}"`,
        `policy_binding="${name}"`,
      ]
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith('apiserver_validating_admission_policy_check_total'))
      assert.ok(
        lines.some((line) => labels.every((label) => line.includes(label))),
        lines.join('\n'),
      )
    })
  })
})
