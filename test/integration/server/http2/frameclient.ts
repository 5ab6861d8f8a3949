import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { HeaderDecoder } from '../../../../lib/http2/index.ts'
import * as f from './frames.ts'
import { type Request, requestBlock } from './headerblock.ts'

/** What has come on one stream. */
interface Incoming {
  /** Of the final answer; 0 before. */
  status: number
  headers: Record<string, string>
  /** Statuses of interim answers. */
  readonly interim: number[]
  readonly chunks: Buffer[]
  bodyBytes: number
  /** By END_STREAM. */
  ended: boolean
  /** Name of the code of the server's RST_STREAM. */
  reset: string | undefined
}

interface Opening {
  readonly settings?: readonly (readonly [setting: number, value: number])[]
  /** What is granted to the server beyond the first 65535 bytes of the connection's window. By default all there is. */
  readonly connectionWindow?: number
  /** Nothing is sent but what the test sends. */
  readonly bare?: boolean
}

const waitMsMax = 10_000
const firstWindow = 65_535

/**
 * One connection of HTTP/2, frame by frame. It acknowledges the server's SETTINGS, keeps account of both sides' windows,
 * and holds the server to them: once it has seen a frame that no server may send, every wait fails with it.
 */
export class FrameClient {
  readonly socket: TLSSocket
  /** Every frame that came and that `next` has not taken, but for DATA. */
  readonly frames: f.Frame[] = []
  /** Frames are kept for `next`; not where there are too many. */
  keepsFrames = true
  readonly serverSettings = new Map<number, number>()
  /** Header blocks as they came, in their order. */
  readonly blocks: Buffer[] = []
  /** Of DATA, on all streams. */
  receivedBytes = 0
  closed = false
  readonly #streams = new Map<number, Incoming>()
  readonly #reader = new f.FrameReader()
  readonly #decoder = new HeaderDecoder()
  readonly #waiting = new Set<() => void>()
  readonly #acknowledges: boolean
  #violation: Error | undefined
  #goaway: { code: string; lastId: number } | undefined
  #block: { id: number; flags: number; parts: Buffer[] } | undefined
  #pings = 0
  // What the server may send.
  #granted = firstWindow
  readonly #grantedOn = new Map<number, number>()
  #initialGrant = firstWindow
  #frameBytesMax = 16_384
  /** Settings that the server has not acknowledged. */
  readonly #announced: (readonly (readonly [number, number])[])[] = []
  // What the server takes.
  #window = firstWindow
  readonly #windowOn = new Map<number, number>()

  static async open(port: number, opening: Opening = {}): Promise<FrameClient> {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    socket.setNoDelay()
    socket.on('error', () => {})
    const client = new FrameClient(socket, !opening.bare)
    await once(socket, 'secureConnect')
    if (opening.bare) return client
    client.write(f.preface)
    client.sendSettings(opening.settings ?? [[f.initialWindowSize, f.greatest]])
    const more = opening.connectionWindow ?? f.greatest - firstWindow
    if (more > 0) client.grant(0, more)
    await client.until(
      () => client.#announced.length === 0 && client.serverSettings.size > 0,
      'the exchange of SETTINGS',
    )
    return client
  }

  constructor(socket: TLSSocket, acknowledges: boolean) {
    this.socket = socket
    this.#acknowledges = acknowledges
    socket.on('data', (chunk: Buffer) => {
      this.#reader.read(chunk, (frame) => this.#take(frame))
      this.#wake()
    })
    socket.on('close', () => {
      this.closed = true
      this.#wake()
    })
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  /** Resolves when there is room for more. */
  async writeAndDrain(bytes: Buffer): Promise<void> {
    if (this.closed || this.socket.write(bytes)) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.socket.off('drain', done).off('close', done)
        resolve()
      }
      this.socket.on('drain', done).on('close', done)
    })
  }

  send(type: number, flags: number, id: number, payload: Buffer = f.nothing): void {
    this.write(f.frame(type, flags, id, payload))
  }

  sendSettings(pairs: readonly (readonly [setting: number, value: number])[]): void {
    this.#announced.push(pairs)
    this.send(f.settings, 0, 0, f.settingsPayload(pairs))
  }

  /** A request, complete unless `end` is false. */
  request(id: number, request: Request = {}, end = true): void {
    this.headers(id, requestBlock(request), end)
  }

  headers(id: number, block: Buffer, end = true): void {
    this.send(f.headers, f.endHeaders | (end ? f.endStream : 0), id, block)
  }

  data(id: number, payload: Buffer, end = false): void {
    this.#window -= payload.length
    this.#windowOn.set(id, this.windowOn(id) - payload.length)
    this.send(f.data, end ? f.endStream : 0, id, payload)
  }

  /** DATA in frames of one byte. */
  crumbs(id: number, bytes: number): void {
    this.#window -= bytes
    this.#windowOn.set(id, this.windowOn(id) - bytes)
    this.write(Buffer.concat(Array<Buffer>(bytes).fill(f.frame(f.data, 0, id, Buffer.alloc(1)))))
  }

  /** DATA of nothing but padding. */
  padding(id: number, bytes: number): void {
    const payload = f.padding(f.nothing, bytes)
    this.#window -= payload.length
    this.#windowOn.set(id, this.windowOn(id) - payload.length)
    this.send(f.data, f.padded, id, payload)
  }

  reset(id: number, code = 8): void {
    this.send(f.rstStream, 0, id, f.uint32(code))
  }

  /** Lets the server send more. */
  grant(id: number, bytes: number): void {
    if (id === 0) this.#granted += bytes
    else this.#grantedOn.set(id, this.#grantOn(id) + bytes)
    this.send(f.windowUpdate, 0, id, f.uint32(bytes))
  }

  /** Bytes that the server takes on the connection, and on a stream by the stream's own window. */
  get window(): number {
    return this.#window
  }
  windowOn(id: number): number {
    return this.#windowOn.get(id) ?? this.serverSettings.get(f.initialWindowSize) ?? firstWindow
  }

  /** Sends a body as the windows allow; ends early when the server wants no more of it. */
  async upload(id: number, body: Buffer, { frameBytes = 16_384, end = true } = {}): Promise<void> {
    for (let at = 0; at < body.length; ) {
      const room = (): number => Math.min(this.#window, this.windowOn(id), frameBytes, body.length - at)
      await this.until(() => room() > 0 || this.#isOver(id), 'room for more of a body')
      if (this.#isOver(id)) return
      const bytes = room()
      if (bytes <= 0) continue // another stream was quicker
      this.data(id, body.subarray(at, at + bytes), end && at + bytes === body.length)
      at += bytes
    }
  }

  #isOver(id: number): boolean {
    const { reset, ended } = this.incoming(id)
    return this.closed || reset !== undefined || ended
  }

  incoming(id: number): Incoming {
    let incoming = this.#streams.get(id)
    if (incoming === undefined) {
      incoming = { status: 0, headers: {}, interim: [], chunks: [], bodyBytes: 0, ended: false, reset: undefined }
      this.#streams.set(id, incoming)
    }
    return incoming
  }

  /** The whole answer; fails when it does not come or is broken off. */
  async answer(id: number): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    const incoming = this.incoming(id)
    await this.until(() => this.#isOver(id), `an answer on stream ${id}`)
    assert.ok(incoming.ended, `no answer on stream ${id}: ${this.#end(id) ?? 'closed'}`)
    return { status: incoming.status, headers: incoming.headers, body: Buffer.concat(incoming.chunks) }
  }

  /** What becomes of a stream: `answer 200`, `stream CANCEL` (a reset), `connection PROTOCOL_ERROR` or `closed`. */
  async verdict(id: number): Promise<string> {
    const end = await this.until(() => this.#end(id), `an end of stream ${id}`)
    if (end.startsWith('connection')) await this.until(() => this.closed, 'a close behind the GOAWAY')
    return end
  }

  /** As `verdict`, but `alive` where the server has seen all that was sent before and nothing has come of it. */
  async outcome(id = 0): Promise<string> {
    // Servers answer a PING before all else: by the second, what the first went ahead of has come.
    for (let round = 0; round < 2; round++) {
      const pong = this.ping()
      await this.until(() => this.#end(id) !== undefined || pong(), 'an answer to PING')
    }
    return this.#end(id) === undefined ? 'alive' : await this.verdict(id)
  }

  /** Until the server has seen all that was sent before. */
  async settled(): Promise<void> {
    assert.equal(await this.outcome(), 'alive')
  }

  /** Sends a PING. Answers whether its answer has come. */
  ping(): () => boolean {
    const payload = Buffer.from(`ping${String(this.#pings++).padStart(4, '0')}`)
    let seen = false
    this.send(f.ping, 0, 0, payload)
    return () => {
      if (seen) return true
      const at = this.frames.findIndex((frame) => frame.type === f.ping && frame.payload.equals(payload))
      if (at >= 0) this.frames.splice(at, 1)
      return (seen = at >= 0)
    }
  }

  get goaway(): { code: string; lastId: number } | undefined {
    return this.#goaway
  }

  #end(id: number): string | undefined {
    const { reset, ended, status } = this.#streams.get(id) ?? {}
    if (this.#goaway !== undefined && this.#goaway.code !== 'NO_ERROR') return `connection ${this.#goaway.code}`
    if (reset !== undefined && !ended) return `stream ${reset}`
    if (ended) return `answer ${status}`
    return this.closed ? 'closed' : undefined
  }

  /** Takes the first frame, of those that came and will come, that matches. */
  async next(matches: (frame: f.Frame) => boolean, what: string): Promise<f.Frame> {
    const frame = await this.until(() => this.frames.find(matches), what)
    this.frames.splice(this.frames.indexOf(frame), 1)
    return frame
  }

  /** Until a condition holds that frames, or the end of the connection, bring about. Answers what it answered. */
  until<T>(condition: () => T | undefined | false, what: string): Promise<T> {
    const settled = Promise.withResolvers<T>()
    const look = (): void => {
      const held = condition()
      if (this.#violation !== undefined) settled.reject(this.#violation)
      else if (held !== undefined && held !== false) settled.resolve(held)
      else if (this.closed)
        settled.reject(new Error(`the connection closed before ${what} (${JSON.stringify(this.#goaway)})`))
      else return
      this.#waiting.delete(look)
      clearTimeout(timer)
    }
    const timer = setTimeout(() => settled.reject(new Error(`waited in vain for ${what}`)), waitMsMax)
    this.#waiting.add(look)
    look()
    return settled.promise
  }

  #wake(): void {
    for (const look of this.#waiting) look()
  }

  /** Until the server has closed the connection. */
  async ended(): Promise<void> {
    await this.until(() => this.closed, 'the end of the connection')
  }

  destroy(): void {
    this.socket.destroy()
  }

  #take(frame: f.Frame): void {
    try {
      this.#check(frame)
      this.#accept(frame)
    } catch (error) {
      this.#violation ??= error as Error
    }
  }

  /** What no server may send whatever its client does. */
  #check({ type, flags, id, payload }: f.Frame): void {
    assert.ok(payload.length <= this.#frameBytesMax, `a frame of ${payload.length} bytes`)
    assert.ok(
      this.#block === undefined || (type === f.continuation && id === this.#block.id),
      'a header block interrupted',
    )
    const ofConnection = type === f.settings || type === f.ping || type === f.goaway
    assert.ok(type === f.windowUpdate || ofConnection === (id === 0), `a frame of type ${type} on stream ${id}`)
    assert.notEqual(type, f.pushPromise)
    if (type === f.ping) assert.ok(flags & f.ack, 'a PING of the server')
    if (type !== f.data && type !== f.headers) return
    const { ended, reset } = this.incoming(id)
    assert.ok(!ended && reset === undefined, `a frame of type ${type} after the end of stream ${id}`)
  }

  #accept(frame: f.Frame): void {
    const { type, flags, id, payload } = frame
    if (type !== f.data && this.keepsFrames) this.frames.push(frame)
    if (type === f.data) this.#acceptData(frame)
    else if (type === f.headers || type === f.continuation) this.#acceptHeaders(frame)
    else if (type === f.settings) this.#acceptSettings(frame)
    else if (type === f.rstStream) this.incoming(id).reset ??= f.codeName(payload.readUInt32BE())
    else if (type === f.goaway)
      this.#goaway = { code: f.codeName(payload.readUInt32BE(4)), lastId: payload.readUInt32BE() }
    else if (type === f.windowUpdate) {
      if (id === 0) this.#window += payload.readUInt32BE()
      else this.#windowOn.set(id, this.windowOn(id) + payload.readUInt32BE())
    } else assert.ok(type === f.ping, `a frame of type ${type}, flags ${flags}`)
  }

  #acceptData({ flags, id, payload }: f.Frame): void {
    this.#granted -= payload.length
    this.receivedBytes += payload.length
    this.#grantedOn.set(id, this.#grantOn(id) - payload.length)
    if (payload.length > 0) {
      assert.ok(this.#granted >= 0, `${-this.#granted} bytes more than the connection's window`)
      assert.ok(this.#grantOn(id) >= 0, `${-this.#grantOn(id)} bytes more than the window of stream ${id}`)
    }
    const incoming = this.incoming(id)
    assert.ok(incoming.status > 0, 'DATA before HEADERS')
    const content = flags & f.padded ? payload.subarray(1, payload.length - payload.readUInt8()) : payload
    incoming.chunks.push(content)
    incoming.bodyBytes += content.length
    if (flags & f.endStream) incoming.ended = true
  }

  #grantOn(id: number): number {
    return this.#grantedOn.get(id) ?? this.#initialGrant
  }

  #acceptHeaders({ type, flags, id, payload }: f.Frame): void {
    if (type === f.headers) {
      assert.ok(!(flags & (f.padded | f.prioritized)), 'padding and priority are of no use in an answer')
      // From here on the stream has a window of its own, which later settings change.
      if (!this.#grantedOn.has(id)) this.#grantedOn.set(id, this.#initialGrant)
      this.#block = { id, flags, parts: [] }
    }
    assert.ok(this.#block, 'a CONTINUATION of nothing')
    this.#block.parts.push(payload)
    if (!(flags & f.endHeaders)) return
    const block = Buffer.concat(this.#block.parts)
    const end = (this.#block.flags & f.endStream) !== 0
    this.#block = undefined
    this.blocks.push(block)
    this.#acceptAnswer(this.incoming(id), block, end)
  }

  #acceptAnswer(incoming: Incoming, block: Buffer, end: boolean): void {
    const headers: Record<string, string> = {}
    const names: string[] = []
    this.#decoder.decode(block, {
      onHeader: (name, value) => {
        names.push(name)
        headers[name] = value
      },
    })
    assert.ok(names[0] === ':status' && names.lastIndexOf(':status') === 0, `an answer that begins with ${names[0]}`)
    assert.ok(!names.slice(1).some((name) => name.startsWith(':') || name !== name.toLowerCase()), names.join(' '))
    assert.ok(!names.some((name) => /^(connection|keep-alive|transfer-encoding|upgrade)$/.test(name)), names.join(' '))
    const status = Number(headers[':status'])
    assert.equal(incoming.status, 0, 'an answer behind the answer')
    if (status < 200) {
      assert.ok(!end, 'an interim answer is not the end')
      incoming.interim.push(status)
      return
    }
    incoming.status = status
    incoming.headers = headers
    incoming.ended = end
  }

  #acceptSettings({ flags, payload }: f.Frame): void {
    if (flags & f.ack) {
      const pairs = this.#announced.shift()
      for (const [setting, value] of pairs ?? []) {
        if (setting === f.maxFrameSize) this.#frameBytesMax = value
        if (setting === f.initialWindowSize) this.#regrant(value)
      }
      return
    }
    const before = this.serverSettings.get(f.initialWindowSize) ?? firstWindow
    for (let at = 0; at < payload.length; at += 6) {
      this.serverSettings.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2))
    }
    const change = (this.serverSettings.get(f.initialWindowSize) ?? firstWindow) - before
    for (const [id, window] of this.#windowOn) this.#windowOn.set(id, window + change)
    if (this.#acknowledges) this.send(f.settings, f.ack, 0)
  }

  /** The server has taken a change of the initial window: it holds for streams that are open, too (RFC 9113, 6.9.2). */
  #regrant(initial: number): void {
    for (const [id, window] of this.#grantedOn) this.#grantedOn.set(id, window + initial - this.#initialGrant)
    this.#initialGrant = initial
  }
}

/** Makes clients that end with the test that made them; called within a suite. */
export function connecting(): (port: number, opening?: Opening) => Promise<FrameClient> {
  const clients: FrameClient[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
  })
  return async (port, opening) => {
    const client = await FrameClient.open(port, opening)
    clients.push(client)
    return client
  }
}

/** A stream error of this code, or, as a server may choose (RFC 9113, 5.4.1), an error of the connection. */
export function errorOf(...codes: string[]): string[] {
  return codes.flatMap((code) => [`stream ${code}`, `connection ${code}`])
}

export function connectionError(...codes: string[]): string[] {
  return codes.map((code) => `connection ${code}`)
}

/** A request that is none (RFC 9113, 8.1.1): the server may say so in an answer. */
export const malformed = [...errorOf('PROTOCOL_ERROR'), 'answer 400']

export function assertOneOf(actual: string, allowed: readonly string[]): void {
  assert.ok(allowed.includes(actual), `${actual}, which is none of: ${allowed.join(', ')}`)
}
