import { resources } from '../../../api/gen/resources.ts'
import {
  byController,
  type ControllerDefinition,
  controllerOf,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import { goneJobs, perform } from './perform.ts'
import { plan, type SomeCronJob, type SomeJob, untilNextMs } from './plan.ts'
import { createTimeZones } from './timezone.ts'

/** Creates the jobs of each CronJob by its schedule. */
export const cronjob: ControllerDefinition = {
  name: 'cronjob-controller',
  aliases: ['cronjob'],
  account: 'cronjob-controller',
  start(context) {
    const cronjobs = context.informer(resources.batch.v1.cronjobs)
    const jobs = context.informer(resources.batch.v1.jobs)
    const skew = context.metrics.histogram({
      name: 'cronjob_controller_job_creation_skew_duration_seconds',
      help: 'Time from when a job was due until it was created, in seconds.',
      buckets: Array.from({ length: 10 }, (_, index) => 2 ** index),
      stability: 'STABLE',
    })
    const zoneOf = createTimeZones()
    const queue = context.reconcile({
      name: 'cronjob',
      workers: context.settings.concurrentCronJobSyncs,
      async turn(key, { client }) {
        const found = cronjobs.get(key)
        if (!found) return
        const gone = await goneJobs(found, jobs, client)
        const children: readonly SomeJob[] = jobs.by(byController, found.metadata.uid ?? '')
        const step = plan({ cronjob: found, jobs: children, gone }, context.clock.now(), zoneOf)
        await perform(found, step, { client, events: context.events, skew })
        return { againAfterMs: step.againAfterMs }
      },
    })
    cronjobs.subscribe(({ object, before, deleted }) => {
      const isRescheduled = before && !deleted && !isSameSchedule(before, object)
      const waitMs = isRescheduled ? untilNextMs(object, context.clock.now(), zoneOf) : undefined
      // A new schedule counts from now on: earlier times are not missed runs.
      if (waitMs === undefined) queue.add(keyOf(object))
      else queue.addAfter(keyOf(object), waitMs)
    })
    jobs.subscribe(({ object, before }) => {
      for (const job of [object, before]) {
        const owner = job && controllerOf(job)
        if (owner?.kind === 'CronJob') queue.add(joinKey(namespaceOf(object), owner.name))
      }
    })
  },
}

function isSameSchedule({ spec: left }: SomeCronJob, { spec: right }: SomeCronJob): boolean {
  return left.schedule === right.schedule && left.timeZone === right.timeZone
}
