import assert from 'node:assert/strict'
import { type Aggregation, createAggregation } from '../../../lib/aggregation/index.ts'
import { createSeededRandom, silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { eventually } from '../../support/eventually.ts'

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const groups = Array.from({ length: 20 }, (_, index) => `g${index}.example.com`)

describe('APIServices that change', () => {
  let kit: EndpointKit
  let aggregation: Aggregation
  let rounds = 0
  let canaries = 0

  beforeEach(async () => {
    kit = await createEndpointKit()
    const found = createAggregation(
      {
        clock: systemClock,
        random: createSeededRandom(1),
        log: silentLogger,
        metrics: silentMetrics,
        registry: kit.registry,
        served: kit.served,
        resolve: () => Promise.reject(new Error('no backend is asked before the start')),
        credentials: () => ({}),
        context: () => ({ user: { name: 'server', groups: [], uid: '', extra: {} }, dryRun: false, warn: () => {} }),
        applyDefaults: (object) => kit.scheme.objects.applyDefaults(object),
      },
      { rejectsRedirects: false, priorities: new Map(), isUserHeader: () => false },
    )
    assert(found)
    aggregation = found
    for (const group of groups) {
      const spec = {
        group,
        version: 'v1',
        groupPriorityMinimum: 2000,
        versionPriority: 15,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'backend' },
      }
      const answer = await kit.request('POST', services, { body: { metadata: { name: `v1.${group}` }, spec } })
      assert.equal(answer.status, 201, answer.text)
    }
    await aggregation.ready
    await eventually(() => {
      // Beside them are the groups of the server itself.
      const known = new Set(aggregation.groups().map(({ name }) => name))
      const missing = groups.filter((group) => !known.has(group))
      return missing.length === 0 || missing
    }, 'all are known')
    rounds = 0
    canaries = 0
    aggregation.onChange(() => rounds++)
  })
  afterEach(async () => {
    aggregation.close()
    await kit.close()
  })

  async function change(name: string, path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const answer = await kit.request('PATCH', `${services}/${name}${path}`, { body, headers })
    assert.equal(answer.status, 200, answer.text)
    // The canary is behind it in the order of events.
    const last = `v1.${groups.at(-1)}`
    const canary = rounds
    await kit.request('PATCH', `${services}/${last}`, { body: { spec: { versionPriority: 16 + canaries++ } }, headers })
    await eventually(() => rounds > canary, 'the canary is seen')
  }

  it('cause a new plan of registrations by a change of spec, and not by one of status', async () => {
    const condition = { type: 'Available', status: 'False', reason: 'R', message: '', lastTransitionTime: null }
    for (const [index, group] of groups.slice(0, -1).entries()) {
      await change(`v1.${group}`, '/status', { status: { conditions: [{ ...condition, message: `m${index}` }] } })
      assert.equal(rounds, index + 1, 'the canary alone counts')
    }
    await change(`v1.${groups[0]}`, '', { spec: { groupPriorityMinimum: 3000 } })
    assert.equal(rounds, groups.length + 1)
    // The group of APIServices itself is named before all others.
    assert.equal(aggregation.groups()[1]?.name, groups[0])
  })
})
