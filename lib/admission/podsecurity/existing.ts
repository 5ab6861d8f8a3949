import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import { quote } from '../../object/index.ts'
import { formatStandard, type Standard } from './policy.ts'
import { podShape } from './shape.ts'
import { describeReasons, violationsOf } from './violations.ts'

/** Maximum number of pods that are checked in one namespace, and of the time for it. */
const podsMax = 3000
const timeMaxMs = 1000

/** The warnings about existing pods that violate a level that is about to be enforced. */
export function warnOfExisting(
  clock: Clock,
  namespace: string,
  pods: readonly core.Pod[],
  standard: Standard,
  newest: number,
): string[] {
  const deadlineMs = clock.monotonicMs() + timeMaxMs
  const violating = new Map<string, string[]>()
  let checked = 0
  for (const pod of oneOfEachFirst(pods).slice(0, podsMax)) {
    const why = describeReasons(violationsOf(podShape(pod), standard, newest))
    if (why !== '') violating.set(why, [...(violating.get(why) ?? []), pod.metadata.name ?? ''])
    checked++
    if (clock.monotonicMs() > deadlineMs) break
  }
  const partial = `new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`
  const found = `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(formatStandard(standard))}`
  return [
    ...(checked < pods.length ? [partial] : []),
    ...(violating.size > 0 ? [found] : []),
    ...Array.from(violating, ([why, names]) => `${nameThem(names)}: ${why}`).sort(),
  ]
}

/** Pods of one controller are alike: one of each controller comes first. */
function oneOfEachFirst(pods: readonly core.Pod[]): core.Pod[] {
  const seen = new Set<string>()
  const others: core.Pod[] = []
  const first = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid
    if (owner === undefined || !seen.has(owner)) {
      if (owner !== undefined) seen.add(owner)
      return true
    }
    others.push(pod)
    return false
  })
  return [...first, ...others]
}

function nameThem(names: readonly string[]): string {
  const [first = '', ...others] = names.toSorted()
  if (others.length === 0) return first
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`
}
