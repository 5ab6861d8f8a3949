import type { Endpoint, EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import type { Metrics } from '../../base/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { keyOfPorts } from './endpointslices.ts'
import type { SliceChanges } from './writeslices.ts'

type Slices = readonly Frozen<EndpointSlice>[]

interface SliceMetrics {
  /** Records changes of a service's slices, which were `before`. */
  written(key: string, before: Slices, changes: SliceChanges, more?: ServiceTraits): void
  /** Forgets a service without slices. */
  forget(key: string): void
}

/** The traffic distribution of a service, as labels of metrics. */
interface ServiceTraits {
  readonly topology: 'Auto' | 'Disabled'
  readonly trafficDistribution: string
}

/** The endpoints and slices of one service. */
interface Extent {
  readonly endpoints: number
  readonly slices: number
  /** The number of slices if each were full. */
  readonly slicesWanted: number
  readonly trafficDistribution: string
}

const endpointBuckets = Array.from({ length: 15 }, (_, index) => 2 ** (index + 1))
/** The defaults of Prometheus' clients. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const distributions = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode'])

/**
 * Registers the stock metrics of a controller of slices. `subsystem`: as in `endpoint_slice_controller`.
 * `endpointsMax`: of a slice.
 */
export function createSliceMetrics(
  metrics: Metrics,
  { subsystem, endpointsMax, hasTraits }: { subsystem: string; endpointsMax: number; hasTraits: boolean },
): SliceMetrics {
  const stability = 'ALPHA'
  const about = (name: string, help: string, labels: readonly string[] = []) =>
    ({ name: `${subsystem}_${name}`, help, labels, stability }) as const
  const counts = (name: string, help: string) => metrics.histogram({ ...about(name, help), buckets: endpointBuckets })
  const extents = new Map<string, Extent>()
  const sum = (name: string, help: string, of: (extent: Extent) => number): void =>
    metrics.gauge(about(name, help)).collect(() => {
      let value = 0
      for (const extent of extents.values()) value += of(extent)
      return [{ labels: [], value }]
    })
  const added = counts('endpoints_added_per_sync', 'Endpoints that a turn of a service added.')
  const removed = counts('endpoints_removed_per_sync', 'Endpoints that a turn of a service removed.')
  const updated = hasTraits ? undefined : counts('endpoints_updated_per_sync', 'Endpoints that a turn of a service changed.') // biome-ignore format: one line
  const changed = metrics.counter(about('changes', 'Changes to slices.', ['operation']))
  sum('endpoints_desired', 'Number of desired endpoints.', ({ endpoints }) => endpoints)
  sum('num_endpoint_slices', 'Number of slices.', ({ slices }) => slices)
  sum('desired_endpoint_slices', 'Number of slices if each were full.', ({ slicesWanted }) => slicesWanted)
  const perSync = hasTraits
    ? metrics.histogram({
        ...about('endpointslices_changed_per_sync', 'Slices that a turn of a service changed.', [
          'topology',
          'traffic_distribution',
        ]),
        buckets: defaultBuckets,
      })
    : undefined
  if (hasTraits)
    metrics
      .gauge(about('services_count_by_traffic_distribution', 'Services, by their traffic distribution.', ['traffic_distribution'])) // biome-ignore format: one line
      .collect(() => {
        const services = Map.groupBy(extents.values(), ({ trafficDistribution }) => trafficDistribution)
        return Array.from(services, ([label, those]) => ({ labels: [label], value: those.length }))
      })

  return {
    written(key, before, changes, traits) {
      const touched = new Set([...changes.delete, ...changes.update].map(({ metadata }) => metadata.name))
      const former = before.filter(({ metadata }) => touched.has(metadata.name))
      const made = [...changes.create, ...changes.update]
      const after = [...before.filter(({ metadata }) => !touched.has(metadata.name)), ...made]
      // Unchanged slices add and remove nothing.
      const [had, has] = [endpointsIn(former), endpointsIn(made)]
      added.observe(
        [],
        count(has, (address) => !had.has(address)),
      )
      removed.observe(
        [],
        count(had, (address) => !has.has(address)),
      )
      const isChanged = (address: string): boolean => had.has(address) && !deepEqual(had.get(address), has.get(address))
      updated?.observe([], count(has, isChanged))
      const trafficDistribution = labelOf(traits?.trafficDistribution ?? '')
      const operations = { create: changes.create, update: changes.update, delete: changes.delete }
      let all = 0
      for (const [operation, slices] of Object.entries(operations)) {
        all += slices.length
        if (slices.length > 0) changed.add([operation], slices.length)
      }
      perSync?.observe([traits?.topology ?? 'Disabled', trafficDistribution], all)
      extents.set(key, {
        endpoints: endpointsOf(after),
        slices: after.length,
        slicesWanted: slicesWanted(after, endpointsMax),
        trafficDistribution,
      })
    },
    forget: (key) => void extents.delete(key),
  }
}

/** By their address. */
function endpointsIn(slices: Slices): ReadonlyMap<string, Frozen<Endpoint>> {
  const found = new Map<string, Frozen<Endpoint>>()
  for (const { endpoints } of slices)
    for (const endpoint of endpoints ?? []) found.set(endpoint.addresses?.[0] ?? '', endpoint)
  return found
}

function count(endpoints: ReadonlyMap<string, unknown>, is: (address: string) => boolean): number {
  let found = 0
  for (const address of endpoints.keys()) if (is(address)) found++
  return found
}

function endpointsOf(slices: Slices): number {
  return slices.reduce((sum, { endpoints }) => sum + (endpoints?.length ?? 0), 0)
}

function slicesWanted(slices: Slices, endpointsMax: number): number {
  const groups = Map.groupBy(slices, ({ addressType, ports }) => `${addressType} ${keyOfPorts(ports ?? [])}`)
  let wanted = 0
  for (const those of groups.values()) {
    wanted += Math.max(1, Math.ceil(endpointsOf(those) / endpointsMax))
  }
  return wanted
}

/** Users choose the value: others than the known ones share one label. */
function labelOf(trafficDistribution: string): string {
  return trafficDistribution === '' || distributions.has(trafficDistribution) ? trafficDistribution : 'ImplementationSpecific' // biome-ignore format: one line
}
