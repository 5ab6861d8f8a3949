import {
  createBodyReader,
  EventReader,
  outlineOf,
  recordedHeaders,
  redactObject,
  redactQuery,
  redactText,
} from '../recording/index.ts'
import type { RecordingWriter } from './writer.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** One request as it passes. Each function is called at most once, in this order, but `chunk`. */
export interface ObservedRequest {
  /** A part of the request's body. */
  body(chunk: Uint8Array): void
  /** The request's body is complete. */
  sent(): Promise<void>
  /** The head of the answer. */
  answered(status: number, headers: Headers): void
  /** A part of the answer's body. */
  chunk(chunk: Uint8Array): void
  /** The end of the answer. */
  ended(by: 'client' | 'server'): Promise<void>
}

interface ObserverOptions {
  readonly bodyBytesMax: number
  readonly keepsBodies: boolean
}

/** Answers larger than this have no outline. */
const answerBytesMax = 4 * 1024 * 1024

/** Writes what passes as lines of a recording. */
export function createObserver(
  writer: RecordingWriter,
  { bodyBytesMax, keepsBodies }: ObserverOptions,
): (method: string, url: string, headers: Headers, isUpgrade?: boolean) => ObservedRequest {
  const read = createBodyReader()
  let lastId = 0
  return (method, url, headers, isUpgrade = false) => {
    const id = ++lastId
    const atMs = writer.nowMs()
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? '' : url.slice(mark + 1)
    const isSecret = isOfSecret(path)
    const sending = new Kept(bodyBytesMax)
    const answer = new Kept(answerBytesMax)
    let events: EventReader | undefined
    let status = 0
    let answerType = ''
    // Lines of one request keep their order, although bodies are parsed meanwhile.
    let written = Promise.resolve()
    const then = (work: () => void | Promise<void>): Promise<void> => (written = written.then(work))

    return {
      body: (chunk) => sending.add(chunk),
      sent: () =>
        then(async () => {
          const content = await contentOf(sending, text(headers['content-type']), read, isSecret)
          const shown = recordedHeaders.flatMap((name) => {
            const value = text(headers[name])
            return value === '' ? [] : [[name, plain(redactText(value))] as const]
          })
          writer.write({
            type: 'request',
            id,
            atMs,
            method,
            path: redactText(path),
            query: redactQuery(query),
            headers: Object.fromEntries(shown),
            ...content,
            ...(isUpgrade ? { upgrade: true as const } : {}),
          })
        }),
      answered(given, answerHeaders) {
        status = given
        answerType = text(answerHeaders['content-type'])
        const isStream = status < 300 && /(^|&)(watch|follow)=(true|1)(&|$)/.test(query)
        if (!isStream && !isUpgrade) return
        events = new EventReader(
          answerType,
          (event, outline) => void then(() => writer.write({ type: 'event', id, event, outline })),
        )
        void then(() => writer.write({ type: 'answer', id, status }))
      },
      chunk(chunk) {
        answer.add(chunk)
        events?.add(chunk)
      },
      ended: (by) =>
        then(async () => {
          const { bytes } = answer
          if (events || status === 0) return writer.write({ type: 'end', id, by, bytes })
          const { body } = await contentOf(answer, answerType, read, isSecret)
          const outline = outlineOf(body)
          const kept = keepsBodies && body !== undefined ? { body } : {}
          writer.write({ type: 'answer', id, status, bytes, ...(outline ? { outline } : {}), ...kept })
        }),
    }
  }
}

/** The first bytes of a body, and the number of all. */
class Kept {
  readonly #bytesMax: number
  #chunks: Uint8Array[] = []
  bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get isWhole(): boolean {
    return this.bytes <= this.#bytesMax
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length
    if (this.isWhole) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  take(): Buffer {
    const whole = Buffer.concat(this.#chunks)
    this.#chunks = []
    return whole
  }
}

async function contentOf(
  kept: Kept,
  type: string,
  read: ReturnType<typeof createBodyReader>,
  isSecret: boolean,
): Promise<{ body?: unknown; omitted?: string }> {
  if (kept.bytes === 0) return {}
  if (!kept.isWhole) return { omitted: `${kept.bytes} bytes` }
  try {
    return { body: redactObject(await read(kept.take(), type), isSecret) }
  } catch {
    // Its parser's words may quote a secret.
    return { omitted: `${kept.bytes} bytes of ${plain(type) || 'no type'}` }
  }
}

function isOfSecret(path: string): boolean {
  return /^\/api\/v1\/(namespaces\/[^/]+\/)?secrets(\/|$)/.test(path)
}

function text(value: string | string[] | undefined): string {
  return value === undefined ? '' : String(value)
}

/** A header of a recording has printable characters of ASCII, and at most a thousand. */
function plain(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 1000)
}
