// Recordings of `pilothouse record`: JSON lines. The first line is the head; every other line has a `type`. Written down in
// docs/troubleshooting.md for other readers.
import { isRecord } from '../../../lib/base/index.ts'

export const formatVersion = 1

export interface RecordingHead {
  readonly pilothouseRecording: typeof formatVersion
  /** RFC 3339. */
  readonly startedAt: string
}

/** Milliseconds since the start. */
interface Timed {
  readonly id: number
  readonly atMs: number
}

/** A request, when all of its body has arrived. Requests have ascending ids in the order of their arrival. */
export interface RecordedRequest extends Timed {
  readonly type: 'request'
  readonly method: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, redacted, as JSON whatever its format was. */
  readonly body?: unknown
  /** Why there is no body in spite of one in the request. */
  readonly omitted?: string
  /** It changed protocols: a terminal, a forwarded port. Its streams are not recorded. */
  readonly upgrade?: true
}

/** The names in an answer or in an event of a watch. */
export interface Outline {
  readonly kind?: string
  /** The reason in a Status. */
  readonly reason?: string
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly continue?: string
  /** Number of items of a list. */
  readonly items?: number
}

/** An answer, at its end; of a watch or another stream, at its beginning. */
export interface RecordedAnswer extends Timed {
  readonly type: 'answer'
  readonly status: number
  readonly bytes?: number
  readonly outline?: Outline
  /** Redacted; with --bodies. */
  readonly body?: unknown
}

export interface RecordedEvent extends Timed {
  readonly type: 'event'
  readonly event: string
  readonly outline: Outline
}

/** The end of a stream, or of a request that broke. */
export interface RecordedEnd extends Timed {
  readonly type: 'end'
  readonly by: 'client' | 'server'
  readonly bytes: number
}

/** The recording reached its largest size; what followed is not in it. */
export interface Truncation {
  readonly type: 'truncated'
  readonly atMs: number
}

export type RecordedLine = RecordedRequest | RecordedAnswer | RecordedEvent | RecordedEnd | Truncation

/** Headers that say what a client wants, and no secret. */
export const recordedHeaders = ['accept', 'content-type', 'user-agent'] as const

/** A line that is none of a recording; the message begins with its number. */
export class RecordingError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`)
  }
}

/** Checks the first line. Throws RecordingError for another version and for other files. */
export function checkHead(text: string): void {
  const head = parseLine(text, 1)
  const version = head['pilothouseRecording']
  if (version === undefined) throw new RecordingError(1, 'this is no recording of pilothouse record')
  if (version !== formatVersion)
    throw new RecordingError(
      1,
      `the recording has version ${JSON.stringify(version)}; this program reads ${formatVersion}`,
    )
}

/** Reads one of the other lines. Throws RecordingError for all that a recorder doesn't write. */
export function readLine(text: string, line: number): RecordedLine {
  const given = parseLine(text, line)
  const refuse = (message: string): never => {
    throw new RecordingError(line, message)
  }
  const { type } = given
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined
  if (shape === undefined) return refuse(`${JSON.stringify(type) ?? 'no type'} is no type of line`)
  for (const [field, check] of Object.entries(shape))
    if (!check(given[field])) return refuse(`${field} of the ${String(type)} is missing or wrong`)
  // Its fields have just been checked.
  return given as unknown as RecordedLine
}

function parseLine(text: string, line: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw Object.assign(new RecordingError(line, 'this is no JSON'), { cause })
  }
  if (!isRecord(value)) throw new RecordingError(line, 'this is no JSON object')
  return value
}

type Check = (value: unknown) => boolean

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isText: Check = (value) => typeof value === 'string'
const isTime: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0
const isOutline: Check = (value) =>
  isRecord(value) && Object.entries(value).every(([name, field]) => (name === 'items' ? isCount(field) : isText(field)))
const isHeaders: Check = (value) =>
  isRecord(value) &&
  Object.entries(value).every(
    ([name, field]) =>
      recordedHeaders.some((known) => known === name) &&
      typeof field === 'string' &&
      /^[\x20-\x7e]{0,1000}$/.test(field),
  )
const orMissing =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const timed = { id: isCount, atMs: isTime }

const shapes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  request: {
    ...timed,
    method: (value) => /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(String(value)),
    path: isText,
    query: isText,
    headers: isHeaders,
    omitted: orMissing(isText),
    upgrade: orMissing((value) => value === true),
  },
  answer: {
    ...timed,
    status: (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
    bytes: orMissing(isCount),
    outline: orMissing(isOutline),
  },
  event: { ...timed, event: isText, outline: isOutline },
  end: { ...timed, by: (value) => value === 'client' || value === 'server', bytes: isCount },
  truncated: { atMs: isTime },
}
