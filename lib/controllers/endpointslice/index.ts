import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isConflict, keyOf } from '../../controller/index.ts'
import { deepEqual } from '../../object/index.ts'
import { servicesChangedBy } from '../shared/servicechanges.ts'
import { createSliceMetrics } from '../shared/slicemetrics.ts'
import { createTriggerTimes } from '../shared/triggertimes.ts'
import { createWriteSpacing } from '../shared/writespacing.ts'
import { observe, serviceKeyOf } from './observe.ts'
import { perform } from './perform.ts'
import { plan } from './plan.ts'
import { type CpuShares, cpuShares, isTopologyAware, shareOf } from './topology.ts'

/** Delay after changes of slices by others. */
const othersMs = 1000
/** Minimum time between writes of one service's slices (decision endpoints-in-bursts). */
const spacingMs = 200

/** Maintains the endpoint slices of each service with a selector. */
export const endpointslice: ControllerDefinition = {
  name: 'endpointslice-controller',
  aliases: ['endpointslice'],
  account: 'endpointslice-controller',
  component: 'endpoint-slice-controller',
  start(context) {
    const { concurrentServiceEndpointSyncs, maxEndpointsPerSlice, endpointsliceUpdatesBatchPeriod } = context.settings
    const services = context.informer(resources.core.v1.services)
    const pods = context.informer(resources.core.v1.pods)
    const nodes = context.informer(resources.core.v1.nodes)
    const slices = context.informer(resources.discovery.v1.endpointslices)
    const times = createTriggerTimes()
    const spacing = createWriteSpacing(context.clock, spacingMs)
    const measured = createSliceMetrics(context.metrics, {
      subsystem: 'endpoint_slice_controller',
      endpointsMax: maxEndpointsPerSlice,
      hasTraits: true,
    })
    const syncs = context.metrics.counter({
      name: 'endpoint_slice_controller_syncs',
      help: 'Turns of services, by result.',
      labels: ['result'],
      stability: 'ALPHA',
    })
    /** Computed for the first service that needs them after a change of a node. */
    let shares: { readonly of: CpuShares } | undefined
    const queue = context.reconcile({
      name: 'endpoint_slice',
      workers: concurrentServiceEndpointSyncs,
      retriesMax: 15,
      firstMs: 1000,
      async turn(key, { client }) {
        const seen = observe({ services, pods, nodes, slices }, key)
        if (!seen) {
          times.forget(key)
          spacing.forget(key)
          measured.forget(key)
          return undefined
        }
        const leftMs = spacing.leftMs(key)
        if (leftMs > 0) return { againAfterMs: leftMs }
        const triggered = times.next(key, seen.service, seen.pods)
        const options = {
          endpointsMax: maxEndpointsPerSlice,
          triggered,
          shares: () => (shares ??= { of: cpuShares(nodes.all()) }).of,
        }
        const planned = plan(seen, options)
        try {
          await perform(seen, planned, { client, events: context.events })
        } catch (error) {
          syncs.add([isConflict(error) ? 'stale' : 'error'])
          throw error
        }
        if (planned.create.length + planned.update.length + planned.delete.length > 0) spacing.wrote(key)
        syncs.add(['success'])
        measured.written(key, seen.slices, planned, {
          topology: isTopologyAware(seen.service) ? 'Auto' : 'Disabled',
          trafficDistribution: seen.service.spec.trafficDistribution ?? '',
        })
        return undefined
      },
    })
    services.subscribe(({ object }) => queue.add(keyOf(object)))
    pods.subscribe((change) => {
      for (const key of servicesChangedBy(change, services)) queue.addAfter(key, endpointsliceUpdatesBatchPeriod)
    })
    nodes.subscribe(({ object, before, deleted }) => {
      if (!deleted && before && deepEqual(shareOf(before), shareOf(object))) return
      shares = undefined
      for (const service of services.all())
        if (isTopologyAware(service)) queue.addAfter(keyOf(service), endpointsliceUpdatesBatchPeriod)
    })
    slices.subscribe(({ object, before, deleted }) => {
      const key = serviceKeyOf(object)
      const former = before && serviceKeyOf(before)
      const pauseMs = Math.max(othersMs, endpointsliceUpdatesBatchPeriod)
      if (key !== undefined && (before || deleted)) queue.addAfter(key, pauseMs)
      if (former !== undefined && former !== key) queue.addAfter(former, pauseMs)
    })
  },
}
