import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { CronJob, Job } from '../../../api/gen/batch/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { plan } from '../../../lib/controllers/cronjob/plan.ts'
import { parseSchedule } from '../../../lib/controllers/cronjob/schedule.ts'
import { createTimeZone, createTimeZones } from '../../../lib/controllers/cronjob/timezone.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'
import { createPlainSchedule } from '../../support/plainschedule.ts'

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
    ['30 1 * * 0', 'America/Santiago', '2026-09-05T12:00:00Z', ['2026-09-06T04:30Z', '2026-09-13T04:30Z']],
    // Midnight is skipped: the search for the day, or the month, came back to the day before for good.
    ['0 22 * * 5', 'Africa/Cairo', '2026-04-23T10:00:00Z', ['2026-04-24T19:00Z', '2026-05-01T19:00Z']],
    ['30 0 * * 5', 'Africa/Cairo', '2026-04-23T10:00:00Z', ['2026-04-30T21:30Z']],
    ['0 5 2 11 *', 'America/Asuncion', '2023-09-01T00:00:00Z', ['2023-11-02T08:00Z']],
    ['0 1 1 10 *', 'America/Asuncion', '2023-09-01T00:00:00Z', ['2023-10-01T04:00Z']],
    // There was no such Friday.
    ['0 12 * * 5', 'Pacific/Apia', '2011-12-28T12:00:00Z', ['2012-01-05T22:00Z']],
    ['*/30 1 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', ['2026-10-03T14:30Z', '2026-10-03T15:00Z']],
    ['*/30 2 * * *', 'Australia/Lord_Howe', '2028-04-01T12:00:00Z', ['2028-04-01T15:30Z', '2028-04-01T16:00Z']],
  ] as const)
    it(`${schedule} in ${zone} after ${after}`, () => {
      assert.deepEqual(nexts(schedule, zone, after, expected.length), expected)
    })

  const zones = createTimeZones()
  const values = (min: number, max: number) =>
    fc.oneof(
      fc.constant(Array.from({ length: max - min + 1 }, (_, index) => min + index)),
      fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }),
    )
  const zoneNames = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Antarctica/Troll',
    'Africa/Cairo',
    'Asia/Beirut',
    'America/Santiago',
    'America/Asuncion',
    'Pacific/Apia',
  ]
  /** Half of them within three days of a change of clocks in spring or autumn. */
  const times = fc.oneof(
    fc.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2036, 0) }),
    fc
      .tuple(fc.integer({ min: 2011, max: 2035 }), fc.constantFrom(2, 3, 9, 10), fc.integer({ min: 0, max: 8 * 1440 }))
      .map(([year, month, minutes]) => Date.UTC(year, month, month % 2 === 0 ? 24 : 1) + minutes * 60_000),
  )
  const spanMs = 12 * 86_400_000

  it('equal those of a search minute by minute, forwards and backwards, in every zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zoneNames),
        times,
        values(0, 59),
        values(0, 23),
        values(1, 12),
        values(0, 6),
        (zone, atMs, minutes, hours, months, weekdays) => {
          const text = `${minutes.join()} ${hours.join()} * ${months.join()} ${weekdays.join()}`
          const schedule = parseSchedule(text, zones(zone), zones)
          const plain = createPlainSchedule(zone, { minutes, hours, months, weekdays })
          const [next, last] = [schedule.next(atMs), schedule.last(atMs - spanMs, atMs)]
          assert.equal(next !== undefined && next <= atMs + spanMs ? next : undefined, plain.next(atMs, atMs + spanMs))
          assert.equal(last, plain.last(atMs - spanMs, atMs))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are found in less than a millisecond, whatever the schedule and however long ago it ran', () => {
    const cases: [schedule: string, zone: string, last: string][] = [
      ['59 * * 1-8 *', 'America/Nuuk', '2019-08-31T22:59:00Z'],
      ['59 * * 1-8 *', 'Europe/Berlin', '2025-08-31T20:59:00Z'],
      ['0 0 30 2 *', 'Africa/Casablanca', '1970-01-01T00:00:00Z'],
      ['0 0 29 2 *', 'Australia/Lord_Howe', '2000-01-01T00:00:00Z'],
      ['* * * * *', 'Asia/Tehran', '0001-01-01T00:00:00Z'],
      ['*/7 23 31 12 *', 'Pacific/Apia', '2001-12-31T10:00:00Z'],
      ['@every 1s', 'UTC', '1970-01-01T00:00:00Z'],
    ]
    const turns = 100
    const startMs = performance.now()
    for (const [schedule, timeZone, lastScheduleTime] of cases)
      for (let turn = 0; turn < turns; turn++) {
        const cronjob = {
          metadata: { name: 'c' },
          spec: { schedule, timeZone, jobTemplate: { metadata: {} } },
          status: { lastScheduleTime },
        }
        const observed = { cronjob: cronjob as Frozen<CronJob>, jobs: [], gone: new Set<string>() }
        plan({ ...observed }, Date.UTC(2026, 9, 1) + turn * 86_400_000, zones)
      }
    const eachMs = (performance.now() - startMs) / turns / cases.length
    // Some of these took four seconds each.
    assert.ok(eachMs < 10, `${eachMs} ms on a machine that may be busy`)
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

describe('jobs that claim to be those of a cron job', () => {
  const nowMs = Date.UTC(2026, 0, 1, 0, 20)
  const cronjob = {
    metadata: { namespace: 'default', name: 'c', uid: 'c1', creationTimestamp: '2025-12-31T00:00:00Z' },
    spec: {
      schedule: '*/15 * * * *',
      timeZone: 'UTC',
      concurrencyPolicy: 'Forbid',
      jobTemplate: { metadata: {}, spec: {} },
    },
    status: { lastScheduleTime: '2026-01-01T00:00:00Z' },
  } as Frozen<CronJob>
  const minute = (text: string): number => Date.parse(text) / 60_000
  const claims = (name: string, stamp: string) => {
    const metadata = { name, uid: 'x', annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': stamp } }
    const job = { metadata, spec: { suspend: true }, status: {} } as unknown as Frozen<Job>
    return plan({ cronjob, jobs: [job], gone: new Set() }, nowMs)
  }

  for (const [title, name, stamp] of [
    ['of any name', 'mine', '2026-01-01T00:15:00Z'],
    ['of the name of another run', `c-${minute('2026-01-01T00:00:00Z')}`, '2026-01-01T00:15:00Z'],
    ['of a time that is no run', `c-${minute('2026-01-01T00:16:00Z')}`, '2026-01-01T00:16:00Z'],
    ['of a run that is yet to come', `c-${minute('2026-01-01T00:30:00Z')}`, '2026-01-01T00:30:00Z'],
    ['of the end of time', `c-${minute('9999-12-31T00:00:00Z')}`, '9999-12-31T00:00:00Z'],
  ] as const)
    it(`${title} move no last schedule time and hold up no run`, () => {
      const step = claims(name, stamp)
      assert.equal(step.lastScheduleTime, '2026-01-01T00:00:00Z')
      assert.deepEqual(step.active, [])
      assert.equal(step.start?.job.metadata.name, `c-${minute('2026-01-01T00:15:00Z')}`)
      assert.match(step.events[0]?.message ?? '', /did not create or forgot/)
    })

  it('jobs with the name and the time of a run count as that run, also when their name is taken', () => {
    const step = claims(`c-${minute('2026-01-01T00:15:00Z')}`, '2026-01-01T00:15:00Z')
    assert.equal(step.lastScheduleTime, '2026-01-01T00:15:00Z')
    assert.equal(step.start, undefined)
  })
})
