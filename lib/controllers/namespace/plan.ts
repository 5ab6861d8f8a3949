import type { Namespace, NamespaceCondition, Pod } from '../../../api/gen/core/v1.ts'
import {
  type Frozen,
  formatGroupResource,
  formatTime,
  type GroupResource,
  parseTime,
  secondsToMs,
} from '../../object/index.ts'

/** The remaining objects of one resource in a namespace. */
export interface Remaining {
  readonly resource: GroupResource
  readonly objects: readonly Frozen<{ readonly metadata: { readonly finalizers?: string[] } }>[]
}

/** The outcome of one pass over a namespace's content. */
export interface Pass {
  readonly discoveryFailure?: string | undefined
  /** Messages about what could not be deleted or listed. */
  readonly failures: readonly string[]
  readonly remaining: readonly Remaining[]
}

const types = [
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionGroupVersionParsingFailure',
  'NamespaceDeletionContentFailure',
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
] as const

const fine: Readonly<Record<(typeof types)[number], { readonly reason: string; readonly message: string }>> = {
  NamespaceDeletionDiscoveryFailure: {
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  NamespaceDeletionGroupVersionParsingFailure: {
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  NamespaceDeletionContentFailure: {
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  NamespaceContentRemaining: { reason: 'ContentRemoved', message: 'All content successfully removed' },
  NamespaceFinalizersRemaining: {
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
}

/** The namespace's conditions after a pass; the same array where nothing changes. */
export function conditionsAfter(
  { status }: Frozen<Namespace>,
  { discoveryFailure, failures, remaining }: Pass,
  nowMs: number,
): { readonly conditions: readonly Frozen<NamespaceCondition>[]; readonly changed: boolean } {
  const troubles = new Map<string, { readonly reason: string; readonly message: string }>()
  if (discoveryFailure !== undefined)
    troubles.set('NamespaceDeletionDiscoveryFailure', { reason: 'DiscoveryFailed', message: discoveryFailure })
  if (failures.length > 0)
    troubles.set('NamespaceDeletionContentFailure', {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`,
    })
  if (remaining.length > 0)
    troubles.set('NamespaceContentRemaining', { reason: 'SomeResourcesRemain', message: remainingText(remaining) })
  const finalizers = countFinalizers(remaining)
  if (finalizers.size > 0)
    troubles.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: finalizersText(finalizers),
    })

  let changed = false
  const before = status.conditions ?? []
  const ours = types.map((type) => {
    const trouble = troubles.get(type)
    const wanted = { status: trouble ? 'True' : 'False', ...(trouble ?? fine[type]) }
    const known = before.find((condition) => condition.type === type)
    if (known?.status === wanted.status && known.reason === wanted.reason && known.message === wanted.message)
      return known
    changed = true
    const since = known?.status === wanted.status ? known.lastTransitionTime : undefined
    return { type, ...wanted, lastTransitionTime: since ?? formatTime(nowMs) }
  })
  const others = before.filter(({ type }) => !(types as readonly string[]).includes(type))
  return { conditions: [...others, ...ours], changed }
}

function remainingText(remaining: readonly Remaining[]): string {
  const counts = remaining
    .map(({ resource, objects }) => `${dotted(resource)} has ${objects.length} resource instances`)
    .sort()
  return `Some resources are remaining: ${counts.join(', ')}`
}

/** With the dot even for the core group. */
function dotted(resource: GroupResource): string {
  return resource.group === '' ? `${resource.resource}.` : formatGroupResource(resource)
}

function countFinalizers(remaining: readonly Remaining[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { objects } of remaining)
    for (const { metadata } of objects)
      for (const finalizer of metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1)
  return counts
}

function finalizersText(counts: ReadonlyMap<string, number>): string {
  const texts = Array.from(counts, ([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort()
  return `Some content in the namespace has finalizers remaining: ${texts.join(', ')}`
}

const finalizerSeconds = 15

/** Seconds until the rest may be deleted. Undefined: it should have been already. */
export function estimateSeconds(
  remaining: readonly Remaining[],
  namespace: Frozen<Namespace>,
  nowMs: number,
): number | undefined {
  let seconds: number | undefined
  for (const { resource, objects } of remaining) {
    const isPods = resource.group === '' && resource.resource === 'pods'
    if (isPods) seconds = Math.max(seconds ?? 0, gracePeriod(objects as readonly Frozen<Pod>[], namespace, nowMs))
    else if (objects.some(({ metadata }) => (metadata.finalizers ?? []).length > 0))
      seconds = Math.max(seconds ?? 0, finalizerSeconds)
  }
  return seconds
}

/** The longest time that a pod may still take to terminate; 0 once it has passed. */
function gracePeriod(pods: readonly Frozen<Pod>[], { metadata }: Frozen<Namespace>, nowMs: number): number {
  let longestMs = 0
  for (const { spec, status } of pods) {
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') continue
    longestMs = Math.max(longestMs, secondsToMs(spec?.terminationGracePeriodSeconds ?? 0))
  }
  const sinceMs = metadata.deletionTimestamp === undefined ? nowMs : parseTime(metadata.deletionTimestamp)
  return nowMs - sinceMs > longestMs ? 0 : longestMs / 1000
}
