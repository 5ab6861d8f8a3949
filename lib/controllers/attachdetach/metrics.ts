import type { LabelValues, Metrics } from '../../base/index.ts'
import { type Listers, wantedNodes } from './observe.ts'

/**
 * Registers the metrics of attachments. Returns the counter of volumes that were detached while they may be in use.
 */
export function createMetrics(metrics: Metrics, listers: Listers): (reason: string) => void {
  const total = metrics.gauge({
    name: 'attachdetach_controller_total_volumes',
    help: 'Attached volumes, and volumes that should be attached.',
    labels: ['plugin_name', 'state'],
    stability: 'ALPHA',
  })
  total.collect(() => {
    const counts = createCounts()
    for (const { spec } of listers.attachments.all()) counts.add([pluginOf(spec.attacher), 'actual_state_of_world'])
    for (const { driver, nodes } of wanted(listers))
      for (const _ of nodes) counts.add([pluginOf(driver), 'desired_state_of_world'])
    return counts.all()
  })
  const inUse = metrics.gauge({
    name: 'storage_count_attachable_volumes_in_use',
    help: 'Volumes that pods use, by node.',
    labels: ['node', 'volume_plugin'],
    stability: 'ALPHA',
  })
  inUse.collect(() => {
    const counts = createCounts()
    for (const { driver, nodes } of wanted(listers)) for (const node of nodes) counts.add([node, pluginOf(driver)])
    return counts.all()
  })
  const forced = metrics.counter({
    name: 'attach_detach_controller_attachdetach_controller_forced_detaches',
    help: 'Volumes that were detached while their nodes may have used them.',
    labels: ['reason'],
    stability: 'ALPHA',
  })
  return (reason) => forced.add([reason])
}

function pluginOf(driver: string): string {
  return `kubernetes.io/csi:${driver}`
}

function* wanted(listers: Listers): Generator<{ readonly driver: string; readonly nodes: Iterable<string> }> {
  for (const volume of listers.volumes.all()) {
    const { csi } = volume.spec
    if (csi) yield { driver: csi.driver, nodes: wantedNodes(volume, listers).keys() }
  }
}

function createCounts() {
  const counts = new Map<string, { readonly labels: LabelValues; value: number }>()
  return {
    add(labels: LabelValues) {
      const known = counts.get(labels.join(' '))
      if (known) known.value++
      else counts.set(labels.join(' '), { labels, value: 1 })
    },
    all: () => counts.values(),
  }
}
