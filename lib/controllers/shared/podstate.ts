import type { Pod, PodCondition } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'

type SomePod = Frozen<Pod>

export function isTerminal({ status }: SomePod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed'
}

/** It has not finished and is not being deleted. */
export function isActive(pod: SomePod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined
}

/** It is being deleted and has not finished. */
export function isTerminating(pod: SomePod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isTerminal(pod)
}

export function readyCondition({ status: { conditions } }: SomePod): Frozen<PodCondition> | undefined {
  if (conditions === undefined) return undefined
  for (const condition of conditions) if (condition.type === 'Ready') return condition
  return undefined
}

export function isReady(pod: SomePod): boolean {
  return readyCondition(pod)?.status === 'True'
}

/** Since when it is ready, in milliseconds; undefined where it is not ready, or its condition has no time. */
export function readySinceMs(pod: SomePod): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True' || condition.lastTransitionTime === undefined) return undefined
  return parseTime(condition.lastTransitionTime)
}

/** Milliseconds until the next ready pod becomes available; undefined: none will. */
export function nextAvailableMs(pods: readonly SomePod[], minReadySeconds: number, nowMs: number): number | undefined {
  // A pod that is ready is available at once.
  if (minReadySeconds <= 0) return undefined
  let next: number | undefined
  for (const pod of pods) {
    const sinceMs = readySinceMs(pod)
    if (sinceMs === undefined || isAvailable(pod, minReadySeconds, nowMs)) continue
    const leftMs = sinceMs + minReadySeconds * 1000 - nowMs + 1
    if (next === undefined || leftMs < next) next = leftMs
  }
  return next
}

/** It has been ready for at least `minReadySeconds`. */
export function isAvailable(pod: SomePod, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false
  if (minReadySeconds <= 0) return true
  const sinceMs = readySinceMs(pod)
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1000 < nowMs
}
