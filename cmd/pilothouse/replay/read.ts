import { open } from 'node:fs/promises'
import { FlagError } from '../../../lib/flags/index.ts'
import { checkHead, type RecordedAnswer, type RecordedRequest, RecordingError, readLine } from '../recording/index.ts'
import { ObjectEvents } from './objectevents.ts'
import { checkPlace } from './place.ts'

/** A recorded request with all that is known about its answer. */
export interface RecordedCall {
  readonly request: RecordedRequest
  /** Number of the request's line. */
  readonly line: number
  answer?: RecordedAnswer
  /** When the answer was complete; absent where the recording ended before. */
  endMs?: number
  /** Events of a watch in JSON. */
  readonly events: ObjectEvents
  isStream: boolean
}

export interface Recording {
  readonly calls: readonly RecordedCall[]
  readonly isTruncated: boolean
}

/** As the largest recording; a line is at most a body, as text, and what is around it. */
const fileBytesMax = 2 ** 30
const lineCharactersMax = 16 * 1024 * 1024
const callsMax = 1_000_000

/** Reads and checks a whole recording, before any of it is played. Rejects with FlagError that names the file and the line. */
export async function readRecording(path: string): Promise<Recording> {
  try {
    return await readChecked(path)
  } catch (cause) {
    const separator = cause instanceof RecordingError ? ', ' : ': '
    throw new FlagError(`${path}${separator}${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

async function readChecked(path: string): Promise<Recording> {
  const file = await open(path)
  try {
    if ((await file.stat()).size > fileBytesMax) throw new Error(`the file has more than ${fileBytesMax} bytes`)
    const calls = new Map<number, RecordedCall>()
    let isTruncated = false
    let line = 0
    for await (const text of file.readLines({ encoding: 'utf8' })) {
      line++
      if (text.length > lineCharactersMax) throw new RecordingError(line, 'the line is too long')
      if (line === 1) checkHead(text)
      else if (add(calls, text, line)) isTruncated = true
    }
    if (line === 0) checkHead('')
    return { calls: [...calls.values()].sort((a, b) => a.request.id - b.request.id), isTruncated }
  } finally {
    await file.close()
  }
}

/** True for the line that says that the recording is not complete. */
function add(calls: Map<number, RecordedCall>, text: string, line: number): boolean {
  const read = readLine(text, line)
  if (read.type === 'truncated') return true
  if (read.type === 'request') {
    if (calls.has(read.id)) throw new RecordingError(line, `there is another request ${read.id}`)
    if (calls.size >= callsMax) throw new RecordingError(line, `there are more than ${callsMax} requests`)
    checkPlace(read, line)
    calls.set(read.id, { request: read, line, events: new ObjectEvents(), isStream: false })
    return false
  }
  const call = calls.get(read.id)
  if (!call) throw new RecordingError(line, `there is no request ${read.id} before it`)
  if (read.type === 'event') call.events.add(read.event, read.outline)
  else if (read.type === 'answer') {
    call.answer = read
    if (read.bytes === undefined) call.isStream = true
    else call.endMs = read.atMs
  } else call.endMs = read.atMs
  return false
}
