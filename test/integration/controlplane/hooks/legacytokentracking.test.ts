import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, type FakeClock, silentLogger } from '../../../../lib/base/index.ts'
import { createLegacyTokenTracking } from '../../../../lib/controlplane/hooks/legacytokentracking.ts'
import { createEndpointKit, type EndpointKit } from '../../../support/endpointkit.ts'
import { eventually } from '../../../support/eventually.ts'

const collection = '/api/v1/namespaces/kube-system/configmaps'
const name = 'kube-apiserver-legacy-service-account-token-tracking'
const halfHourMs = 30 * 60_000

describe('the day since which the use of legacy tokens is noted', () => {
  let kit: EndpointKit
  let clock: FakeClock
  let tracking: ReturnType<typeof createLegacyTokenTracking>

  beforeEach(async () => {
    kit = await createEndpointKit()
    clock = createFakeClock(Date.parse('2025-05-01T23:30:00Z'))
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'kube-system' } } })
    tracking = createLegacyTokenTracking({
      clock,
      random: createSeededRandom(1),
      log: silentLogger,
      registry: kit.registry,
    })
  })
  afterEach(async () => {
    await tracking.close()
    await kit.close()
  })

  const start = (): Promise<void> => tracking.run()
  const published = async (): Promise<unknown> => (await kit.request('GET', `${collection}/${name}`)).json['data']
  const store = (data: object) => kit.request('POST', collection, { body: { metadata: { name }, data } })

  it('is the first day of tracking, also after it has passed', async () => {
    await start()
    assert.deepEqual(await published(), { since: '2025-05-01' })
    clock.advance(2 * halfHourMs)
    await tracking.run()
    assert.deepEqual(await published(), { since: '2025-05-01' })
  })

  it('stays as stored by another server, with all other keys', async () => {
    await store({ since: '2024-02-29', note: 'mine' })
    await start()
    assert.deepEqual(await published(), { since: '2024-02-29', note: 'mine' })
  })

  for (const since of ['', 'yesterday', '2025-05-02', '2025-99-99', '2024-01-01T00:00:00Z'])
    it(`is today where the stored date is "${since}"`, async () => {
      await store({ since, note: 'mine' })
      await start()
      assert.deepEqual(await published(), { since: '2025-05-01', note: 'mine' })
    })

  it('is restored after a while when it was deleted', async () => {
    await start()
    await kit.request('DELETE', `${collection}/${name}`)
    clock.advance(halfHourMs)
    await eventually(async () => (await published()) !== undefined, 'the ConfigMap')
    assert.deepEqual(await published(), { since: '2025-05-02' })
  })
})
