import type { Clock } from '../../base/index.ts'

/** When the objects of each key were written most recently, for a minimum time between writes. */
interface WriteSpacing {
  /** Milliseconds until the key may be written again; 0: at once. */
  leftMs(key: string): number
  wrote(key: string): void
  forget(key: string): void
}

/**
 * The first change after a quiet time is written at once, and further ones together, `spacingMs` after the last write: a
 * service of a thousand pods that become ready one after the other is written some times a second, not once a pod.
 */
export function createWriteSpacing(clock: Clock, spacingMs: number): WriteSpacing {
  const written = new Map<string, number>()
  return {
    leftMs(key) {
      const atMs = written.get(key)
      if (atMs === undefined) return 0
      const leftMs = atMs + spacingMs - clock.monotonicMs()
      if (leftMs > 0) return leftMs
      written.delete(key)
      return 0
    },
    wrote: (key) => void written.set(key, clock.monotonicMs()),
    forget: (key) => void written.delete(key),
  }
}
