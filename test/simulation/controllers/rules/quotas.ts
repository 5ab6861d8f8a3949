import type { Pod, ResourceQuota } from '../../../../api/gen/core/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import { keyOf, nameOf } from '../../../../lib/controller/index.ts'
import { type ApiObject, type Frozen, parseTime, secondsToMs } from '../../../../lib/object/index.ts'
import type { Truth, Write } from '../truth.ts'
import { isTerminal } from '../view.ts'
import { Violation } from '../violation.ts'

const { pods, configmaps, resourcequotas } = resources.core.v1

type Quota = Frozen<ResourceQuota>
type Counts = (object: Frozen<ApiObject>, nowMs: number) => boolean

/** By resource: how quotas name it, and which of its objects they count. */
const counted: ReadonlyMap<string, { readonly name: string; readonly counts: Counts }> = new Map([
  [nameOf(pods), { name: 'pods', counts: isCountedPod }],
  [nameOf(configmaps), { name: 'count/configmaps', counts: () => true }],
])

/** No object is made beyond what a quota allows that has been counted. */
export function quotaKept(truth: Truth, { resource, before, after }: Write, nowMs: number): void {
  const about = counted.get(resource)
  if (!about || before || !after) return
  const { namespace } = after.metadata
  for (const quota of truth.all(resourcequotas)) {
    if (quota.metadata.namespace !== namespace) continue
    const most = mostOf(truth, quota, about.name)
    if (most === undefined) continue
    const objects = [...truth.everything()].filter(
      (each) => each.resource === resource && each.object.metadata.namespace === namespace,
    )
    const count = objects.filter(({ object }) => about.counts(object, nowMs)).length
    if (count > most)
      throw new Violation(`${keyOf(after)} is one of ${count}, and quota ${keyOf(quota)} allows ${most} ${about.name}`)
  }
}

/** What the quota allows by its status, now or before its last write. Undefined: it has not been counted. */
function mostOf(truth: Truth, quota: Quota, name: string): number | undefined {
  const before = truth.past(quota.metadata.uid ?? '').at(-1)?.object as Quota | undefined
  const hard = quota.status?.hard?.[name]
  if (hard === undefined || (before && before.status?.hard?.[name] === undefined)) return undefined
  return Math.max(Number(hard), Number(before?.status?.hard?.[name] ?? 0))
}

/** A pod whose time to end is over counts no more, though it is still there. */
function isCountedPod(object: Frozen<ApiObject>, nowMs: number): boolean {
  const { metadata, status } = object as Frozen<Pod>
  if (isTerminal(status.phase)) return false
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  if (deletionTimestamp === undefined) return true
  return nowMs <= parseTime(deletionTimestamp) + secondsToMs(deletionGracePeriodSeconds)
}
