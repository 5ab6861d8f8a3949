import type { Duplex } from 'node:stream'
import type { Receiver, Sender } from 'ws'
import type { Clock } from '../../base/index.ts'

/** Maximum size of a client's message, such as a large paste. */
const messageBytesMax = 4 * 1024 * 1024
const closeCodes = { normal: 1000, protocolError: 1002, tooLarge: 1009, internalError: 1011 } as const
/** How long a client may take to read the remaining messages after the close frame was queued. */
const lingerMs = 10_000
const plainMessage = { fin: true, mask: false, compress: false, rsv1: false } as const

/** Bytes that are read before `listen`: clients send before the other end is connected. */
const earlyBytesMax = 64 * 1024

type Listener = (data: Buffer, isBinary: boolean) => void

/** One WebSocket of a client. Messages are read no faster than they are consumed, see `pause`. */
export class WebSocketConnection {
  onDrain: () => void = () => {}
  /** The client leaves, with a close frame or without one. */
  onClose: () => void = () => {}
  readonly #socket: Duplex
  readonly #sender: Sender
  readonly #clock: Clock
  #listener: Listener | undefined
  #early: Parameters<Listener>[] = []
  #earlyBytes = 0
  #isPaused = false
  #isClosing = false
  #isOver = false

  constructor(
    socket: Duplex,
    clock: Clock,
    ws: { readonly Receiver: typeof Receiver; readonly Sender: typeof Sender },
  ) {
    this.#socket = socket
    this.#clock = clock
    this.#sender = new ws.Sender(socket)
    const receiver = new ws.Receiver({
      isServer: true,
      maxPayload: messageBytesMax,
      allowSynchronousEvents: true,
    })
    receiver.on('message', (data, isBinary) => this.#arrived(data, isBinary))
    receiver.on('ping', (data) => {
      // A client that pings without reading the answers gets no more of them.
      if (!this.#isClosing && !socket.writableNeedDrain) this.#sender.pong(data, false)
    })
    receiver.on('conclude', () => this.close())
    receiver.on('error', (error) => this.close(codeOf(error)))
    receiver.on('drain', () => {
      if (!this.#isPaused) socket.resume()
    })
    socket.on('data', (chunk: Buffer) => {
      if (!this.#isClosing && !receiver.write(chunk)) socket.pause()
    })
    socket.on('drain', () => this.onDrain())
    socket.on('error', () => {})
    socket.on('end', () => this.close())
    socket.on('close', () => this.#over())
  }

  /** Delivers messages, earlier ones first. */
  listen(listener: Listener): void {
    this.#listener = listener
    this.resume()
    for (const [data, isBinary] of this.#early.splice(0)) this.#arrived(data, isBinary)
  }

  #arrived(data: Buffer, isBinary: boolean): void {
    if (this.#isClosing) return
    if (this.#listener) return this.#listener(data, isBinary)
    this.#early.push([data, isBinary])
    this.#earlyBytes += data.length
    if (this.#earlyBytes > earlyBytesMax) this.pause()
  }

  /** False: the client is behind; `onDrain` is called when it has caught up. */
  send(data: Buffer, isBinary = true): boolean {
    if (this.#isClosing || this.#socket.destroyed) return true
    this.#sender.send(data, { ...plainMessage, binary: isBinary })
    return !this.#socket.writableNeedDrain
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#socket.resume()
  }

  /** Sends the remaining messages, and a close frame. */
  close(code: number = closeCodes.normal, reason = ''): void {
    if (this.#isClosing) return
    this.#isClosing = true
    if (!this.#socket.destroyed && !this.#socket.writableEnded) {
      this.#sender.close(code, reason, false)
      this.#socket.end()
    }
    const late = this.#clock.after(lingerMs, () => this.#socket.destroy())
    this.#socket.once('close', () => void late.close())
    this.resume()
    this.#over()
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.onClose()
  }
}

function codeOf(error: Error): number {
  const status = (error as Error & Record<symbol, unknown>)[statusCodeOf(error)]
  return typeof status === 'number' ? status : closeCodes.protocolError
}

/** ws keeps the close code of an error under a symbol. */
function statusCodeOf(error: Error): symbol {
  return Object.getOwnPropertySymbols(error).find(({ description }) => description === 'status-code') ?? Symbol('none')
}
