import { annotation, type SomeDeployment, type SomeSet } from './sets.ts'

interface FirstStatus {
  readonly uid: string | undefined
  readonly status: SomeDeployment['status']
  readonly revision: string | undefined
  readonly dueMs: number
}

/** A first status is written after this time even if nothing is reported about the new set. */
const deferralMs = 1000

/**
 * First statuses of new Deployments, which are known but not written yet: each waits for the first status of the set
 * that was created with it, to be written together with the numbers in there, one write in the place of two. Every
 * entry causes a turn when it is due, and lasts no longer.
 */
export interface FirstStatuses {
  /** The deployment as it will be once its first status is written. */
  applied(key: string, deployment: SomeDeployment): SomeDeployment
  /** Defers the status of `after`. Returns the milliseconds until it is due. */
  defer(key: string, after: SomeDeployment, nowMs: number): number
  /** Milliseconds until the deferred status is due; 0: it is. Undefined: there is none. */
  waitMs(key: string, newSet: SomeSet | undefined, nowMs: number): number | undefined
  forget(key: string): void
}

export function createFirstStatuses(): FirstStatuses {
  const known = new Map<string, FirstStatus>()
  return {
    applied(key, deployment) {
      const first = known.get(key)
      if (!first) return deployment
      if (first.uid !== deployment.metadata.uid || !isWithoutStatus(deployment)) {
        known.delete(key)
        return deployment
      }
      const { metadata } = deployment
      const annotations =
        first.revision === undefined
          ? metadata.annotations
          : { ...metadata.annotations, [annotation.revision]: first.revision }
      return { ...deployment, metadata: { ...metadata, annotations }, status: first.status }
    },
    defer(key, { metadata, status }, nowMs) {
      const revision = metadata.annotations?.[annotation.revision]
      known.set(key, { uid: metadata.uid, status, revision, dueMs: nowMs + deferralMs })
      return deferralMs
    },
    waitMs(key, newSet, nowMs) {
      const first = known.get(key)
      if (!first) return undefined
      const isReported = (newSet?.status.observedGeneration ?? 0) > 0
      return isReported ? 0 : Math.max(0, first.dueMs - nowMs)
    },
    forget: (key) => void known.delete(key),
  }
}

export function isWithoutStatus({ status }: SomeDeployment): boolean {
  return (status.observedGeneration ?? 0) === 0
}
