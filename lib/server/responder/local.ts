import { assert, isRecord } from '../../base/index.ts'
import type { LocalRequest, WatchEvent, WatchSink } from '../../client/index.ts'
import { type ApiObject, parseJsonText, type Status, StatusError, type StatusReason } from '../../object/index.ts'
import type {
  ListDocument,
  ObjectEvent,
  ObjectExchange,
  ObjectStream,
  ResponseHeaders,
  ResponseStream,
} from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import { ClientGone } from '../errors.ts'
import { closedStream } from './closed.ts'
import { copiesOf, joined } from './pieces.ts'
import type { BodySink, BodySource, ServerResponder } from './responder.ts'

/** Receives the one answer of a request from this process. */
export interface LocalAnswer {
  object(object: unknown): void
  failed(error: Error): void
  watch(): WatchSink<ApiObject>
}

/** Parses the document in `body`. Callers share it and must not change it. */
export type Documents = (body: Uint8Array) => unknown

/** Handlers keep the bytes of large documents, such as those of discovery: each is parsed once. */
export function createDocuments(): Documents {
  const parsed = new WeakMap<Uint8Array, unknown>()
  return (body) => {
    let document = parsed.get(body)
    if (document === undefined) parsed.set(body, (document = documentOf(textOf(body))))
    return document
  }
}

const noHeaders: readonly string[] = []
const noBytes = new Uint8Array()

/** A request from this process: its body and its answer are objects, unless the handler only has bytes. */
export class LocalResponder implements ServerResponder, BodySource, ObjectExchange, ObjectStream {
  readonly httpVersion = '2'
  readonly remoteAddress = '127.0.0.1'
  readonly socket = undefined
  readonly rawHeaders = noHeaders
  declare call: ServerCall
  status = 0
  bytesSent = 0
  readonly streaming = false
  gone = false
  complete = false
  readonly object: ApiObject | undefined
  readonly #body: Uint8Array | undefined
  readonly #answer: LocalAnswer
  readonly #documents: Documents
  #sink: WatchSink<ApiObject> | undefined
  #onClose: (() => void)[] | undefined

  constructor({ object, body }: LocalRequest, answer: LocalAnswer, documents: Documents) {
    this.object = object as ApiObject | undefined // read-only to both sides
    this.#body = body
    this.#answer = answer
    this.#documents = documents
  }

  get objects(): ObjectExchange {
    return this
  }
  get connection(): object {
    return this
  }
  get started(): boolean {
    return this.status !== 0
  }

  // The request's body, where it is bytes.
  get body(): BodySource {
    return this
  }
  get empty(): boolean {
    return this.#body === undefined
  }
  pause(): void {}
  resume(): void {}
  readonly upgradeProtocol = ''
  upgrade(): never {
    throw new TypeError('a client in this process does not upgrade')
  }
  get declaredBytes(): number | undefined {
    return this.#body?.byteLength
  }
  read(sink: BodySink): void {
    if (this.#body !== undefined) sink.onChunk(this.#body)
    sink.onEnd()
  }
  stopReading(): void {}
  proceed(): void {}

  // Answers as objects.
  answer(status: number, object: ApiObject): void {
    if (!this.#begin(status)) return
    this.call.audit.sentObject(status, object)
    this.#answer.object(object)
    this.#end()
  }
  answerList(status: number, list: ListDocument): void {
    if (!this.#begin(status)) return
    // A list is no object of a kind; audit only serializes it.
    this.call.audit.sentObject(status, list as unknown as ApiObject)
    this.#answer.object(list)
    this.#end()
  }
  get wantsDeleted(): boolean {
    return this.call.audit.keepsResponse
  }
  watch(): ObjectStream {
    if (this.#begin(200)) {
      this.call.audit.streaming(200)
      this.#sink = this.#answer.watch()
    }
    return this
  }

  // A watch's events.
  events(events: readonly ObjectEvent[]): void {
    const last = events.at(-1)
    // An error is the last event of a watch.
    if (last?.type !== 'ERROR') return this.#sink?.onEvents(events as readonly WatchEvent<ApiObject>[])
    if (events.length > 1) this.#sink?.onEvents(events.slice(0, -1) as readonly WatchEvent<ApiObject>[])
    this.#sink?.onEnd(statusErrorOf(last.object as Status))
  }
  end(): void {
    this.#sink?.onEnd()
    this.#end()
  }

  // Answers as bytes: documents and errors.
  send(status: number, _headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void {
    if (this.call.outcome.timedOut || !this.#begin(status)) return
    const bytes = body === undefined ? noBytes : joined(body)
    this.bytesSent = bytes.byteLength
    if (status >= 400)
      this.#answer.failed(this.call.outcome.failure ?? refusal(status, textOf(bytes), this.call.responseHeaders))
    else this.#answer.object(this.#documents(bytes))
    this.#end()
  }
  async sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): Promise<void> {
    this.send(status, headers, await copiesOf(chunks, this.call.clock))
  }
  stream(): ResponseStream {
    this.fail()
    return closedStream
  }

  onClose(closed: () => void): void {
    if (this.gone || this.complete) queueMicrotask(closed)
    else (this.#onClose ??= []).push(closed)
  }
  /** Breaks the answer off. */
  fail(): void {
    if (this.gone || this.complete) return
    this.status ||= 500
    const error = this.call.outcome.failure ?? new StatusError(500, 'InternalError', 'the answer was broken off')
    if (this.#sink) this.#sink.onEnd(error)
    else this.#answer.failed(error)
    this.#gone()
  }
  retire(): void {}

  /** The client no longer wants an answer. */
  leave(reason?: unknown): void {
    if (this.gone || this.complete) return
    if (this.#sink) this.#sink.onEnd()
    else this.#answer.failed(reason instanceof Error ? reason : new ClientGone())
    this.#gone()
  }

  #begin(status: number): boolean {
    if (this.gone || this.call.outcome.timedOut) return false
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    return true
  }

  #gone(): void {
    this.gone = true
    this.#closed()
  }

  #end(): void {
    if (this.gone || this.complete) return
    this.complete = true
    this.#closed()
  }

  #closed(): void {
    const callbacks = this.#onClose
    this.#onClose = undefined
    for (const closed of callbacks ?? []) closed()
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString()
}

function documentOf(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    return text
  }
}

function statusErrorOf({ code, reason, message, details, metadata }: Status): StatusError {
  return new StatusError(code, reason ?? '', message ?? '', { details, metadata })
}

/** A refusal in plain text, as by the in-flight limits. */
function refusal(status: number, text: string, headers: readonly string[]): StatusError {
  const parsed = documentOf(text)
  if (isRecord(parsed) && parsed['kind'] === 'Status') return statusErrorOf(parsed as Status)
  const at = headers.indexOf('retry-after')
  const seconds = at < 0 ? 0 : Number(headers[at + 1])
  const reason: StatusReason = status === 429 ? 'TooManyRequests' : status === 404 ? 'NotFound' : 'InternalError'
  return new StatusError(status, reason, text.trim(), seconds > 0 ? { details: { retryAfterSeconds: seconds } } : {})
}
