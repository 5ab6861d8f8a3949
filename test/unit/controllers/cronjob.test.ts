import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { plan } from '../../../lib/controllers/cronjob/plan.ts'
import { parseSchedule } from '../../../lib/controllers/cronjob/schedule.ts'
import { createTimeZone } from '../../../lib/controllers/cronjob/timezone.ts'
import { runScripts } from '../../support/controllerscript.ts'

runScripts('cronjob', ({ key, nowMs, input, lister }) => {
  const cronjob = lister(resources.batch.v1.cronjobs).get(key)
  if (!cronjob) return undefined
  const gone = new Set((input['gone'] ?? []) as string[])
  const step = plan({ cronjob, jobs: [...lister(resources.batch.v1.jobs).all()], gone }, nowMs)
  const { start } = step
  return {
    expire: step.expire.length === 0 ? undefined : step.expire.map(({ metadata }) => metadata.name),
    events: step.events.length === 0 ? undefined : step.events.map(({ reason, message }) => `${reason}: ${message}`),
    active: step.active.length === 0 ? undefined : step.active.map(({ name }) => name),
    lastSuccessfulTime: step.lastSuccessfulTime,
    lastScheduleTime: step.lastScheduleTime === cronjob.status.lastScheduleTime ? undefined : step.lastScheduleTime,
    start: start?.job.metadata.name,
    stamp: start?.job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'],
    replace: start && start.replace.length > 0 ? start.replace.map(({ name }) => name) : undefined,
    againAfterMs: step.againAfterMs,
  }
})

function nexts(schedule: string, zone: string, after: string, count: number): string[] {
  const parsed = parseSchedule(schedule, createTimeZone(zone), createTimeZone)
  const found: string[] = []
  let at: number | undefined = Date.parse(after)
  for (let index = 0; index < count; index++) {
    at = parsed.next(at)
    if (at === undefined) return [...found, 'never']
    found.push(new Date(at).toISOString().replace(':00.000Z', 'Z'))
  }
  return found
}

describe('schedules', () => {
  for (const [schedule, zone, after, expected] of [
    ['* * * * *', 'UTC', '2026-01-01T00:00:30Z', ['2026-01-01T00:01Z', '2026-01-01T00:02Z']],
    ['*/15 * * * *', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-01T00:15Z', '2026-01-01T00:30Z']],
    ['5/20 * * * *', 'UTC', '2026-01-01T00:06:00Z', ['2026-01-01T00:25Z', '2026-01-01T00:45Z', '2026-01-01T01:05Z']],
    ['0 9-17/4 * * mon-fri', 'UTC', '2026-01-02T17:00:00Z', ['2026-01-05T09:00Z', '2026-01-05T13:00Z']],
    ['0 0 1,15 * *', 'UTC', '2026-01-02T00:00:00Z', ['2026-01-15T00:00Z', '2026-02-01T00:00Z']],
    ['0 0 13 * fri', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-02T00:00Z', '2026-01-09T00:00Z', '2026-01-13T00:00Z']],
    ['0 0 */2 * mon', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-03T00:00Z', '2026-01-05T00:00Z']],
    ['0 0 29 feb *', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    ['0 0 31 2 *', 'UTC', '2026-01-01T00:00:00Z', ['never']],
    ['@hourly', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-01T01:00Z']],
    ['@weekly', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-04T00:00Z']],
    ['@yearly', 'UTC', '2026-01-01T00:00:00Z', ['2027-01-01T00:00Z']],
    ['@every 90m', 'UTC', '2026-01-01T00:00:00.500Z', ['2026-01-01T01:30Z', '2026-01-01T03:00Z']],
    ['CRON_TZ=Asia/Tokyo 0 9 * * *', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-02T00:00Z']],
    ['30 2 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', ['2026-01-01T21:00Z']],
    // Clocks go forward on 2026-03-29 at 01:00Z and back on 2026-10-25 at 01:00Z.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', ['2026-03-28T01:30Z', '2026-03-30T00:30Z']],
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-26T01:30Z'],
    ],
    ['0 * * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z', ['2026-03-29T01:00Z', '2026-03-29T02:00Z']],
    ['0 3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T01:00Z', '2026-03-30T01:00Z']],
    [
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T05:30Z', '2026-11-01T06:30Z', '2026-11-02T06:30Z'],
    ],
    // Midnight is left out on the day when the clocks of Santiago go forward.
    ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', ['2026-09-07T03:00Z']],
  ] as const)
    it(`${schedule} in ${zone} after ${after}`, () => {
      assert.deepEqual(nexts(schedule, zone, after, expected.length), expected)
    })

  for (const [schedule, message] of [
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['*/2/3 * * * *', 'too many slashes: */2/3'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ] as const)
    it(`${schedule} is refused`, () => {
      assert.throws(() => parseSchedule(schedule, createTimeZone('UTC'), createTimeZone), { message })
    })
})
