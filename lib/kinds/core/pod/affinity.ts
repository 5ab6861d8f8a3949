import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import { specOf } from './validate.ts'

/**
 * Adds the label keys in a new pod's affinity to its selectors: with matchLabelKeys [v] and the pod's label v=1 the
 * selector gets `v in (1)`. A term without a selector matches nothing, and is not changed.
 */
export function completeAffinity(object: ApiObject): void {
  const { affinity } = specOf(object)
  for (const part of [affinity?.podAffinity, affinity?.podAntiAffinity]) {
    for (const { podAffinityTerm } of part?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      complete(podAffinityTerm, object.metadata.labels)
    for (const term of part?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
      complete(term, object.metadata.labels)
  }
}

function complete(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: core.PodAffinityTerm,
  labels: Readonly<Record<string, string>> = {},
): void {
  if (!labelSelector) return
  const requirements = (keys: readonly string[], operator: string) =>
    keys.flatMap((key) => {
      const value = labels[key]
      return value === undefined ? [] : [{ key, operator, values: [value] }]
    })
  const added = [...requirements(matchLabelKeys, 'In'), ...requirements(mismatchLabelKeys, 'NotIn')]
  if (added.length > 0) labelSelector.matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added]
}
