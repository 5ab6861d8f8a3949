import assert from 'node:assert/strict'
import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import { type Lister, listerOf } from '../../../lib/controller/index.ts'
import { podsOf, servicesFor } from '../../../lib/controllers/shared/serviceselector.ts'
import type { Frozen } from '../../../lib/object/index.ts'

describe('pods of services', () => {
  const pod = (namespace: string, name: string, labels: Record<string, string>): Frozen<Pod> =>
    ({ metadata: { namespace, name, labels }, spec: {}, status: {} }) as Frozen<Pod>
  const service = (namespace: string, name: string, selector?: Record<string, string>): Frozen<Service> =>
    ({ metadata: { namespace, name }, spec: { selector } }) as Frozen<Service>
  const names = (found: readonly { readonly metadata: { readonly name?: string | undefined } }[]): string[] =>
    found.map(({ metadata }) => metadata.name ?? '').sort()
  const pods = listerOf<Pod>([
    pod('a', 'one', { app: 'x', tier: 'front' }),
    pod('a', 'two', { app: 'x', tier: 'back' }),
    pod('a', 'three', { app: 'y', tier: 'back' }),
    pod('b', 'four', { app: 'x', tier: 'front' }),
    pod('a', 'bare', {}),
  ])
  const services = listerOf<Service>([
    service('a', 'front', { app: 'x', tier: 'front' }),
    service('a', 'all', { app: 'x' }),
    service('b', 'elsewhere', { app: 'x' }),
    service('a', 'none'),
  ])

  it('are those with all the labels of its selector, in its namespace', () => {
    assert.deepEqual(names(podsOf(service('a', 's', { app: 'x' }), pods)), ['one', 'two'])
    assert.deepEqual(names(podsOf(service('a', 's', { tier: 'back', app: 'x' }), pods)), ['two'])
    assert.deepEqual(names(podsOf(service('a', 's', { tier: 'back', app: 'z' }), pods)), [])
    assert.deepEqual(names(servicesFor(pod('a', 'one', { app: 'x', tier: 'front' }), services)), ['all', 'front'])
    assert.deepEqual(names(servicesFor(pod('a', 'bare', {}), services)), [])
  })

  it('are found without reading every pod of the namespace', () => {
    const everything = (): never => {
      throw new Error('looked at everything')
    }
    const indexed: Lister<Pod> = {
      size: pods.size,
      get: everything,
      all: everything,
      in: everything,
      by: (index, value) => pods.by(index, value),
    }
    assert.deepEqual(names(podsOf(service('a', 's', { app: 'y' }), indexed)), ['three'])
  })
})
