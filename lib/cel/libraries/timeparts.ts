import { type FunctionDeclaration, memberForm } from '../check/function.ts'
import { types } from '../check/types.ts'
import { int64 } from '../run/arithmetic.ts'
import { calendar, ZoneCache } from '../run/time.ts'
import type { Duration, Timestamp } from '../run/values.ts'

const { int, string, timestamp, duration } = types

/** getFullYear … getMilliseconds of timestamps (in a time zone) and durations. */
export function timeParts(): FunctionDeclaration[] {
  const zones = new ZoneCache()
  const ofDate: Readonly<Record<string, (date: Date) => number>> = {
    getFullYear: (date) => date.getUTCFullYear(),
    getMonth: (date) => date.getUTCMonth(),
    getDayOfYear: (date) => Math.floor((date.getTime() - yearStart(date)) / 86_400_000),
    getDayOfMonth: (date) => date.getUTCDate() - 1,
    getDate: (date) => date.getUTCDate(),
    getDayOfWeek: (date) => date.getUTCDay(),
    getHours: (date) => date.getUTCHours(),
    getMinutes: (date) => date.getUTCMinutes(),
    getSeconds: (date) => date.getUTCSeconds(),
    getMilliseconds: (date) => date.getUTCMilliseconds(),
  }
  const ofDuration: Readonly<Record<string, (nanos: bigint) => bigint>> = {
    getHours: (nanos) => nanos / 3_600_000_000_000n,
    getMinutes: (nanos) => nanos / 60_000_000_000n,
    getSeconds: (nanos) => nanos / 1_000_000_000n,
    getMilliseconds: (nanos) => nanos / 1_000_000n,
  }
  return Object.entries(ofDate).map(([name, part]) => {
    const overloads = [
      memberForm(`timestamp_${name}`, [timestamp], int, (t: Timestamp) => part(calendar(t, '', zones))),
      memberForm(`timestamp_${name}_zone`, [timestamp, string], int, (t: Timestamp, zone: string) =>
        part(calendar(t, zone, zones)),
      ),
    ]
    const units = ofDuration[name]
    if (units) overloads.push(memberForm(`duration_${name}`, [duration], int, (d: Duration) => int64(units(d.nanos))))
    return { name, overloads }
  })
}

function yearStart(date: Date): number {
  const start = new Date(0)
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1)
  return start.getTime()
}
