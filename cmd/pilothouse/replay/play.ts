import type { Clock } from '../../../lib/base/index.ts'
import { createBodyReader, type Outline, outlineOf } from '../recording/index.ts'
import { differingFields } from './compare.ts'
import { createMapping, type Mapping } from './mapping.ts'
import type { RecordedCall } from './read.ts'
import type { Target } from './target.ts'

/** The outcome of one request. */
export interface Played {
  readonly call: RecordedCall
  /** Why it was not sent. */
  readonly skipped?: string
  readonly recorded: string
  readonly actual: string
  readonly isSame: boolean
}

interface PlayOptions {
  /** Times as fast as recorded; 0 doesn't wait for the recorded times. */
  readonly speed: number
  readonly comparesBodies: boolean
}

/** Requests that are under way at a time. */
const concurrentMax = 64

/**
 * Plays the calls in their order: each at its time, and after all that were answered before it in the recording have been answered
 * here. Yields the outcomes in the order of the recording.
 */
export async function* play(
  { clock, target }: { readonly clock: Clock; readonly target: Target },
  calls: readonly RecordedCall[],
  { speed, comparesBodies }: PlayOptions,
): AsyncGenerator<Played> {
  const read = createBodyReader()
  const mapping = createMapping()
  const startMs = clock.monotonicMs()
  const [first] = calls
  const underWay: { readonly endMs: number; readonly outcome: Promise<Played> }[] = []
  for (const call of calls) {
    const { atMs } = call.request
    if (speed > 0) await until(clock, startMs + (atMs - (first?.request.atMs ?? 0)) / speed)
    await Promise.all(underWay.filter(({ endMs }) => endMs <= atMs).map(({ outcome }) => outcome))
    const outcome = playCall(call, { target, mapping, read, comparesBodies })
    underWay.push({ endMs: call.endMs ?? Infinity, outcome })
    while (underWay.length >= concurrentMax) yield await take(underWay)
  }
  while (underWay.length > 0) yield await take(underWay)
}

async function take(underWay: { readonly outcome: Promise<Played> }[]): Promise<Played> {
  const [first] = underWay
  if (!first) throw new Error('nothing is under way')
  const played = await first.outcome
  underWay.shift()
  return played
}

async function until(clock: Clock, atMs: number): Promise<void> {
  const waitMs = atMs - clock.monotonicMs()
  if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
}

const ok = 200
const notModified = 304

interface CallParts {
  readonly target: Target
  readonly mapping: Mapping
  readonly read: ReturnType<typeof createBodyReader>
  readonly comparesBodies: boolean
}

async function playCall(call: RecordedCall, { target, mapping, read, comparesBodies }: CallParts): Promise<Played> {
  const { request, answer, isStream } = call
  const recorded = answer ? shown(answer.status, answer.outline) : 'no answer'
  const skipped = request.upgrade
    ? 'a stream to a node'
    : request.omitted === undefined
      ? undefined
      : `its body is not recorded: ${request.omitted}`
  if (skipped !== undefined) return { call, skipped, recorded, actual: '', isSame: true }
  const query = mapping.query(request.query)
  try {
    const got = await target.ask({
      method: request.method,
      url: `${mapping.path(request.path)}${query === '' ? '' : `?${query}`}`,
      headers: headersFor(call),
      ...(request.body === undefined ? {} : { body: Buffer.from(JSON.stringify(mapping.body(request.body))) }),
      isStream,
    })
    const value = got.body && got.body.length > 0 ? await read(got.body, got.type).catch(() => undefined) : undefined
    const outline = outlineOf(value)
    mapping.learn(answer?.outline, outline)
    const actual = shown(got.status, outline)
    const fields =
      comparesBodies && answer?.body !== undefined && actual === recorded
        ? differingFields(answer.body, value, mapping)
        : []
    if (fields.length > 0) return { call, recorded, actual: `${actual}, other ${fields.join(', ')}`, isSame: false }
    // The recorded client had a copy of its own, which it asked about.
    const isUnchanged = answer?.status === notModified && got.status === ok
    return { call, recorded, actual, isSame: answer === undefined || isUnchanged || actual === recorded }
  } catch (error) {
    const actual = error instanceof Error ? error.message : String(error)
    return { call, recorded, actual, isSame: false }
  }
}

/** Bodies are JSON, whatever they were; a patch keeps its type. */
function headersFor({ request: { headers, body } }: RecordedCall): Record<string, string> {
  const type = headers['content-type'] ?? ''
  const isPatch = /patch\+(json|yaml)/.test(type)
  return { ...headers, ...(body === undefined || isPatch ? {} : { 'content-type': 'application/json' }) }
}

function shown(status: number, outline: Outline | undefined): string {
  return outline?.reason === undefined ? String(status) : `${status} ${outline.reason}`
}
