import type { Endpoints } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerContext, type ControllerDefinition, keyOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { createSliceMetrics } from '../shared/slicemetrics.ts'
import { writeSlices } from '../shared/writeslices.ts'
import { byService, isSkipped, observe, serviceKeyOf } from './observe.ts'
import { type Plan, plan } from './plan.ts'

const subsystem = 'endpoint_slice_mirroring_controller'
/** Delay after changes of slices by others. */
const othersMs = 1000

/** Mirrors Endpoints that users maintain to slices, for clients that read slices only. */
export const endpointslicemirroring: ControllerDefinition = {
  name: 'endpointslice-mirroring-controller',
  aliases: ['endpointslicemirroring'],
  account: 'endpointslicemirroring-controller',
  component: 'endpoint-slice-mirroring-controller',
  start(context) {
    const { mirroringConcurrentServiceEndpointSyncs, mirroringMaxEndpointsPerSubset } = context.settings
    const batchMs = context.settings.mirroringEndpointsliceUpdatesBatchPeriod
    const services = context.informer(resources.core.v1.services)
    const endpoints = context.informer(resources.core.v1.endpoints)
    const slices = context.informer(resources.discovery.v1.endpointslices)
    const measured = createSliceMetrics(context.metrics, {
      subsystem,
      endpointsMax: mirroringMaxEndpointsPerSubset,
      hasTraits: false,
    })
    const seconds = context.metrics.histogram({
      name: `${subsystem}_endpoints_sync_duration`,
      help: 'Duration of a turn of Endpoints, in seconds.',
      buckets: Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index),
      stability: 'ALPHA',
    })
    const left = context.metrics.histogram({
      name: `${subsystem}_addresses_skipped_per_sync`,
      help: 'Addresses that a turn of Endpoints left out because they are invalid or too many.',
      buckets: Array.from({ length: 15 }, (_, index) => 2 ** (index + 1)),
      stability: 'ALPHA',
    })
    const queue = context.reconcile({
      name: 'endpoint_slice_mirroring',
      workers: mirroringConcurrentServiceEndpointSyncs,
      retriesMax: 15,
      firstMs: 1000,
      maxMs: 100_000,
      async turn(key, { client }) {
        const startMs = context.clock.monotonicMs()
        const seen = observe({ services, endpoints, slices }, key)
        const planned = plan(seen, mirroringMaxEndpointsPerSubset)
        if (seen.endpoints) report(context, seen.endpoints, planned, mirroringMaxEndpointsPerSubset)
        await writeSlices(planned, client)
        left.observe([], planned.invalid + planned.skipped)
        measured.written(key, seen.slices, planned)
        if (!seen.endpoints) measured.forget(key)
        seconds.observe([], (context.clock.monotonicMs() - startMs) / 1000)
      },
    })
    /** True for almost all Endpoints: the service has a selector, and no mirrored slice is left. */
    const isForeign = (key: string): boolean =>
      services.get(key)?.spec.selector !== undefined && slices.by(byService, key).length === 0
    endpoints.subscribe(({ object, before }) => {
      const key = keyOf(object)
      if (isForeign(key)) return
      if (!isSkipped(object) || (before && !isSkipped(before))) queue.addAfter(key, batchMs)
    })
    services.subscribe(({ object, before, deleted }) => {
      const hasNoSelector = object.spec.selector === undefined
      const changed = before !== undefined && (before.spec.selector === undefined) !== hasNoSelector
      if (deleted || changed || (!before && hasNoSelector)) queue.addAfter(keyOf(object), batchMs)
    })
    slices.subscribe(({ object, before, deleted }) => {
      const key = serviceKeyOf(object)
      const former = before && serviceKeyOf(before)
      const pauseMs = Math.max(othersMs, batchMs)
      if (key !== undefined && (before || deleted)) queue.addAfter(key, pauseMs)
      if (former !== undefined && former !== key) queue.addAfter(former, pauseMs)
    })
    // Finds slices whose Endpoints were deleted while no controller ran.
    context.whenSynced(() => {
      for (const slice of slices.all()) {
        const key = serviceKeyOf(slice)
        if (key !== undefined) queue.add(key)
      }
    })
  },
}

function report(
  { events }: ControllerContext,
  about: Frozen<Endpoints>,
  { invalid, skipped }: Plan,
  max: number,
): void {
  if (invalid > 0) {
    const message = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`
    events.event(about, 'Warning', 'InvalidIPAddress', message)
  }
  if (skipped > 0) {
    const message = `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`
    events.event(about, 'Warning', 'TooManyAddressesToMirror', message)
  }
}
