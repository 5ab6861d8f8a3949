import { setTimeout as sleep } from 'node:timers/promises'
import { type Attacked, type Proof, unless, unlessFree } from '../proof.ts'

const cronJobs = '/apis/batch/v1/namespaces/team/cronjobs'
const jobs = '/apis/batch/v1/namespaces/team/jobs'
const jobSpec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } }

/** Schedules whose last time takes long to find by steps of minutes, hours or days. */
const schedules: readonly (readonly [schedule: string, timeZone?: string])[] = [
  ['59 * * 1-8 *'],
  ['* * 31 2 *'],
  ['0 0 29 2 *', 'Europe/Berlin'],
  ['59 23 29 2 1', 'Pacific/Apia'],
  ['30 2 * 3 0', 'America/New_York'],
  ['* * * * *'],
  ['0-59/2 0-23/3 1-31/5 * *', 'Australia/Lord_Howe'],
  ['59 * * 1-8 *', 'Asia/Kathmandu'],
]

export const cronJobTimes: Proof = {
  title: 'a CronJob believes no Job that it did not make, and old times cost it nothing',
  run: async (around) => [...(await believes(around)), ...(await counts(around))],
}

/** Number of waits of a tenth of a second for an event that must not happen. */
const triesMax = 30

async function believes({ plane }: Attacked): Promise<string[]> {
  const editor = plane.as('editor')
  const spec = { schedule: '0 0 1 1 *', suspend: false, jobTemplate: { spec: jobSpec } }
  const made = await editor.ask('POST', cronJobs, { metadata: { name: 'victim' }, spec })
  if (made.status !== 201) return unless([201], 'a CronJob', made)
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'victim', uid: made.json.metadata.uid }
  const annotations = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2030-01-01T00:00:00Z' }
  const metadata = { name: 'forged', annotations, ownerReferences: [{ ...owner, controller: true }] }
  const job = await editor.ask('POST', jobs, { metadata, spec: { ...jobSpec, suspend: true } })
  const left = unless([201], 'a Job of it', job)
  for (let tries = 0; tries < triesMax; tries++) {
    await sleep(100)
    const { json } = await editor.ask('GET', `${cronJobs}/victim`)
    const time: unknown = json?.status?.lastScheduleTime
    if (time === undefined) continue
    left.push(`a Job made by hand moves lastScheduleTime to ${String(time)}`)
    break
  }
  for (const path of [`${jobs}/forged`, `${cronJobs}/victim`]) await editor.ask('DELETE', path)
  return left
}

async function counts(around: Attacked): Promise<string[]> {
  const admin = around.plane.as('admin')
  const left: string[] = []
  await around.watchdog.loop()
  for (const [index, [schedule, timeZone]] of schedules.entries()) {
    const name = `old-${index}`
    const spec = { schedule, timeZone, suspend: true, startingDeadlineSeconds: 2_147_483_647, jobTemplate: { spec: jobSpec } } // biome-ignore format: one line
    left.push(...unless([201], schedule, await admin.ask('POST', cronJobs, { metadata: { name }, spec })))
    const status = { lastScheduleTime: '1970-01-01T00:00:00Z' }
    const merge = 'application/merge-patch+json'
    await admin.ask('PATCH', `${cronJobs}/${name}/status`, { status }, merge)
    await admin.ask('PATCH', `${cronJobs}/${name}`, { spec: { suspend: false } }, merge)
  }
  await sleep(1000)
  left.push(...(await unlessFree(around, 'CronJobs with old times')))
  for (const index of schedules.keys()) await admin.ask('DELETE', `${cronJobs}/old-${index}`)
  return left
}
