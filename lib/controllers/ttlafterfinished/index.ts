import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, keyOf, splitKey, type TurnResult } from '../../controller/index.ts'
import { expiryMs } from './plan.ts'

/** Deletes finished jobs after their time to live. */
export const ttlafterfinished: ControllerDefinition = {
  name: 'ttl-after-finished-controller',
  aliases: ['ttl-after-finished'],
  account: 'ttl-after-finished-controller',
  start(context) {
    const { jobs } = resources.batch.v1
    const known = context.informer(jobs)
    const lateness = context.metrics.histogram({
      name: 'ttl_after_finished_controller_job_deletion_duration_seconds',
      help: 'Time from when the deletion of a job was due until it was deleted, in seconds.',
      buckets: Array.from({ length: 14 }, (_, index) => 0.1 * 2 ** index),
      stability: 'ALPHA',
    })
    const queue = context.reconcile({
      name: 'ttl_jobs_to_delete',
      workers: context.settings.concurrentTtlAfterFinishedSyncs,
      async turn(key, { client }): Promise<TurnResult | void> {
        const shown = known.get(key)
        const dueMs = shown && expiryMs(shown)
        if (dueMs === undefined) return undefined
        const leftMs = dueMs - context.clock.now()
        if (leftMs > 0) return { againAfterMs: leftMs }
        try {
          // The time to live may have been raised meanwhile.
          const live = await client.resource(jobs).get(splitKey(key))
          const liveDueMs = expiryMs(live)
          if (liveDueMs === undefined) return undefined
          const liveLeftMs = liveDueMs - context.clock.now()
          if (liveLeftMs > 0) return { againAfterMs: liveLeftMs }
          // A user may have deleted it with Orphan meanwhile, which must not be overruled.
          const { uid, resourceVersion } = live.metadata
          const options = { uid, resourceVersion, propagationPolicy: 'Foreground' as const }
          await client.resource(jobs).delete(live.metadata, options)
          lateness.observe([], (context.clock.now() - liveDueMs) / 1000)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
        return undefined
      },
    })
    known.subscribe(({ object, deleted }) => {
      if (!deleted && expiryMs(object) !== undefined) queue.add(keyOf(object))
    })
  },
}
