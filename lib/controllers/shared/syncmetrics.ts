import type { Clock, Metrics } from '../../base/index.ts'
import { StatusError } from '../../object/index.ts'

/** `<prefix>_sync_total` and `<prefix>_sync_duration_seconds`, by the code of the answer that ended the turn. */
export function withSyncMetrics(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
  prefix: string,
): (turn: () => Promise<void>) => Promise<void> {
  const settings = { labels: ['code'], stability: 'ALPHA' } as const
  const total = metrics.counter({ ...settings, name: `${prefix}_sync_total`, help: 'Turns, by code.' })
  const seconds = metrics.histogram({
    ...settings,
    name: `${prefix}_sync_duration_seconds`,
    help: 'Duration of turns, by code.',
    buckets: Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index),
  })
  return async (turn) => {
    const startMs = clock.monotonicMs()
    let code = '200'
    try {
      await turn()
    } catch (error) {
      code = error instanceof StatusError ? String(error.code) : '500'
      throw error
    } finally {
      total.add([code])
      seconds.observe([code], (clock.monotonicMs() - startMs) / 1000)
    }
  }
}
