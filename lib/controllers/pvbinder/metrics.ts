import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import type { LabelValues, Metrics } from '../../base/index.ts'
import { isConflict, type Lister, namespaceOf } from '../../controller/index.ts'
import { modeOf } from './match.ts'
import { type Claim, classNameOf, type Volume } from './types.ts'

/** Registers the metrics of claims and volumes. Returns the counter of default classes that claims were given. */
export function createBinderMetrics(
  metrics: Metrics,
  volumes: Lister<PersistentVolume>,
  claims: Lister<PersistentVolumeClaim>,
): (error?: unknown) => void {
  const gauge = (name: string, help: string, labels: readonly string[]) =>
    metrics.gauge({ name: `pv_collector_${name}`, help, labels, stability: 'ALPHA' })
  const claimLabels = ['namespace', 'storage_class', 'volume_attributes_class']
  const claimsOf = (isBound: boolean) => () =>
    count(claims.all(), (claim) =>
      (claim.status.phase === 'Bound') === isBound && (isBound || claim.status.phase === 'Pending')
        ? labelsOf(claim)
        : undefined,
    )
  gauge('bound_pvc_count', 'PersistentVolumeClaims that are bound.', claimLabels).collect(claimsOf(true))
  gauge('unbound_pvc_count', 'PersistentVolumeClaims that are not bound.', claimLabels).collect(claimsOf(false))
  gauge('total_pv_count', 'PersistentVolumes.', ['plugin_name', 'volume_mode']).collect(() =>
    count(volumes.all(), (volume) => [pluginOf(volume), modeOf(volume)]),
  )
  const volumesOf = (isBound: boolean) => () =>
    count(volumes.all(), (volume) =>
      (volume.status.phase === 'Bound') === isBound ? [classNameOf(volume)] : undefined,
    )
  gauge('bound_pv_count', 'PersistentVolumes that are bound.', ['storage_class']).collect(volumesOf(true))
  gauge('unbound_pv_count', 'PersistentVolumes that are not bound.', ['storage_class']).collect(volumesOf(false))
  const counter = (name: string, help: string) =>
    metrics.counter({ name: `retroactive_storageclass_${name}`, help, stability: 'ALPHA' })
  const given = counter('total', 'Claims that were given a default class after their creation.')
  const failed = counter('errors_total', 'Claims that could not be given a default class.')
  return (error) => {
    given.add([])
    if (error !== undefined && !isConflict(error)) failed.add([])
  }
}

function labelsOf(claim: Claim): LabelValues {
  return [namespaceOf(claim), classNameOf(claim), claim.spec.volumeAttributesClassName ?? '']
}

const pluginNames = ['csi', 'hostPath', 'local', 'nfs', 'iscsi', 'fc', 'flexVolume'] as const

function pluginOf({ spec }: Volume): string {
  if (spec.csi) return `kubernetes.io/csi:${spec.csi.driver}`
  const source = pluginNames.find((name) => spec[name] !== undefined)
  if (source === undefined) return 'N/A'
  return `kubernetes.io/${source === 'local' ? 'local-volume' : source === 'hostPath' ? 'host-path' : source.toLowerCase()}`
}

function* count<T>(
  objects: Iterable<T>,
  labelsFor: (object: T) => LabelValues | undefined,
): Generator<{ labels: LabelValues; value: number }> {
  const counts = new Map<string, { readonly labels: LabelValues; value: number }>()
  for (const object of objects) {
    const labels = labelsFor(object)
    if (!labels) continue
    const key = labels.join(' ')
    const known = counts.get(key)
    if (known) known.value++
    else counts.set(key, { labels, value: 1 })
  }
  yield* counts.values()
}
