import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { observe } from '../../../lib/controllers/endpoints/observe.ts'
import { plan } from '../../../lib/controllers/endpoints/plan.ts'
import { truncate } from '../../../lib/controllers/shared/endpointsubsets.ts'
import { runScripts } from '../../support/controllerscript.ts'

runScripts('endpoints', ({ key, lister }) => {
  const { services, pods, endpoints } = resources.core.v1
  const seen = observe({ services: lister(services), pods: lister(pods), endpoints: lister(endpoints) }, key)
  if (seen === 'gone' || seen === undefined) return seen
  const planned = plan(seen, undefined)
  return planned?.subsets?.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => ({
    ready: addresses.map(({ ip }) => ip).join(' '),
    notReady: notReadyAddresses.map(({ ip }) => ip).join(' '),
    ports: ports.map(({ name, port }) => `${name ?? ''}:${port}`).join(' '),
  }))
})

describe('endpoints: more addresses than one object holds', () => {
  const some = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }))

  it('the most addresses that one object holds stay as they are', () => {
    assert.equal(truncate([{ addresses: some(6), notReadyAddresses: some(4) }], 10), undefined)
  })

  it('ready ones come first, and each subset has its share', () => {
    const counts = truncate(
      [
        { addresses: some(4), notReadyAddresses: some(6) },
        { addresses: some(2), notReadyAddresses: some(6) },
      ],
      10,
    )?.map(({ addresses = [], notReadyAddresses = [] }) => [addresses.length, notReadyAddresses.length])
    assert.deepEqual(counts, [
      [4, 2],
      [2, 2],
    ])
    const ready = truncate([{ addresses: some(15) }, { addresses: some(5) }], 10)
    assert.deepEqual(
      ready?.map(({ addresses = [] }) => addresses.length),
      [8, 2],
    )
  })
})
