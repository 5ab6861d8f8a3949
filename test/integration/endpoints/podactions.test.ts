import assert from 'node:assert/strict'
import { systemClock } from '../../../lib/base/index.ts'
import { createBindingHandlers, createEvictionHandler } from '../../../lib/endpoints/index.ts'
import type { Registry, ResourceRegistry } from '../../../lib/registry/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const pods = '/api/v1/namespaces/default/pods'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const merge = { 'content-type': 'application/merge-patch+json' }
const conflict = (why: string): string => `Operation cannot be fulfilled on pods/binding "p": ${why}`

describe('endpoints: what is done to pods', () => {
  let kit: EndpointKit
  /** Happens right after an eviction has looked at its pod, once. */
  let afterLook: (() => Promise<unknown>) | undefined
  /** Gate AllowUnsafeMalformedObjectDeletion. */
  let unsafe = false
  beforeEach(async () => {
    afterLook = undefined
    unsafe = false
    kit = await createEndpointKit({
      virtual(registry) {
        const stored = registry.resource({ group: '', resource: 'pods' })
        assert.ok(stored)
        return [
          ...createBindingHandlers({ pods: stored, clock: systemClock, gate: () => false }),
          createEvictionHandler({ registry: interrupted(registry, stored), clock: systemClock, gate: () => unsafe }),
        ]
      },
    })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    await createPod('p')
  })
  afterEach(() => kit.close())

  function interrupted(registry: Registry, pods: ResourceRegistry): Registry {
    const get: ResourceRegistry['cache']['get'] = async (...of) => {
      const looked = await pods.cache.get(...of)
      const happens = afterLook
      afterLook = undefined
      await happens?.()
      return looked
    }
    const cache: ResourceRegistry['cache'] = Object.assign(Object.create(pods.cache), { get })
    return { ...registry, resource: (of) => (of.resource === 'pods' ? { ...pods, cache } : registry.resource(of)) }
  }

  function createPod(name: string, spec: object = {}): Promise<Answer> {
    const body = {
      metadata: { name, labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    }
    return kit.request('POST', pods, { body })
  }

  async function get(path: string): Promise<Record<string, Record<string, unknown>>> {
    return (await kit.request('GET', path)).json as Record<string, Record<string, unknown>>
  }

  describe('binding', () => {
    const bind = (body: object): Promise<Answer> => kit.request('POST', `${pods}/p/binding`, { body })
    const toNode = (name: string): object => ({ metadata: { name: 'p' }, target: { kind: 'Node', name } })

    it('assigns the pod to a node, and sets its condition PodScheduled', async () => {
      const { status, json } = await bind({ ...toNode('n1'), metadata: { name: 'p', annotations: { a: 'b' } } })
      assert.deepEqual([status, json['status']], [201, 'Success'])
      const pod = await get(`${pods}/p`)
      assert.equal(pod['spec']?.['nodeName'], 'n1')
      assert.deepEqual(pod['metadata']?.['annotations'], { a: 'b' })
      const [condition] = (pod['status']?.['conditions'] ?? []) as { type: string; status: string }[]
      assert.deepEqual([condition?.type, condition?.status], ['PodScheduled', 'True'])
    })

    it('does so through `bindings`, too', async () => {
      const { status } = await kit.request('POST', '/api/v1/namespaces/default/bindings', { body: toNode('n1') })
      assert.equal(status, 201)
      assert.equal((await get(`${pods}/p`))['spec']?.['nodeName'], 'n1')
    })

    it('changes nothing in a dry run', async () => {
      const { status } = await kit.request('POST', `${pods}/p/binding?dryRun=All`, { body: toNode('n1') })
      assert.equal(status, 201)
      assert.equal((await get(`${pods}/p`))['spec']?.['nodeName'], undefined)
    })

    it('refuses a pod that has a node', async () => {
      await bind(toNode('n1'))
      const { status, json } = await bind(toNode('n2'))
      assert.deepEqual([status, json.message], [409, conflict('pod p is already assigned to node "n1"')])
    })

    it('succeeds for one of many concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => bind(toNode(`n${index}`))))
      assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    })

    it('refuses a pod behind a gate', async () => {
      await kit.request('DELETE', `${pods}/p`)
      await createPod('p', { schedulingGates: [{ name: 'example.com/g' }] })
      const { status, json } = await bind(toNode('n1'))
      assert.deepEqual([status, json.message], [409, conflict('pod p has non-empty .spec.schedulingGates')])
    })

    it('refuses another name, no target and another kind of target', async () => {
      const unnamed = await bind({ target: { kind: 'Node', name: 'n' } })
      assert.deepEqual(
        [unnamed.status, unnamed.json.message],
        [400, 'name in URL does not match name in Binding object'],
      )
      const { status, json } = await bind({ metadata: { name: 'p' }, target: { kind: 'X' } })
      assert.equal(status, 500)
      assert.match(json.message ?? '', /target\.kind: Unsupported value: "X".*target\.name: Required value/)
    })

    it('answers 404 for a missing pod, and 405 for anything but POST', async () => {
      const { status } = await kit.request('POST', `${pods}/q/binding`, {
        body: { metadata: { name: 'q' }, target: { name: 'n' } },
      })
      assert.equal(status, 404)
      assert.equal((await kit.request('GET', `${pods}/p/binding`)).status, 405)
    })
  })

  describe('eviction', () => {
    const evict = (name: string, query = '', deleteOptions = {}): Promise<Answer> =>
      kit.request('POST', `${pods}/${name}/eviction${query}`, { body: { metadata: { name }, deleteOptions } })
    const isThere = async (name: string): Promise<boolean> => {
      const { status, json } = await kit.request('GET', `${pods}/${name}`)
      return status === 200 && json.metadata.deletionTimestamp === undefined
    }
    const patch = (path: string, body: object): Promise<Answer> => kit.request('PATCH', path, { headers: merge, body })
    const run = (isReady: boolean): Promise<Answer> =>
      patch(`${pods}/p/status`, {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
      })
    const createBudget = (spec: object = {}, name = 'b'): Promise<Answer> =>
      kit.request('POST', budgets, {
        body: { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...spec } },
      })
    const observe = (status: object): Promise<Answer> =>
      patch(`${budgets}/b/status`, { status: { observedGeneration: 1, ...status } })

    it('refuses options to delete unreadable objects', async () => {
      unsafe = true
      const refused = await evict('p', '', { ignoreStoreReadErrorWithClusterBreakingPotential: true })
      assert.equal(refused.status, 422)
      assert.match(refused.json.message ?? '', /can not be set for pod eviction, try after removing the option$/)
      assert.ok(await isThere('p'))
    })

    it('deletes a pod without a budget', async () => {
      await run(true)
      const { status, json } = await evict('p')
      assert.deepEqual([status, json['status']], [201, 'Success'])
      assert.equal(await isThere('p'), false)
    })

    it('accepts the earlier version', async () => {
      const body = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'p' } }
      assert.equal((await kit.request('POST', `${pods}/p/eviction`, { body })).status, 201)
      assert.equal(await isThere('p'), false)
    })

    it('is refused until the budget is observed', async () => {
      await run(true)
      await createBudget()
      const { status, json } = await evict('p')
      assert.equal(status, 429)
      assert.deepEqual(json.details, {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget b is still being processed by the server.' },
        ],
        retryAfterSeconds: 10,
      })
    })

    it('is refused when the budget is used up', async () => {
      await run(true)
      await createBudget()
      await observe({ currentHealthy: 1, desiredHealthy: 1 })
      const { status, json } = await evict('p')
      assert.equal(status, 429)
      assert.equal(json.message, "Cannot evict pod as it would violate the pod's disruption budget.")
      assert.equal(
        json.details?.causes?.[0]?.message,
        'The disruption budget b needs 1 healthy pods and has 1 currently',
      )
      assert.equal(await isThere('p'), true)
    })

    it('charges the budget, but not in a dry run', async () => {
      await run(true)
      await createBudget()
      await observe({ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 })
      assert.equal((await evict('p', '?dryRun=All')).status, 201)
      assert.equal((await get(`${budgets}/b`))['status']?.['disruptionsAllowed'], 1)
      assert.equal(await isThere('p'), true)
      assert.equal((await evict('p')).status, 201)
      const { disruptionsAllowed, disruptedPods } = (await get(`${budgets}/b`))['status'] ?? {}
      assert.equal(disruptionsAllowed, 0)
      assert.deepEqual(Object.keys(disruptedPods as object), ['p'])
    })

    const unhealthy: readonly (readonly [string, object, object, number])[] = [
      ['is evicted when enough others are healthy', {}, { currentHealthy: 1, desiredHealthy: 1 }, 201],
      ['stays when too few others are healthy', {}, { currentHealthy: 0, desiredHealthy: 1 }, 429],
      [
        'is evicted whenever the budget says so',
        { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
        { currentHealthy: 0, desiredHealthy: 1 },
        201,
      ],
    ]
    for (const [title, spec, status, code] of unhealthy)
      it(`a pod that is not ready ${title}`, async () => {
        await run(false)
        await createBudget(spec)
        await observe(status)
        assert.equal((await evict('p')).status, code)
      })

    it('ignores the budget for a pod that does not run', async () => {
      await createBudget()
      assert.equal((await evict('p')).status, 201)
      assert.equal(await isThere('p'), false)
    })

    const reasonOf = async (): Promise<unknown> => {
      const conditions = ((await get(`${pods}/p`))['status']?.['conditions'] ?? []) as {
        type: string
        reason?: string
      }[]
      return conditions.find(({ type }) => type === 'DisruptionTarget')?.reason
    }

    it('writes the reason into the pod’s status, also of a pending one', async () => {
      await kit.request('POST', `${pods}/p/binding`, { body: { metadata: { name: 'p' }, target: { name: 'n' } } })
      assert.equal((await evict('p')).status, 201)
      assert.equal(await reasonOf(), 'EvictionByEvictionAPI')
    })

    it('changes nothing of another pod than the intended one', async () => {
      await run(true)
      for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }]) {
        const { status, json } = await evict('p', '', { preconditions })
        assert.deepEqual([status, json.reason, await reasonOf()], [409, 'Conflict', undefined])
      }
      const { metadata } = await get(`${pods}/p`)
      const preconditions = { uid: metadata?.['uid'], resourceVersion: metadata?.['resourceVersion'] }
      assert.equal((await evict('p', '', { preconditions })).status, 201)
    })

    it('retries when a pod that waited has changed meanwhile', async () => {
      await createBudget()
      afterLook = () => run(true)
      assert.equal((await evict('p')).status, 429)
      assert.equal(await isThere('p'), true)
    })

    it('asks the client to retry when a pod that was not ready has changed meanwhile', async () => {
      await run(false)
      await createBudget({ unhealthyPodEvictionPolicy: 'AlwaysAllow' })
      afterLook = () => run(true)
      const { status, json } = await evict('p')
      assert.deepEqual([status, json.details?.retryAfterSeconds], [429, 10])
      assert.equal(await isThere('p'), true)
    })

    const explained: readonly (readonly [title: string, status: object, why: string])[] = [
      [
        'failed to be computed',
        { currentHealthy: 1, desiredHealthy: 1, conditions: [{ reason: 'SyncFailed', message: 'no scale' }] },
        'The disruption budget b does not allow evicting pods currently because it failed sync: no scale',
      ],
      [
        'says why',
        { currentHealthy: 2, desiredHealthy: 1, conditions: [{ reason: 'Other', message: 'because' }] },
        'The disruption budget b does not allow evicting pods currently (Other): because',
      ],
      [
        'does not say why',
        { currentHealthy: 2, desiredHealthy: 1 },
        'The disruption budget b does not allow evicting pods currently',
      ],
    ]
    for (const [title, given, why] of explained)
      it(`names the reason why a budget is used up that ${title}`, async () => {
        await run(true)
        await createBudget()
        const { conditions = [], ...status } = given as { conditions?: object[] }
        const lastTransitionTime = '2025-05-01T00:00:00Z'
        const made = conditions.map((one) => ({
          type: 'DisruptionAllowed',
          status: 'False',
          lastTransitionTime,
          ...one,
        }))
        assert.equal((await observe({ ...status, conditions: made })).status, 200)
        assert.equal((await evict('p')).json.details?.causes?.[0]?.message, why)
      })

    it('refuses a pod with two budgets', async () => {
      await run(true)
      await createBudget()
      await createBudget({ selector: {} }, 'all')
      const { status, json } = await evict('p')
      assert.deepEqual(
        [status, json.message],
        [500, 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'],
      )
    })

    it('ignores a budget with an invalid selector, as an older server may have stored it', async () => {
      await run(true)
      const selector = { matchExpressions: [{ key: 'app', operator: 'Near', values: ['x'] }] }
      const stored = {
        kind: 'PodDisruptionBudget',
        apiVersion: 'policy/v1',
        metadata: { name: 'odd', namespace: 'default', uid: 'u' },
        spec: { minAvailable: 1, selector },
      }
      const key = '/registry/poddisruptionbudgets/default/odd'
      await kit.store.create(key, Buffer.from(JSON.stringify(stored)))
      assert.deepEqual((await get(`${budgets}/odd`))['spec']?.['selector'], selector)
      assert.equal((await evict('p')).status, 201)
    })

    it('answers 404 for a missing pod', async () => {
      assert.equal((await evict('q')).status, 404)
    })
  })
})
