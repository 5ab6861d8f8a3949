import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import { createLimitRanger } from '../../../lib/admission/index.ts'
import { createFakeClock } from '../../../lib/base/index.ts'
import { admit, make } from '../../support/admissionkit.ts'

type Item = Partial<core.LimitRangeItem>
const range = (...limits: Item[]): core.LimitRange => make('LimitRange', { limits }) as core.LimitRange
const container = (requests?: object, limits?: object, more: object = {}) => ({
  name: 'c',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
  ...more,
})
const pod = (...containers: object[]) => make('Pod', { containers })
const claim = (storage?: string) =>
  make('PersistentVolumeClaim', { resources: storage === undefined ? {} : { requests: { storage } } })

function pluginFor(ranges: readonly core.LimitRange[], podLevelResources = false) {
  const clock = createFakeClock()
  const list = async () => ranges
  return createLimitRanger({ clock, cached: list, live: list }, { podLevelResources })
}

describe('LimitRanger', () => {
  describe('fills in', () => {
    const defaults: Item = {
      type: 'Container',
      default: { cpu: '500m', memory: '1Gi' },
      defaultRequest: { cpu: '100m', memory: '512Mi' },
    }
    it('containers and init containers without resources get the defaults, and the pod names them in an annotation', async () => {
      const object = make('Pod', {
        containers: [container({ cpu: '200m' }), { ...container(), name: 'd' }],
        initContainers: [{ name: 'i' }],
      })
      const { spec, metadata } = (await admit(pluginFor([range(defaults)]), 'pods', object)) as core.Pod
      assert.deepEqual(spec.containers?.[0]?.resources, {
        requests: { cpu: '200m', memory: '512Mi' },
        limits: { cpu: '500m', memory: '1Gi' },
      })
      assert.deepEqual(spec.initContainers?.[0]?.resources.requests, { cpu: '100m', memory: '512Mi' })
      assert.equal(
        metadata.annotations?.['kubernetes.io/limit-ranger'],
        'LimitRanger plugin set: memory request for container c; cpu, memory limit for container c; cpu, memory request for container d; cpu, memory limit for container d; cpu, memory request for init container i; cpu, memory limit for init container i',
      )
    })

    it('a pod with all resources is left as it is, without an annotation', async () => {
      const full = container({ cpu: '1', memory: '1' }, { cpu: '1', memory: '1' })
      assert.deepEqual(await admit(pluginFor([range(defaults)]), 'pods', pod(full)), pod(full))
    })

    it('an update gets no defaults, as resources could not change', async () => {
      const object = pod(container())
      await admit(pluginFor([range(defaults)]), 'pods', object, { operation: 'UPDATE', oldObject: pod(container()) })
      assert.deepEqual(object, pod(container()))
    })
  })

  const sidecar = { restartPolicy: 'Always' }
  const findings: [string, Item, object, string | undefined][] = [
    [
      'a request below the minimum',
      { type: 'Container', min: { cpu: '100m' } },
      pod(container({ cpu: '50m' })),
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      'a limit below the minimum',
      { type: 'Container', min: { cpu: '100m' } },
      pod(container({ cpu: '1' }, { cpu: '50m' })),
      'minimum cpu usage per Container is 100m, but limit is 50m',
    ],
    [
      'no request under a minimum',
      { type: 'Container', min: { cpu: '100m' } },
      pod(container()),
      'minimum cpu usage per Container is 100m.  No request is specified',
    ],
    [
      'a limit above the maximum',
      { type: 'Container', max: { memory: '1Gi' } },
      pod(container({}, { memory: '2Gi' })),
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'a request above the maximum',
      { type: 'Container', max: { memory: '1Gi' } },
      pod(container({ memory: '2Gi' }, { memory: '1Gi' })),
      'maximum memory usage per Container is 1Gi, but request is 2Gi',
    ],
    [
      'no limit under a maximum',
      { type: 'Container', max: { cpu: '1' } },
      pod(container({ cpu: '1' })),
      'maximum cpu usage per Container is 1.  No limit is specified',
    ],
    [
      'equal amounts in other words',
      { type: 'Container', min: { cpu: '1' }, max: { cpu: '1' } },
      pod(container({ cpu: '1000m' }, { cpu: '1000m' })),
      undefined,
    ],
    [
      'a ratio that is too high',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod(container({ cpu: '100m' }, { cpu: '250m' })),
      'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
    ],
    [
      'a ratio that is just right',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2500m' } },
      pod(container({ cpu: '100m' }, { cpu: '250m' })),
      undefined,
    ],
    [
      'a ratio that fractions of two can not tell from the highest',
      { type: 'Container', maxLimitRequestRatio: { cpu: '11' } },
      pod(container({ cpu: '100m' }, { cpu: '1100m' })),
      undefined,
    ],
    [
      'a ratio of no request',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod(container({}, { cpu: '1' })),
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      'a ratio of no limit',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod(container({ cpu: '1' }, { cpu: '0' })),
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
    [
      'several findings at once',
      { type: 'Container', max: { cpu: '1', memory: '1Gi' } },
      pod(container({}, { cpu: '2', memory: '2Gi' })),
      '[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    ],
    [
      'an init container',
      { type: 'Container', max: { cpu: '1' } },
      make('Pod', { containers: [], initContainers: [container({}, { cpu: '2' })] }),
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      'the sum of containers',
      { type: 'Pod', max: { cpu: '1' } },
      pod(container({}, { cpu: '600m' }), container({}, { cpu: '600m' })),
      'maximum cpu usage per Pod is 1, but limit is 1200m',
    ],
    [
      'an init container that takes more than all others',
      { type: 'Pod', max: { cpu: '1' } },
      make('Pod', { containers: [container({}, { cpu: '1' })], initContainers: [container({}, { cpu: '2' })] }),
      'maximum cpu usage per Pod is 1, but limit is 2',
    ],
    [
      'an init container that takes less than all others',
      { type: 'Pod', max: { cpu: '1' } },
      make('Pod', { containers: [container({}, { cpu: '1' })], initContainers: [container({}, { cpu: '1' })] }),
      undefined,
    ],
    [
      'a sidecar, which counts beside the others',
      { type: 'Pod', max: { cpu: '1' } },
      make('Pod', {
        containers: [container({}, { cpu: '1' })],
        initContainers: [container({}, { cpu: '1' }, sidecar)],
      }),
      'maximum cpu usage per Pod is 1, but limit is 2',
    ],
    [
      'an init container beside a sidecar',
      { type: 'Pod', max: { cpu: '1' } },
      make('Pod', {
        containers: [],
        initContainers: [container({}, { cpu: '600m' }, sidecar), container({}, { cpu: '700m' })],
      }),
      'maximum cpu usage per Pod is 1, but limit is 1300m',
    ],
    [
      'a pod without a request',
      { type: 'Pod', min: { cpu: '1' } },
      pod(container()),
      'minimum cpu usage per Pod is 1.  No request is specified',
    ],
    [
      'a pod under a rule for claims',
      { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
      pod(container()),
      undefined,
    ],
    [
      'a claim above the maximum',
      { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
      claim('2Gi'),
      'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    ],
    [
      'a claim below the minimum',
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
      claim('1Mi'),
      'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
    ],
    [
      'a claim within',
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
      claim('1Gi'),
      undefined,
    ],
    [
      'a claim that asks for nothing',
      { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
      claim(),
      'maximum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified',
    ],
  ]
  for (const [title, item, object, why] of findings) {
    const { kind } = object as { kind: string }
    const resource = kind === 'Pod' ? 'pods' : 'persistentvolumeclaims'
    it(`${why === undefined ? 'lets pass' : 'refuses'} ${title}`, async () => {
      const admitted = admit(pluginFor([range(item)]), resource, structuredClone(object) as never)
      if (why === undefined) await admitted
      else await assert.rejects(admitted, { code: 403, message: `${resource} "x" is forbidden: ${why}` })
    })
  }

  const max: Item = { type: 'Container', max: { cpu: '1' } }
  const large = () => pod(container({}, { cpu: '2' }))
  it('checks a resize', () =>
    assert.rejects(
      admit(pluginFor([range(max)]), 'pods', large(), {
        operation: 'UPDATE',
        subresource: 'resize',
        oldObject: large(),
      }),
      /maximum cpu usage/,
    ))
  it('checks no other subresource of a pod', async () => {
    await admit(pluginFor([range(max)]), 'pods', large(), {
      operation: 'UPDATE',
      subresource: 'status',
      oldObject: large(),
    })
  })
  it('ignores objects that are being deleted', async () => {
    const oldObject = make('PersistentVolumeClaim', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    const plugin = pluginFor([range({ type: 'PersistentVolumeClaim', max: { storage: '1' } })])
    await admit(plugin, 'persistentvolumeclaims', claim('2'), { operation: 'UPDATE', oldObject })
  })
  it('checks pod-level resources only with their gate', async () => {
    const object = () => make('Pod', { containers: [container()], resources: { limits: { cpu: '2' } } })
    const ofPod = range({ type: 'Pod', max: { cpu: '1' } })
    await assert.rejects(admit(pluginFor([ofPod], true), 'pods', object()), /per Pod is 1, but limit is 2/)
    await assert.rejects(admit(pluginFor([ofPod], false), 'pods', object()), /per Pod is 1\. {2}No limit is specified/)
  })

  it('reads the store for a namespace without ranges, and again half a minute later', async () => {
    const clock = createFakeClock()
    let asked = 0
    let stored: core.LimitRange[] = []
    const live = async () => (asked++, stored)
    const plugin = createLimitRanger({ clock, cached: () => [], live }, { podLevelResources: false })
    await admit(plugin, 'pods', large())
    await admit(plugin, 'pods', large())
    assert.equal(asked, 1)
    stored = [range(max)]
    clock.advance(30_001)
    await assert.rejects(admit(plugin, 'pods', large()), /maximum cpu usage/)
  })
})
