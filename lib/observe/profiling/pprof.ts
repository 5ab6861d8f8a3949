import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { StackFrame, StackSample } from './samples.ts'

const compress = promisify(gzip)

/** The meaning of a profile's numbers. */
interface ProfileDescription {
  /** Type and unit of each of a sample's values, as pprof names them: `['cpu', 'nanoseconds']`. */
  readonly sampleTypes: readonly (readonly [type: string, unit: string])[]
  /** The type that is shown by default. */
  readonly shown: string
  /** A sample is taken once every so many units. */
  readonly period: { readonly type: string; readonly unit: string; readonly value: number }
  /** Milliseconds since the epoch. */
  readonly atMs: number
  readonly durationMs: number
}

/**
 * A profile as `go tool pprof` reads it: profile.proto, gzipped. Samples with the same stack are added up; sums of 0
 * are left out.
 */
export async function encodePprof(
  samples: Iterable<StackSample>,
  description: ProfileDescription,
): Promise<Uint8Array<ArrayBuffer>> {
  const format = await import('pprof-format')
  const strings = new format.StringTable()
  const named = (type: string, unit: string) =>
    format.ValueType.create({ type: strings.dedup(type), unit: strings.dedup(unit) })
  const functions: InstanceType<typeof format.Function>[] = []
  const locations: InstanceType<typeof format.Location>[] = []
  const ids = new Map<string, number>()

  /** V8 reports where a function begins, not which of its lines ran: one function has one location of the same id. */
  function locationOf({ functionName, url, lineNumber, columnNumber }: StackFrame): number {
    const key = `${functionName}\n${url}\n${lineNumber}\n${columnNumber}`
    const known = ids.get(key)
    if (known !== undefined) return known
    const id = ids.size + 1
    ids.set(key, id)
    const name = strings.dedup(functionName || '(anonymous)')
    const line = Math.max(0, lineNumber + 1)
    const filename = strings.dedup(url.replace(/^file:\/\//, ''))
    functions.push(format.Function.create({ id, name, systemName: name, filename, startLine: line }))
    locations.push(format.Location.create({ id, line: [format.Line.create({ functionId: id, line })] }))
    return id
  }

  const byStack = new Map<string, { locationId: number[]; sums: number[] }>()
  for (const { frames, values } of samples) {
    const locationId = frames.map(locationOf)
    const key = locationId.join()
    const entry = byStack.get(key)
    if (entry) values.forEach((value, at) => (entry.sums[at] = (entry.sums[at] ?? 0) + value))
    else byStack.set(key, { locationId, sums: [...values] })
  }
  const { sampleTypes, shown, period, atMs, durationMs } = description
  const profile = new format.Profile({
    sampleType: sampleTypes.map(([type, unit]) => named(type, unit)),
    sample: [...byStack.values()]
      .filter(({ sums }) => sums.some((sum) => sum !== 0))
      .map(({ locationId, sums }) => format.Sample.create({ locationId, value: sums.map(whole) })),
    function: functions,
    location: locations,
    stringTable: strings,
    timeNanos: whole(atMs) * 1_000_000n,
    durationNanos: whole(durationMs * 1_000_000),
    periodType: named(period.type, period.unit),
    period: period.value,
    defaultSampleType: strings.dedup(shown),
  })
  return await compress(await profile.encodeAsync())
}

/** As an int64 on the wire. */
function whole(value: number): bigint {
  return BigInt(Math.round(value))
}
