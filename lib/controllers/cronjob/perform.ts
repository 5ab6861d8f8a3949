import type { CronJob, Job } from '../../../api/gen/batch/v1.ts'
import type { ObjectReference } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Histogram } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import {
  controllerOf,
  type EventRecorder,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
  type Lister,
} from '../../controller/index.ts'
import { type Frozen, formatTime, parseTime } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { type Plan, referenceTo, type SomeCronJob, type SomeJob, sameStatus } from './plan.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  /** Time from when a job was due until it was created, in seconds. */
  readonly skew: Histogram
}

type Reference = Frozen<ObjectReference>
const { cronjobs, jobs } = resources.batch.v1

/** Uids of active jobs that neither the informer nor the server knows. */
export async function goneJobs(
  { metadata, status }: SomeCronJob,
  known: Lister<Job>,
  client: Client,
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>()
  for (const { name, uid } of status.active ?? []) {
    if (uid === undefined || known.get(`${metadata.namespace ?? ''}/${name ?? ''}`)?.metadata.uid === uid) continue
    const live = await liveJob(client, metadata.namespace, name)
    if (live?.metadata.uid !== uid) gone.add(uid)
  }
  return gone
}

async function liveJob(client: Client, namespace?: string, name?: string): Promise<SomeJob | undefined> {
  try {
    return await client.resource(jobs).get({ namespace, name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

export async function perform(cronjob: SomeCronJob, step: Plan, dependencies: Dependencies): Promise<void> {
  const { client, events } = dependencies
  for (const { metadata } of step.expire) await remove(cronjob, metadata.name ?? '', metadata.uid, dependencies)
  for (const { type, reason, message } of step.events) events.event(cronjob, type, reason, message)
  let { active } = step
  let failure: { readonly error: unknown } | undefined
  let { lastScheduleTime } = step
  if (step.start) {
    try {
      for (const { name = '', uid } of step.start.replace) {
        await remove(cronjob, name, uid, dependencies)
        active = active.filter((each) => each.uid !== uid)
      }
      const made = await start(cronjob, step.start, dependencies)
      if (made && !active.some(({ uid }) => uid === made.uid)) active = [...active, made]
      if (made) lastScheduleTime = formatTime(step.start.dueMs)
    } catch (error) {
      failure = { error }
    }
  }
  const status: Frozen<CronJob['status']> = {
    active: active.length === 0 ? undefined : active,
    lastScheduleTime,
    lastSuccessfulTime: step.lastSuccessfulTime,
  }
  if (!sameStatus(cronjob.status, status)) await client.resource(cronjobs).updateStatus({ ...cronjob, status })
  if (failure) throw failure.error
}

/** Where an earlier turn created the job and failed to write the status, that job is used. */
async function start(
  owner: SomeCronJob,
  { job, dueMs }: NonNullable<Plan['start']>,
  { client, events, skew }: Dependencies,
): Promise<Reference | undefined> {
  let made: SomeJob | undefined
  try {
    made = await client.resource(jobs).create(job)
    events.event(owner, 'Normal', 'SuccessfulCreate', `Created job ${made.metadata.name ?? ''}`)
    skew.observe([], (parseTime(made.metadata.creationTimestamp ?? '') - dueMs) / 1000)
  } catch (error) {
    if (isNamespaceTerminating(error)) return undefined
    if (!isAlreadyExists(error)) {
      events.event(owner, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`)
      throw error
    }
    made = await liveJob(client, job.metadata.namespace, job.metadata.name)
    if (!made || controllerOf(made)?.uid !== owner.metadata.uid) return undefined
  }
  return referenceTo(made)
}

async function remove(
  owner: SomeCronJob,
  name: string,
  uid: string | undefined,
  { client, events }: Dependencies,
): Promise<void> {
  try {
    const { namespace } = owner.metadata
    await client.resource(jobs).delete({ namespace, name }, { uid, propagationPolicy: 'Background' })
    events.event(owner, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`)
  } catch (error) {
    if (isNotFound(error)) return
    events.event(owner, 'Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`)
    throw error
  }
}
