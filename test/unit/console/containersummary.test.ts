import assert from 'node:assert/strict'
import { containersOf, podOf } from '../../../console/state/containersummary.ts'
import { selectorText, selectsPods } from '../../../console/state/selectortext.ts'

const spec = { containers: [{ name: 'web', image: 'nginx:1.29' }] }

describe('containers in the console', () => {
  const stateOf = (status: object) => {
    const [container] = containersOf({ spec, status: { containerStatuses: [{ name: 'web', ...status }] } })
    return container
  }

  it('are those of the pod, of a template, of the template of a template, and of nothing else', () => {
    assert.deepEqual(podOf({ spec }), { spec })
    assert.deepEqual(podOf({ spec: { template: { spec } } }), { spec })
    assert.deepEqual(podOf({ spec: { jobTemplate: { spec: { template: { spec } } } } }), { spec })
    for (const other of [
      {},
      { spec: {} },
      { spec: { template: 'x' } },
      { spec: { template: { spec: { containers: 1 } } } },
    ])
      assert.equal(podOf(other), undefined)
  })

  it('come in the order of their start, with what each is for', () => {
    const pod = {
      spec: {
        ...spec,
        initContainers: [{ name: 'first' }, { name: 'proxy', restartPolicy: 'Always' }],
        ephemeralContainers: [{ name: 'debug' }],
      },
    }
    const found = containersOf(pod).map(({ name, role }) => `${name} ${role}`)
    assert.deepEqual(found, ['first init', 'proxy sidecar', 'web container', 'debug ephemeral'])
  })

  it('have ports and amounts as text, and no state before the node reports one', () => {
    const container = {
      name: 'web',
      ports: [
        { name: 'http', containerPort: 80 },
        { containerPort: 53, protocol: 'UDP' },
      ],
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
    }
    const [found] = containersOf({ spec: { containers: [container] } })
    assert.equal(found?.ports, 'http 80/TCP, 53/UDP')
    assert.deepEqual([found?.requests, found?.limits], ['cpu 100m, memory 64Mi', ''])
    assert.deepEqual([found?.state, found?.last, found?.restarts], [undefined, undefined, 0])
  })

  it('say what they do, and how they ended before', () => {
    const startedAt = '2026-11-28T00:00:00Z'
    const running = stateOf({ ready: true, state: { running: { startedAt } } })?.state
    assert.deepEqual(running, { words: 'running', tone: 'good', sinceMs: Date.parse(startedAt) })
    assert.equal(stateOf({ ready: false, state: { running: { startedAt } } })?.state?.tone, 'waits')
    assert.equal(stateOf({ state: { waiting: { reason: 'ContainerCreating' } } })?.state?.tone, 'waits')
    const pull = stateOf({ state: { waiting: { reason: 'ErrImagePull', message: 'no such image' } } })?.state
    assert.deepEqual([pull?.words, pull?.tone], ['waiting: ErrImagePull, no such image', 'bad'])
    const killed = stateOf({ restartCount: 3, lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } } })
    assert.deepEqual([killed?.last?.words, killed?.last?.tone], ['OOMKilled (exit code 137)', 'bad'])
    assert.equal(killed?.restarts, 3)
    assert.equal(stateOf({ state: { terminated: { reason: 'Completed', exitCode: 0 } } })?.state?.words, 'Completed')
    for (const odd of ['running', 7, [], { running: 1 }, {}]) assert.equal(stateOf({ state: odd })?.state, undefined)
  })
})

describe('selectors of workloads in the console', () => {
  it('become query parameters, maps and expressions alike', () => {
    assert.equal(selectorText({ app: 'web', tier: 'front' }), 'app=web,tier=front')
    const matchExpressions = [
      { key: 'a', operator: 'In', values: ['x', 'y'] },
      { key: 'b', operator: 'NotIn', values: ['z'] },
      { key: 'c', operator: 'Exists' },
      { key: 'd', operator: 'DoesNotExist' },
    ]
    assert.equal(selectorText({ matchLabels: { app: 'web' }, matchExpressions }), 'app=web,a in (x,y),b notin (z),c,!d')
    assert.equal(selectorText(undefined), '')
  })

  it('choose pods only beside a template', () => {
    assert.equal(selectsPods({ spec: { selector: {}, template: { spec } } }), true)
    assert.equal(selectsPods({ spec: { selector: { app: 'web' } } }), false)
    assert.equal(selectsPods(undefined), false)
  })
})
