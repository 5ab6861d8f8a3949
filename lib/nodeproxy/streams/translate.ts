import { type Clock, isRecord, type Metrics } from '../../base/index.ts'
import { parseJsonText, statusErrors } from '../../object/index.ts'
import { createIdleLimit, type IdleLimit, throttle } from '../../proxy/index.ts'
import type { Call } from '../../request/index.ts'
import { SpdySession, type SpdyStream } from '../../spdy/index.ts'
import { streamIdleMs, upgradeTimeoutMs } from '../limits.ts'
import type { WantedStreams } from '../options/streams.ts'
import { acceptWebSocket } from '../websocket/accept.ts'
import type { WebSocketConnection } from '../websocket/connection.ts'
import { type CommandOutcome, failedWith, outcomeOf } from './outcome.ts'
import type { StreamTarget } from './target.ts'
import { refusalOf, requestFailure, upgradeToSpdy } from './upgradetospdy.ts'

interface TranslateServices {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly bytesPerSecMax: number
}

const protocol = 'v5.channel.k8s.io'
/** Versions of the streams' protocol that kubelets are offered. */
const versions = [protocol, 'v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io']
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const
const pingEveryMs = 30_000
const outcomeBytesMax = 64 * 1024
const resizeBytesMax = 1024
/** Error, stdin, stdout, stderr, resize. */
const streamsMax = 5

/** Connects a client that speaks WebSockets with channels to a kubelet that speaks SPDY with streams. */
export async function translate(
  call: Call,
  target: StreamTarget,
  wanted: WantedStreams,
  { clock, metrics, bytesPerSecMax }: TranslateServices,
): Promise<void> {
  const { upgrade } = call
  if (!upgrade) throw statusErrors.badRequest('Upgrade request required')
  const webSocket = await acceptWebSocket(call, upgrade, protocol, clock)
  const requests = metrics.counter({
    name: 'apiserver_stream_translator_requests_total',
    help: 'WebSockets that were translated to SPDY, by code.',
    labels: ['code'],
    stability: 'ALPHA',
  })
  const first = wanted.stdout ? channels.stdout : wanted.stderr ? channels.stderr : channels.error
  webSocket.send(Buffer.of(first))
  const outcome = await run(call, target, wanted, webSocket, { clock, bytesPerSecMax })
  requests.add([String(outcome.code)])
  webSocket.send(Buffer.concat([Buffer.of(channels.error), Buffer.from(JSON.stringify(outcome.status))]))
  webSocket.close()
}

async function run(
  call: Call,
  target: StreamTarget,
  wanted: WantedStreams,
  webSocket: WebSocketConnection,
  { clock, bytesPerSecMax }: Pick<TranslateServices, 'clock' | 'bytesPerSecMax'>,
): Promise<CommandOutcome> {
  const left = new AbortController()
  webSocket.onClose = () => left.abort(new Error('the client has left'))
  const late = clock.after(upgradeTimeoutMs, () => left.abort(new Error('context deadline exceeded')))
  try {
    const signal = AbortSignal.any([call.signal, left.signal])
    const upgraded = await upgradeToSpdy(target, {}, versions, signal)
    if ('body' in upgraded) return failedWith(await refusalOf(upgraded))
    const session = new SpdySession(throttle(clock, upgraded.socket, bytesPerSecMax), {
      clock,
      role: 'client',
      streamsMax,
      pingEveryMs,
    })
    void late.close()
    return await exchange(session, upgraded.version, wanted, webSocket, clock)
  } catch (error) {
    return failedWith(requestFailure(target, error))
  } finally {
    void late.close()
  }
}

/** Copies messages and bytes until the command has ended, or either side leaves. */
async function exchange(
  session: SpdySession,
  version: string,
  wanted: WantedStreams,
  webSocket: WebSocketConnection,
  clock: Clock,
): Promise<CommandOutcome> {
  const open = (streamtype: string): SpdyStream => session.open({ streamtype })
  const error = open('error')
  const stdin = wanted.stdin ? open('stdin') : undefined
  const stdout = wanted.stdout ? open('stdout') : undefined
  // A terminal has one output.
  const stderr = wanted.stderr && !wanted.tty ? open('stderr') : undefined
  const resize = wanted.tty && /^v[3-9]\./.test(version) ? open('resize') : undefined
  const idle = createIdleLimit(clock, streamIdleMs, () => session.destroy())
  const outputs = createOutputs(webSocket, idle)
  webSocket.onClose = () => session.destroy()
  stdin?.on('drain', () => webSocket.resume())
  webSocket.listen((data) => {
    idle.touch()
    passInput(data, { stdin, resize }, webSocket)
  })
  try {
    const passed = [
      ...(stdout ? [outputs.pass(stdout, channels.stdout)] : []),
      ...(stderr ? [outputs.pass(stderr, channels.stderr)] : []),
    ]
    const text = await wholeOf(error)
    await Promise.all(passed)
    if (text === '' && error.isIncomplete) throw new Error('error reading from error stream: unexpected EOF')
    return outcomeOf(text, version)
  } catch (failure) {
    return failedWith(failure)
  } finally {
    void idle.close()
    webSocket.onClose = () => {}
    session.close()
  }
}

interface Outputs {
  /** Resolves at the stream's end. */
  pass(stream: SpdyStream, channel: number): Promise<void>
}

function createOutputs(webSocket: WebSocketConnection, idle: IdleLimit): Outputs {
  const held = new Set<SpdyStream>()
  webSocket.onDrain = () => {
    for (const stream of held) stream.resume()
    held.clear()
  }
  return {
    pass(stream, channel) {
      stream.on('data', (chunk: Buffer) => {
        idle.touch()
        if (webSocket.send(Buffer.concat([Buffer.of(channel), chunk]))) return
        stream.pause()
        held.add(stream)
      })
      return new Promise((done) => stream.on('end', done).on('close', done))
    },
  }
}

interface Inputs {
  readonly stdin: SpdyStream | undefined
  readonly resize: SpdyStream | undefined
}

function passInput(data: Buffer, { stdin, resize }: Inputs, webSocket: WebSocketConnection): void {
  const rest = data.subarray(1)
  switch (data[0]) {
    case channels.stdin:
      if (stdin && !stdin.writableEnded && rest.length > 0 && !stdin.write(rest)) webSocket.pause()
      return
    case channels.resize: {
      const size = sizeIn(rest)
      if (size !== undefined && resize && !resize.writableNeedDrain) resize.write(size)
      return
    }
    case channels.close:
      if (rest[0] === channels.stdin) stdin?.end()
      return
    default:
    // Channels that were not requested are ignored.
  }
}

/** A terminal's size as its own JSON object: kubelets read a sequence of them. */
function sizeIn(bytes: Buffer): string | undefined {
  if (bytes.length > resizeBytesMax) return undefined
  try {
    const given: unknown = parseJsonText(bytes.toString())
    if (!isRecord(given)) return undefined
    const [width, height] = [given['Width'] ?? given['width'], given['Height'] ?? given['height']]
    const isSize = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536
    return isSize(width) && isSize(height) ? `${JSON.stringify({ Width: width, Height: height })}\n` : undefined
  } catch {
    return undefined
  }
}

function wholeOf(stream: SpdyStream): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((done, failed) => {
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > outcomeBytesMax) failed(new Error('error reading from error stream: it is too long'))
      else chunks.push(chunk)
    })
    const end = (): void => done(Buffer.concat(chunks).toString())
    stream.on('end', end).on('close', end)
  })
}
