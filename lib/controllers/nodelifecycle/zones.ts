import type { Node } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { readinessOf } from './health.ts'

export type ZoneState = 'Normal' | 'PartialDisruption' | 'FullDisruption'

export interface ZoneSettings {
  /** Nodes a second. */
  readonly nodeEvictionRate: number
  readonly secondaryNodeEvictionRate: number
  /** A number of nodes. In zones up to this size no node is tainted during a partial disruption. */
  readonly largeClusterSizeThreshold: number
  /** The share of nodes that are not ready. */
  readonly unhealthyZoneThreshold: number
}

export interface Zone {
  readonly size: number
  readonly unready: number
  readonly state: ZoneState
}

const excludeLabel = 'node.kubernetes.io/exclude-disruption'

/** '' for a node without labels of region and zone. */
export function zoneOf({ metadata }: Frozen<Node>): string {
  const labels = metadata.labels ?? {}
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? ''
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? ''
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`
}

export function zonesOf(nodes: Iterable<Frozen<Node>>, settings: ZoneSettings): ReadonlyMap<string, Zone> {
  const counts = new Map<string, { size: number; unready: number }>()
  for (const node of nodes) {
    const zone = zoneOf(node)
    const count = counts.get(zone) ?? { size: 0, unready: 0 }
    counts.set(zone, count)
    if (node.metadata.labels?.[excludeLabel] !== undefined) continue
    count.size++
    if (readinessOf(node) !== 'True') count.unready++
  }
  return new Map([...counts].map(([zone, count]) => [zone, { ...count, state: stateOf(count, settings) }]))
}

function stateOf({ size, unready }: { size: number; unready: number }, settings: ZoneSettings): ZoneState {
  if (unready > 0 && unready === size) return 'FullDisruption'
  if (unready > 2 && unready / size >= settings.unhealthyZoneThreshold) return 'PartialDisruption'
  return 'Normal'
}

/** Then this process has more likely lost its connection than every node its kubelet. */
export function areAllZonesDown(zones: ReadonlyMap<string, Zone>): boolean {
  return zones.size > 0 && [...zones.values()].every(({ state }) => state === 'FullDisruption')
}

/** Nodes of a zone that may be tainted a second. */
export function rateOf({ size, state }: Zone, settings: ZoneSettings): number {
  if (state !== 'PartialDisruption') return settings.nodeEvictionRate
  return size > settings.largeClusterSizeThreshold ? settings.secondaryNodeEvictionRate : 0
}
