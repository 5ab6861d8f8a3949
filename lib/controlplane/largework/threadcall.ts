import type { Readable } from 'node:stream'
import { assert } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { PresentedCertificates } from '../../pki/index.ts'
import type {
  Call,
  QueryParameters,
  RequestInfo,
  Responder,
  ResponseHeaders,
  Upgrade,
  UserInfo,
  Warnings,
} from '../../request/index.ts'
import type { RequestAnswer, RequestTask } from './messages.ts'
import { sendObject } from './sentobject.ts'
import type { Loop } from './threadservices.ts'

/** A request within a thread. Its answer is collected and sent as a whole. */
export class ThreadCall implements Call {
  readonly upgrade: Upgrade | undefined = undefined
  readonly query: QueryParameters
  readonly signal: AbortSignal
  readonly warnings: Warnings
  readonly audit: Call['audit']
  readonly responder: KeptAnswer = new KeptAnswer()
  info: RequestInfo
  user: UserInfo
  readonly #task: RequestTask
  readonly #loop: Loop

  constructor(task: RequestTask, loop: Loop, signal: AbortSignal) {
    this.#task = task
    this.#loop = loop
    this.query = new URLSearchParams(task.query)
    this.signal = signal
    this.info = task.info
    this.user = task.user
    const texts: string[] = []
    this.warnings = {
      list: () => texts,
      add(text) {
        texts.push(text)
        loop.notify('warn', { task: task.id, text })
      },
    }
    this.audit = {
      annotate: (key, value) => loop.notify('annotate', { task: task.id, key, value }),
      ...(task.audits && { request: (object: ApiObject) => this.#audit(object) }),
    }
  }

  get method(): string {
    return this.#task.method
  }
  get url(): string {
    return this.#task.url
  }
  get path(): string {
    return this.#task.path
  }
  get headers(): Call['headers'] {
    return this.#task.headers
  }
  get remoteAddress(): string {
    return this.#task.remoteAddress
  }
  get httpVersion(): Call['httpVersion'] {
    return this.#task.httpVersion
  }
  get receivedAtMs(): number {
    return this.#task.receivedAtMs
  }
  get auditId(): string {
    return this.#task.auditId ?? ''
  }
  clientCertificates(): PresentedCertificates | undefined {
    return undefined
  }
  step(name: string, about?: Readonly<Record<string, string | number>>): void {
    this.#loop.notify('step', { task: this.#task.id, name, about })
  }
  body(): Promise<Uint8Array> {
    return Promise.resolve(this.#task.body)
  }
  bodyStream(): Readable {
    throw new Error('the body of a large request is in memory')
  }

  #audit(object: ApiObject): void {
    this.#loop.notify('audit', { task: this.#task.id, object: sendObject(object) })
  }
}

class KeptAnswer implements Responder {
  #answer: RequestAnswer | undefined

  get started(): boolean {
    return this.#answer !== undefined
  }

  get answer(): RequestAnswer {
    assert(this.#answer, 'a handler answers')
    return this.#answer
  }

  send(status: number, headers: ResponseHeaders, body: Uint8Array | readonly Uint8Array[] = []): void {
    this.#answer = { status, headers, body: body instanceof Uint8Array ? [body] : body }
  }

  sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): void {
    this.#answer = { status, headers, body: Array.from(chunks, (chunk) => Uint8Array.from(chunk)) }
  }

  stream(): never {
    throw new Error('the answer to a large request has an end')
  }
}
