import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import {
  parseEventLimits,
  parseLimitedResources,
  parsePodNodeSelector,
  parsePodTolerations,
} from '../../../cmd/apiserver/pluginsettings.ts'
import {
  createEventRateLimit,
  createPodNodeSelector,
  createPodTolerationRestriction,
  parseNodeLabels,
} from '../../../lib/admission/index.ts'
import type { Clock } from '../../../lib/base/index.ts'
import { admit, make } from '../../support/admissionkit.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const namespaceWith = (annotations: Record<string, string> = {}) => ({
  namespace: () => Promise.resolve({ metadata: { annotations } } as core.Namespace),
})
const prefix = 'scheduler.alpha.kubernetes.io/'

describe('PodNodeSelector', () => {
  const pod = (nodeSelector: Record<string, string>) => make('Pod', { containers: [], nodeSelector })
  const settings = parsePodNodeSelector(
    'podNodeSelectorPluginConfig:\n  clusterDefaultNodeSelector: zone=a\n  ns: zone=a,disk=ssd',
  )
  const selectorOf = async (annotation: string | undefined, own: Record<string, string>): Promise<unknown> => {
    const annotations: Record<string, string> =
      annotation === undefined ? {} : { [`${prefix}node-selector`]: annotation }
    const admitted = await admit(createPodNodeSelector(namespaceWith(annotations), settings), 'pods', pod(own))
    return (admitted.spec as core.PodSpec).nodeSelector
  }

  it("adds the namespace's labels, or the cluster's where it has none", async () => {
    assert.deepEqual(await selectorOf('disk=ssd', { zone: 'a' }), { zone: 'a', disk: 'ssd' })
    assert.deepEqual(await selectorOf(undefined, {}), { zone: 'a' })
    assert.deepEqual(await selectorOf('', { zone: 'a' }), { zone: 'a' })
  })
  it('refuses pods that select other nodes', async () => {
    await assert.rejects(selectorOf('disk=ssd', { disk: 'hdd' }), {
      code: 403,
      message: 'pods "x" is forbidden: pod node label selector conflicts with its namespace node label selector',
    })
  })
  it('refuses labels that the namespace may not use', async () => {
    await assert.rejects(selectorOf('', { rack: '1' }), /labels conflict with its namespace whitelist/)
    await assert.rejects(selectorOf('', { constructor: 'x' }), /whitelist/)
  })
  it('refuses an annotation that is no list of labels', async () => {
    await assert.rejects(selectorOf('a in (b)', {}), /invalid selector: \[a in \(b\)\]/)
    assert.deepEqual(
      ['a=b, c=d', '', 'a', 'a=b=c', '=b'].map((text) => parseNodeLabels(text)),
      [{ a: 'b', c: 'd' }, {}, undefined, undefined, undefined],
    )
  })
})

describe('PodTolerationRestriction', () => {
  const settings = parsePodTolerations(
    JSON.stringify({
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      default: [{ key: 'a', operator: 'Exists' }],
      whitelist: [],
    }),
  )
  const run = async (
    tolerations: object[],
    annotations: Record<string, string> = {},
    requests = {},
  ): Promise<unknown> => {
    const pod = make('Pod', { containers: [{ name: 'c', resources: { requests } }], tolerations })
    const named = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [prefix + name, value]))
    const admitted = await admit(createPodTolerationRestriction(namespaceWith(named), settings), 'pods', pod)
    return (admitted.spec as core.PodSpec).tolerations
  }

  it("adds the namespace's tolerations, or the cluster's where it has none", async () => {
    assert.deepEqual(await run([]), [{ key: 'a', operator: 'Exists' }])
    assert.deepEqual(await run([], { defaultTolerations: '[{"key":"b","operator":"Exists"}]' }), [
      { key: 'b', operator: 'Exists' },
    ])
    assert.deepEqual(await run([], { defaultTolerations: '' }), [])
  })
  it('keeps the wider one of two tolerations', async () => {
    assert.deepEqual(await run([{ key: 'a', operator: 'Equal', value: '1', effect: 'NoSchedule' }]), [
      { key: 'a', operator: 'Exists' },
    ])
    assert.deepEqual(await run([{ operator: 'Exists' }]), [{ operator: 'Exists' }])
  })
  it('lets pods with requests stay on nodes that are short of memory', async () => {
    assert.deepEqual(((await run([], {}, { cpu: '1' })) as unknown[])[1], {
      key: 'node.kubernetes.io/memory-pressure',
      operator: 'Exists',
      effect: 'NoSchedule',
    })
  })
  it('refuses tolerations that the namespace does not allow', async () => {
    const allowed = {
      defaultTolerations: '',
      tolerationsWhitelist: '[{"key":"b","operator":"Exists","effect":"NoSchedule"}]',
    }
    await run([{ key: 'b', operator: 'Equal', value: 'x', effect: 'NoSchedule' }], allowed)
    const expected = /conflict with its namespace whitelist/
    await assert.rejects(run([{ key: 'b', operator: 'Equal', value: 'x', effect: 'NoExecute' }], allowed), expected)
    await assert.rejects(run([{ operator: 'Exists' }], allowed), expected)
  })
  it('refuses annotations that are no lists, and lists that are too long to compare', async () => {
    await assert.rejects(run([], { defaultTolerations: '{' }), /is no list of tolerations/)
    await assert.rejects(run([], { defaultTolerations: '[1]' }), /is no list of tolerations/)
    const many = Array.from({ length: 100_000 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }))
    const startMs = threadCpuMs()
    await assert.rejects(run(many), /250 tolerations at most/)
    assert.ok(threadCpuMs() - startMs < 500)
  })
})

describe('EventRateLimit', () => {
  let nowMs = 0
  const clock = { monotonicMs: () => nowMs } as Clock
  const limit = (type: string, more = ''): ReturnType<typeof createEventRateLimit> =>
    createEventRateLimit(
      { clock },
      parseEventLimits(
        `apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits:\n- {type: ${type}, qps: 1, burst: 2, cacheSize: 2}\n${more}`,
      ),
    )
  const event = (component: string) => ({
    ...make('Event', {}),
    source: { component },
    involvedObject: { kind: 'Pod', name: 'p' },
  })
  const send = (plugin: ReturnType<typeof limit>, component = 'c', options = {}) =>
    admit(plugin, 'events', event(component), options)

  it('refuses events beyond the burst, and lets them pass again at its rate', async () => {
    const plugin = limit('Namespace')
    await send(plugin)
    await send(plugin)
    await assert.rejects(send(plugin), {
      code: 429,
      reason: 'TooManyRequests',
      message: /^limit reached on type Namespace for key /,
    })
    nowMs += 1000
    await send(plugin)
    await assert.rejects(send(plugin), { code: 429 })
  })
  it('limits sources separately, up to its maximum, and names each limit that refuses', async () => {
    const plugin = limit('SourceAndObject')
    for (const source of ['a', 'b', 'c', 'a', 'b', 'c', 'd']) await send(plugin, source)
    const two = limit('Server', '- {type: User, qps: 1, burst: 1}\n')
    await send(two)
    await assert.rejects(send(two), { message: /^limit reached on type User for key / })
    await assert.rejects(send(two), { message: /^\[limit reached on type Server for key , limit reached on type User/ })
  })
  it('does not count dry runs, nor objects of other kinds', async () => {
    const plugin = limit('Server')
    for (let index = 0; index < 5; index++) await send(plugin, 'c', { dryRun: true })
    for (let index = 0; index < 5; index++) await admit(plugin, 'pods', make('Pod', {}))
    await send(plugin)
  })
})

describe('settings of plugins', () => {
  const limits = 'apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\n'
  const cases: [string, () => unknown, RegExp][] = [
    ['without a limit', () => parseEventLimits(limits), /^limits: Invalid value: \[\]: must not be empty$/],
    ['of an unknown type', () => parseEventLimits(`${limits}limits: [{type: X}]`), /type: Unsupported value: "X"/],
    [
      'without a rate',
      () => parseEventLimits(`${limits}limits: [{type: Server}]`),
      /qps: Invalid value: 0: must be positive/,
    ],
    [
      'with a negative size',
      () => parseEventLimits(`${limits}limits: [{type: Server, qps: 1, burst: 1, cacheSize: -1}]`),
      /cacheSize: Invalid value: -1: must not be negative/,
    ],
    ['of another kind', () => parseEventLimits('kind: Other\nlimits: []'), /apiVersion and kind must be/],
    ['with a field too many', () => parsePodNodeSelector('a: b'), /unknown field "a"/],
    [
      'with a text that is no labels',
      () => parsePodNodeSelector('podNodeSelectorPluginConfig: {web: a}'),
      /podNodeSelectorPluginConfig\.web: Invalid value: "a"/,
    ],
    [
      'with a toleration that is none',
      () =>
        parsePodTolerations(
          '{"apiVersion":"podtolerationrestriction.admission.k8s.io/v1alpha1","kind":"Configuration","default":[1]}',
        ),
      /default\[0\]: Invalid value: must be an object/,
    ],
    [
      'of a resource without a name',
      () =>
        parseLimitedResources(
          'apiVersion: apiserver.config.k8s.io/v1\nkind: ResourceQuotaConfiguration\nlimitedResources: [{}]',
        ),
      /limitedResources\[0\]\.resource: Required value/,
    ],
  ]
  for (const [title, parse, expected] of cases)
    it(`${title} are refused`, () => {
      assert.throws(parse, { message: expected })
    })
  it('limited resources have groups, names and scopes', () => {
    const text = `apiVersion: apiserver.config.k8s.io/v1
kind: ResourceQuotaConfiguration
limitedResources:
- apiGroup: ""
  resource: pods
  matchContains: [pods]
  matchScopes: [{scopeName: PriorityClass, operator: In, values: [high]}]
`
    assert.deepEqual(parseLimitedResources(text), [
      {
        group: '',
        resource: 'pods',
        contains: ['pods'],
        scopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
      },
    ])
  })
})
