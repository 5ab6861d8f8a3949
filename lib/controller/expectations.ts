import type { Clock } from '../base/index.ts'

/** Creations and deletions that a controller has asked for and has not seen yet, by the key of their owner. */
export interface Expectations {
  expectCreations(key: string, count: number): void
  expectDeletions(key: string, uids: readonly string[]): void
  /** One was seen, or failed. */
  creationSeen(key: string): void
  deletionSeen(key: string, uid: string): void
  /** Nothing is outstanding, or for so long that nobody believes in it any more. */
  fulfilled(key: string): boolean
  forget(key: string): void
}

const believedMs = 5 * 60_000

/**
 * Where the count of what is there decides, acting twice on one state would make too much of it. Own writes
 * (see Turn.client) are waited for anyway; this counts what others than the turn itself must be seen to do.
 */
export function createExpectations({ clock }: { readonly clock: Clock }): Expectations {
  const outstanding = new Map<string, { creations: number; readonly deletions: Set<string>; sinceMs: number }>()

  function open(key: string): { creations: number; readonly deletions: Set<string>; sinceMs: number } {
    const known = outstanding.get(key) ?? { creations: 0, deletions: new Set<string>(), sinceMs: 0 }
    known.sinceMs = clock.monotonicMs()
    outstanding.set(key, known)
    return known
  }

  function tidy(key: string): void {
    const known = outstanding.get(key)
    if (known && known.creations <= 0 && known.deletions.size === 0) outstanding.delete(key)
  }

  return {
    expectCreations(key, count) {
      if (count > 0) open(key).creations += count
    },
    expectDeletions(key, uids) {
      if (uids.length === 0) return
      const { deletions } = open(key)
      for (const uid of uids) deletions.add(uid)
    },
    creationSeen(key) {
      const known = outstanding.get(key)
      if (!known) return
      known.creations--
      tidy(key)
    },
    deletionSeen(key, uid) {
      if (outstanding.get(key)?.deletions.delete(uid)) tidy(key)
    },
    fulfilled(key) {
      const known = outstanding.get(key)
      return known === undefined || clock.monotonicMs() - known.sinceMs > believedMs
    },
    forget: (key) => void outstanding.delete(key),
  }
}
