import assert from 'node:assert/strict'
import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  createAdmission,
  createNamespaceLifecycle,
  selectPlugins,
} from '../../../lib/admission/index.ts'
import { createFakeClock, type Metrics, silentMetrics } from '../../../lib/base/index.ts'
import { type ApiObject, StatusError, statusErrors } from '../../../lib/object/index.ts'

function attributes(fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    subresource: '',
    namespace: 'n',
    name: 'c',
    user: { name: 'u', uid: '', groups: [], extra: {} },
    dryRun: false,
    object: undefined,
    oldObject: undefined,
    options: undefined,
    signal: new AbortController().signal,
    warn() {},
    annotate() {},
    ...fields,
  }
}

describe('the admission chain', () => {
  const clock = createFakeClock()

  it('mutates in order, then validates in order, with and without promises', async () => {
    const seen: string[] = []
    const plugin = (name: string, later: boolean): AdmissionPlugin => ({
      name,
      handles: () => true,
      mutate: () =>
        later ? Promise.resolve().then(() => void seen.push(`mutate ${name}`)) : void seen.push(`mutate ${name}`),
      validate: () => void seen.push(`validate ${name}`),
    })
    const chain = createAdmission([plugin('a', true), plugin('b', false), plugin('c', true)], {
      metrics: silentMetrics,
      clock,
    })
    await chain.mutate(attributes())
    await chain.validate(attributes())
    assert.deepEqual(seen, ['mutate a', 'mutate b', 'mutate c', 'validate a', 'validate b', 'validate c'])
  })

  it('stops at the first refusal', async () => {
    const seen: string[] = []
    const chain = createAdmission(
      [
        {
          name: 'no',
          handles: () => true,
          mutate: () => Promise.reject(statusErrors.forbidden({ group: '', resource: 'x' }, 'y', 'no')),
        },
        { name: 'after', handles: () => true, mutate: () => void seen.push('after') },
      ],
      { metrics: silentMetrics, clock },
    )
    await assert.rejects(async () => chain.mutate(attributes()), /no/)
    assert.deepEqual(seen, [])
  })

  it('handles what a plugin handles, and answers at once for the rest', () => {
    const chain = createAdmission([{ name: 'p', handles: (operation) => operation === 'DELETE', validate() {} }], {
      metrics: silentMetrics,
      clock,
    })
    assert.equal(chain.handles('DELETE'), true)
    assert.equal(chain.handles('CREATE'), false)
    assert.equal(chain.mutate(attributes()), undefined)
  })

  it('counts each plugin and phase, and refusals', async () => {
    const observed: string[] = []
    const metrics: Metrics = {
      ...silentMetrics,
      histogram: ({ name }) => ({
        observe() {},
        at: (labels) => ({
          observe: () =>
            void observed.push(
              [name.replace(/apiserver_admission_|_admission_duration_seconds/g, ''), ...labels].join(' '),
            ),
        }),
      }),
    }
    const chain = createAdmission(
      [
        {
          name: 'p',
          handles: () => true,
          mutate() {},
          validate: () => {
            throw statusErrors.badRequest('no')
          },
        },
      ],
      { metrics, clock },
    )
    await chain.mutate(attributes())
    assert.throws(() => chain.validate(attributes()), StatusError)
    assert.deepEqual(observed, [
      'controller p CREATE false admit',
      'step CREATE false admit',
      'controller p CREATE true validate',
      'step CREATE true validate',
    ])
  })

  it('runs the plugins that are on by default, with enabled and without disabled ones', () => {
    const available = ['a', 'b', 'c'].map((name) => ({
      name,
      onByDefault: name !== 'b',
      create: () => ({ name, handles: () => true }),
    }))
    const names = (enable: string[], disable: string[]): string[] =>
      selectPlugins(available, { enable, disable }).map(({ name }) => name)
    assert.deepEqual(names([], []), ['a', 'c'])
    assert.deepEqual(names(['b'], ['c']), ['a', 'b'])
    assert.throws(() => names(['x'], []), /unknown admission plugins: x/)
    assert.throws(() => names(['a'], ['a']), /both enabled and disabled: a/)
  })
})

describe('NamespaceLifecycle', () => {
  const namespace = (phase: string): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n' },
    status: { phase },
  })

  function createWorld(cached: ApiObject | undefined, live: ApiObject | undefined) {
    const clock = createFakeClock()
    const looks = { live: 0 }
    const plugin = createNamespaceLifecycle({
      clock,
      cached: () => cached,
      live() {
        looks.live++
        return Promise.resolve(live)
      },
    })
    return {
      clock,
      looks,
      run: async (fields: Partial<AdmissionAttributes> = {}) => plugin.mutate?.(attributes(fields)),
    }
  }
  const refusal = (code: number) => (error: unknown) => error instanceof StatusError && error.code === code

  it('trusts a cache that shows the namespace', async () => {
    const { run, looks } = createWorld(namespace('Active'), undefined)
    await run()
    assert.equal(looks.live, 0)
  })

  it('reads the store before it reports that a namespace is missing', async () => {
    const late = createWorld(undefined, namespace('Active'))
    await late.run()
    assert.equal(late.looks.live, 1)
    await assert.rejects(createWorld(undefined, undefined).run(), refusal(404))
  })

  it('refuses new objects in a namespace that is being deleted, but allows changes and deletions', async () => {
    const { run } = createWorld(namespace('Terminating'), undefined)
    await assert.rejects(run(), refusal(403))
    await run({ operation: 'UPDATE' })
    await run({ operation: 'DELETE' })
  })

  it('does not trust an active namespace in the cache for a while after its deletion', async () => {
    const { run, clock } = createWorld(namespace('Active'), namespace('Terminating'))
    const kind = { group: '', version: 'v1', kind: 'Namespace' }
    await run({ operation: 'DELETE', kind, name: 'n' })
    await assert.rejects(run(), refusal(403))
    clock.advance(31_000)
    await run()
  })

  it('keeps the namespaces that the cluster needs', async () => {
    const { run } = createWorld(undefined, undefined)
    const kind = { group: '', version: 'v1', kind: 'Namespace' }
    for (const name of ['default', 'kube-system', 'kube-public'])
      await assert.rejects(run({ operation: 'DELETE', kind, name }), refusal(403))
    await run({ operation: 'DELETE', kind, name: 'kube-node-lease' })
  })

  it('reveals nothing about namespaces in access reviews', async () => {
    const { run } = createWorld(undefined, undefined)
    await run({ resource: { group: 'authorization.k8s.io', version: 'v1', resource: 'localsubjectaccessreviews' } })
  })
})
