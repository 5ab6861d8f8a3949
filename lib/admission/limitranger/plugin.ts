import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import { concernsResource } from '../concernsresource.ts'
import { createNamespacePolicies } from '../namespacepolicies.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { claimFindings, podFindings } from './check.ts'
import { fillResources } from './defaults.ts'

interface LimitRangerDependencies {
  readonly clock: Clock
  /** The ranges of a namespace in a cache; without a promise where that costs nothing. */
  cached(namespace: string, signal: AbortSignal): Ranges | Promise<Ranges>
  /** The ranges of a namespace in the store. */
  live(namespace: string, signal: AbortSignal): Promise<Ranges>
}

type Ranges = readonly core.LimitRange[]

interface LimitRangerOptions {
  /** Gate PodLevelResources: the pod-level resources count as the pod's. */
  readonly podLevelResources: boolean
}

/** Gives containers the default resources of ranges, and refuses pods and claims outside of ranges. */
export function createLimitRanger(
  dependencies: LimitRangerDependencies,
  { podLevelResources }: LimitRangerOptions,
): AdmissionPlugin {
  const rangesOf = createNamespacePolicies<core.LimitRange>(dependencies)

  function withRanges(attributes: AdmissionAttributes, use: (ranges: Ranges) => void): void | Promise<void> {
    const ranges = rangesOf(attributes.namespace, attributes.signal)
    return ranges instanceof Promise ? ranges.then(use) : use(ranges)
  }

  return {
    name: 'LimitRanger',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    mutate(attributes) {
      if (!isPods(attributes) || isOver(attributes)) return undefined
      return withRanges(attributes, (ranges) => {
        for (const range of ranges) fillResources(attributes.object as core.Pod, range)
      })
    },
    validate(attributes) {
      const ofPods = isPods(attributes)
      if ((!ofPods && !concernsResource(attributes, 'persistentvolumeclaims')) || isOver(attributes)) return undefined
      return withRanges(attributes, (ranges) => check(attributes, ofPods, ranges))
    },
  }

  function check(attributes: AdmissionAttributes, ofPods: boolean, ranges: Ranges): void {
    for (const range of ranges) {
      const findings = ofPods
        ? podFindings((attributes.object as core.Pod).spec, range, podLevelResources)
        : claimFindings((attributes.object as core.PersistentVolumeClaim).spec, range)
      const told = [...new Set(findings)]
      if (told.length > 0) throw refusal(attributes, told.length === 1 ? `${told[0]}` : `[${told.join(', ')}]`)
    }
  }
}

/** An update of a pod changes its resources only through the subresource `resize`. */
function isPods(attributes: AdmissionAttributes): boolean {
  if (attributes.operation === 'CREATE') return concernsResource(attributes, 'pods')
  const { resource, subresource } = attributes
  return subresource === 'resize' && resource.resource === 'pods' && resource.group === ''
}

/** Whether the old object is being deleted: such objects are not checked. */
function isOver({ oldObject }: AdmissionAttributes): boolean {
  return oldObject?.metadata.deletionTimestamp !== undefined
}
