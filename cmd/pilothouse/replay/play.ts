import type { Clock } from '../../../lib/base/index.ts'
import { createBodyReader, EventReader, type Outline, outlineOf } from '../recording/index.ts'
import { differingFields } from './compare.ts'
import { createMapping, type Mapping } from './mapping.ts'
import { comparedObjects, differingEvents, ObjectEvents, writtenObjects } from './objectevents.ts'
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

/** Requests that are under way at a time, and watches that are open. */
const concurrentMax = 64
const watchesMax = 32

/**
 * Plays the calls in their order: each at its time, and after all that were answered before it in the recording have been answered
 * here. Yields the outcomes in the order of the recording.
 */
export async function* play(
  { clock, target }: { readonly clock: Clock; readonly target: Target },
  calls: readonly RecordedCall[],
  { speed, comparesBodies }: PlayOptions,
): AsyncGenerator<Played> {
  const parts = { clock, target, mapping: createMapping(), read: createBodyReader(), comparesBodies }
  const written = writtenObjects(calls)
  const startMs = clock.monotonicMs()
  const [first] = calls
  const outcomes = new Outcomes()
  /** Requests that are not answered yet, and open watches. */
  const underWay = new Map<Promise<Played>, number>()
  const watches = new Set<PlayedWatch>()
  const finish = async (some: readonly PlayedWatch[]): Promise<void> => {
    await Promise.all(some.map(async (watch) => await watch.finish()))
    for (const watch of some) watches.delete(watch)
  }
  try {
    for (const call of calls) {
      const { atMs } = call.request
      if (speed > 0) await until(clock, startMs + (atMs - (first?.request.atMs ?? 0)) / speed)
      await Promise.all([...underWay].filter(([, endMs]) => endMs <= atMs).map(([outcome]) => outcome))
      await Promise.all([...watches].filter(({ headMs }) => headMs <= atMs).map(({ begun }) => begun))
      await finish([...watches].filter(({ endMs }) => endMs <= atMs))
      const objects = watches.size < watchesMax ? comparedObjects(call, written) : []
      if (objects.length > 0) {
        const watch = playWatch(call, objects, parts)
        watches.add(watch)
        outcomes.add(watch.outcome)
      } else {
        const outcome = playCall(call, parts)
        underWay.set(outcome, call.endMs ?? Infinity)
        void outcome.then(() => underWay.delete(outcome))
        outcomes.add(outcome)
      }
      if (underWay.size >= concurrentMax) await Promise.race(underWay.keys())
      yield* outcomes.settled()
    }
    await Promise.all(underWay.keys())
    await finish([...watches])
    yield* outcomes.all()
  } finally {
    for (const watch of watches) watch.close()
  }
}

/** Outcomes in the order of their calls. They never reject. */
class Outcomes {
  #waiting: { readonly outcome: Promise<Played>; played: Played | undefined }[] = []

  add(outcome: Promise<Played>): void {
    const entry: { readonly outcome: Promise<Played>; played: Played | undefined } = { outcome, played: undefined }
    this.#waiting.push(entry)
    void outcome.then((played) => (entry.played = played))
  }

  /** Those that nothing earlier holds up. */
  *settled(): Generator<Played> {
    const open = this.#waiting.findIndex(({ played }) => played === undefined)
    const ready = open < 0 ? this.#waiting : this.#waiting.slice(0, open)
    this.#waiting = this.#waiting.slice(ready.length)
    for (const { played } of ready) if (played) yield played
  }

  async *all(): AsyncGenerator<Played> {
    for (const { outcome } of this.#waiting) yield await outcome
  }
}

async function until(clock: Clock, atMs: number): Promise<void> {
  const waitMs = atMs - clock.monotonicMs()
  if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
}

const ok = 200
const notModified = 304

interface CallParts {
  readonly clock: Clock
  readonly target: Target
  readonly mapping: Mapping
  readonly read: ReturnType<typeof createBodyReader>
  readonly comparesBodies: boolean
}

/** Never rejects. */
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

/** A watch whose events are compared. */
interface PlayedWatch {
  /** When it began and ended in the recording. */
  readonly headMs: number
  readonly endMs: number
  /** It is answered, or has failed. */
  readonly begun: Promise<unknown>
  /** Settles once it is finished; never rejects. */
  readonly outcome: Promise<Played>
  /** Waits a moment for events that are missing, and compares. */
  finish(): Promise<void>
  close(): void
}

/** Events come soon after the answers to the writes that caused them; a missing one is waited for so long. */
const eventMsMax = 2000

function playWatch(call: RecordedCall, objects: readonly string[], { clock, target, mapping }: CallParts): PlayedWatch {
  const { request, answer } = call
  const query = mapping.query(request.query)
  const versionOf = (text: string): string => new URLSearchParams(text).get('resourceVersion') ?? ''
  const isFresh = versionOf(request.query) !== versionOf(query) && versionOf(query) === ''
  const actual = new ObjectEvents()
  let changed: () => void = () => {}
  const reader = new EventReader('application/json', (event, outline) => {
    actual.add(event, outline)
    changed()
  })
  const url = `${mapping.path(request.path)}?${query}`
  const watch = target.watch({ url, headers: headersFor(call), chunk: (bytes) => reader.add(bytes) })
  const difference = (): string | undefined => differingEvents(call.events, actual, objects, { mapping, isFresh })
  const recorded = shown(answer?.status ?? 0, undefined)
  const result = Promise.withResolvers<Played>()
  const settle = (got: string, isSame: boolean): void => result.resolve({ call, recorded, actual: got, isSame })
  return {
    headMs: answer?.atMs ?? 0,
    endMs: call.endMs ?? Infinity,
    begun: watch.head.catch(() => {}),
    outcome: result.promise,
    async finish() {
      try {
        const got = shown((await watch.head).status, undefined)
        if (got !== recorded) return settle(got, false)
        const complete = Promise.withResolvers<void>()
        changed = () => {
          if (difference() === undefined) complete.resolve()
        }
        changed()
        const timer = clock.after(eventMsMax, complete.resolve)
        await complete.promise
        void timer.close()
        const found = difference()
        settle(found === undefined ? got : `${got}, ${found}`, found === undefined)
      } catch (error) {
        settle(error instanceof Error ? error.message : String(error), false)
      } finally {
        watch.close()
      }
    },
    close: () => watch.close(),
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
