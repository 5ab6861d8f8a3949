import type { Transferable } from 'node:worker_threads'
import { receiveError, type SentError, sendError } from './senterror.ts'

/** A method's name with its argument and its result, both of which can be cloned. */
export type Methods = Readonly<Record<string, { readonly takes: unknown; readonly gives: unknown }>>

export type Handlers<Served extends Methods> = {
  readonly [Name in keyof Served]: (
    argument: Served[Name]['takes'],
  ) => Served[Name]['gives'] | Promise<Served[Name]['gives']>
}

type Message =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly argument: unknown }
  | { readonly type: 'notice'; readonly method: string; readonly argument: unknown }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: SentError }

/** One end of a connection between two threads or processes. */
export interface MessageEnd {
  on(event: 'message', receive: (message: unknown) => void): unknown
  /** `transfer`: memory that moves to the other thread; to a process it is copied. */
  postMessage(message: unknown, transfer: readonly Transferable[]): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Smaller bytes are copied; some of them are constants. */
const transferBytesMin = 4096

/**
 * Calls between two threads, in both directions and concurrent. Messages of one direction arrive in their order.
 * `Called`: the methods of the other thread. `givesAway`: large bytes in results move to the other thread instead of
 * being copied; only if nothing else uses them.
 */
export class WorkerChannel<Called extends Methods, Served extends Methods> {
  readonly #port: MessageEnd
  readonly #handlers: Handlers<Served>
  readonly #givesAway: boolean
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor(port: MessageEnd, handlers: Handlers<Served>, { givesAway = false } = {}) {
    this.#port = port
    this.#handlers = handlers
    this.#givesAway = givesAway
    // The other end runs the same program.
    port.on('message', (message) => this.#receive(message as Message))
  }

  /**
   * Rejects with the error that the method throws there. `transfer`: memory of the argument that moves to the other
   * thread.
   */
  call<Name extends keyof Called & string>(
    method: Name,
    argument: Called[Name]['takes'],
    transfer: readonly Transferable[] = [],
  ): Promise<Called[Name]['gives']> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#post({ type: 'call', id, method, argument }, transfer)
    })
  }

  /** Calls a method without waiting for its result. */
  notify<Name extends keyof Called & string>(method: Name, argument: Called[Name]['takes']): void {
    this.#post({ type: 'notice', method, argument })
  }

  /** The other thread has ended: rejects all pending calls. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #post(message: Message, transfer: readonly Transferable[] = []): void {
    this.#port.postMessage(message, [...transfer])
  }

  #receive(message: Message): void {
    if (message.type === 'call') return void this.#serve(message)
    if (message.type === 'notice') return void this.#handle(message)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.type === 'result') waiting?.resolve(message.result)
    else waiting?.reject(receiveError(message.error))
  }

  #handle({ method, argument }: { readonly method: string; readonly argument: unknown }): unknown {
    // Both threads run one program: the other one calls only existing methods.
    const handler = this.#handlers[method] as (argument: unknown) => unknown
    return handler(argument)
  }

  async #serve({ id, method, argument }: Message & { type: 'call' }): Promise<void> {
    try {
      const result = await this.#handle({ method, argument })
      this.#post({ type: 'result', id, result }, this.#givesAway ? memoryOf(result) : [])
    } catch (error) {
      this.#post({ type: 'failure', id, error: sendError(error) })
    }
  }
}

/** The memory of bytes, alone or within a list at the top of a result, that share it with nothing else. */
function memoryOf(result: unknown): readonly ArrayBuffer[] {
  if (result === null || typeof result !== 'object') return []
  const found = new Set<ArrayBuffer>()
  for (const value of [result, ...Object.values(result)])
    for (const bytes of Array.isArray(value) ? value : [value]) if (isTransferable(bytes)) found.add(bytes.buffer)
  return [...found]
}

function isTransferable(value: unknown): value is Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array) || value.byteLength < transferBytesMin) return false
  return value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
}
