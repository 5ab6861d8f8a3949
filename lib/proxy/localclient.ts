import type { Readable } from 'node:stream'
import { isRecord } from '../base/index.ts'
import type { ApiObject } from '../object/index.ts'
import { parseJsonText } from '../object/index.ts'
import type { Call, ObjectEvent } from '../request/index.ts'
import type { BackendResponse } from './backend.ts'
import { answerHeaders, type RequestHeaders } from './headers.ts'

/** Maximum size of complete answers to clients of this process. */
const answerBytesMax = 64 * 1024 * 1024
/** Maximum size of one event of a watch. */
const eventBytesMax = 16 * 1024 * 1024

/** A client of this process passes an object instead of bytes. */
export async function localBody(call: Call, headers: RequestHeaders): Promise<{ body: Uint8Array | undefined }> {
  const object = call.objects?.object
  const body = object === undefined ? await call.body() : Buffer.from(JSON.stringify(object))
  if (body.length === 0) return { body: undefined }
  headers['content-type'] ??= 'application/json'
  headers['content-length'] = String(body.length)
  return { body }
}

/** Decodes the answer: a watch's events one by one, everything else as a whole. Rejects when it is too long. */
export async function answerLocally(call: Call, response: BackendResponse): Promise<void> {
  const { status, headers, body } = response
  if (call.info.verb === 'watch' && status === 200) return await passEvents(call, body)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > answerBytesMax) throw new Error(`the answer has more than ${answerBytesMax} bytes`)
    chunks.push(chunk)
  }
  await call.responder.send(status, answerHeaders(headers), chunks)
}

async function passEvents(call: Call, body: Readable): Promise<void> {
  const stream = call.objects?.watch()
  let rest = ''
  body.setEncoding('utf8')
  try {
    for await (const chunk of body as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > eventBytesMax) throw new Error(`an event has more than ${eventBytesMax} bytes`)
      const events = lines.filter((line) => line.trim() !== '').map(eventOf)
      if (events.length > 0) stream?.events(events)
    }
  } finally {
    // To its client a watch that broke off has ended: the client starts it again.
    body.destroy()
    stream?.end()
  }
}

const eventTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'])

function eventOf(line: string): ObjectEvent {
  const event: unknown = parseJsonText(line)
  if (!isRecord(event) || !eventTypes.has(String(event['type'])) || !isRecord(event['object']))
    throw new Error('the answer to a watch contains something that is no event')
  return { type: event['type'] as ObjectEvent['type'], object: event['object'] as ApiObject }
}
