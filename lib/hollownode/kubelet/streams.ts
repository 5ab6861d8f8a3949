import type { IncomingMessage } from 'node:http'
import { type Duplex, finished, type Readable, type Writable } from 'node:stream'
import type { Clock } from '../../base/index.ts'
import { parseJsonText } from '../../object/index.ts'
import { SpdySession, type SpdyStream } from '../../spdy/index.ts'
import type { KubeletRoute } from './server.ts'

/** The inputs and outputs of a command, as far as the client has asked for them. */
export interface CommandStreams {
  readonly stdin: Readable | undefined
  readonly stdout: Writable | undefined
  readonly stderr: Writable | undefined
  readonly isTty: boolean
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
  onResize(resized: (size: unknown) => void): void
}

/** How a command has ended: with an exit code, or without having run. */
export type CommandEnd = { readonly exitCode: number } | { readonly failure: string }

/** Runs commands and opens ports of containers; an error's message is the client's. */
export interface StreamBackend {
  execute(path: string, command: readonly string[], streams: CommandStreams): Promise<CommandEnd>
  attach(path: string, streams: CommandStreams): Promise<CommandEnd>
  /** Carries what comes in over the stream to the port of a pod, and back. `connected` comes first. */
  forward(path: string, port: number, stream: Duplex, connected: (failure?: Error) => void): void
}

export interface KubeletStreams {
  readonly routes: readonly KubeletRoute[]
  /** Sessions that are open. */
  readonly sessions: ReadonlySet<SpdySession>
}

const commandVersions = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io']
const forwardVersions = ['portforward.k8s.io']
const streamsMax = 200

/** The routes of commands, terminals and forwarded ports, over SPDY. */
export function createKubeletStreams(clock: Clock, backend: StreamBackend): KubeletStreams {
  const sessions = new Set<SpdySession>()

  function open(
    socket: Duplex,
    head: Buffer,
    onStream: (stream: SpdyStream, session: SpdySession) => void,
  ): SpdySession {
    if (head.length > 0) socket.unshift(head)
    const session: SpdySession = new SpdySession(socket, {
      clock,
      role: 'server',
      streamsMax,
      pingEveryMs: 0,
      onStream: (stream) => onStream(stream, session),
    })
    sessions.add(session)
    session.onClose(() => sessions.delete(session))
    return session
  }

  type Start = (path: string, streams: CommandStreams, command: readonly string[]) => Promise<CommandEnd>

  function command(prefix: string, start: Start): KubeletRoute {
    return {
      prefix,
      upgrade(request, socket, head, { pathname, searchParams }) {
        const path = pathname.slice(prefix.length + 1)
        if (!agree(request, socket, commandVersions)) return
        const isTty = searchParams.get('tty') === '1'
        const wanted = wantedStreams(searchParams, isTty)
        const given = new Map<string, SpdyStream>()
        let isRunning = false
        open(socket, head, (stream, session) => {
          given.set(stream.headers['streamtype'] ?? '', stream)
          stream.accept()
          if (isRunning || !wanted.every((name) => given.has(name))) return
          isRunning = true
          const streams = commandStreams(given, isTty, session)
          void end(start(path, streams, searchParams.getAll('command')), given, session)
        })
      },
    }
  }

  return {
    sessions,
    routes: [
      command('/exec', (path, streams, line) => backend.execute(path, line, streams)),
      command('/attach', (path, streams) => backend.attach(path, streams)),
      {
        prefix: '/portForward',
        upgrade(request, socket, head, { pathname }) {
          const path = pathname.slice('/portForward/'.length)
          if (!agree(request, socket, forwardVersions)) return
          const pairs = new Map<string, { data?: SpdyStream; error?: SpdyStream }>()
          open(socket, head, (stream, session) => {
            const { requestid = '', streamtype } = stream.headers
            if (pairs.size >= streamsMax) return session.close()
            const pair = pairs.get(requestid) ?? {}
            pairs.set(requestid, pair)
            if (streamtype === 'data') pair.data = stream
            else pair.error = stream
            stream.accept()
            if (!pair.data || !pair.error) return
            pairs.delete(requestid)
            forward(backend, path, pair.data, pair.error)
          })
        },
      },
    ],
  }
}

/** The error stream comes first; a terminal has one output, and sizes. */
function wantedStreams(query: URLSearchParams, isTty: boolean): string[] {
  const asked = { stdin: 'input', stdout: 'output', stderr: 'error' } as const
  const names = (['stdin', 'stdout', 'stderr'] as const).filter((name) => query.get(asked[name]) === '1')
  return ['error', ...names.filter((name) => !(isTty && name === 'stderr')), ...(isTty ? ['resize'] : [])]
}

function commandStreams(given: ReadonlyMap<string, SpdyStream>, isTty: boolean, session: SpdySession): CommandStreams {
  const left = new AbortController()
  session.onClose(() => left.abort(new Error('the client has left')))
  const stdout = given.get('stdout')
  return {
    stdin: given.get('stdin'),
    stdout,
    stderr: isTty ? stdout : given.get('stderr'),
    isTty,
    signal: left.signal,
    onResize(resized) {
      given.get('resize')?.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString().split('\n')) if (line !== '') resized(parseJsonText(line))
      })
    },
  }
}

/** Reports how the command has ended once its output is sent, and closes the session. */
async function end(
  running: Promise<CommandEnd>,
  streams: ReadonlyMap<string, SpdyStream>,
  session: SpdySession,
): Promise<void> {
  const ended = await running.catch((error: unknown) => ({
    failure: error instanceof Error ? error.message : String(error),
  }))
  const outputs = ['stdout', 'stderr'].map((name) => streams.get(name)).filter((each) => each !== undefined)
  await Promise.all(outputs.map(endOf))
  const error = streams.get('error')
  error?.write(JSON.stringify('failure' in ended ? failedStatus(ended.failure) : exitStatus(ended.exitCode)))
  if (error) await endOf(error)
  session.close()
}

function endOf(stream: Writable): Promise<void> {
  return new Promise((done) => {
    finished(stream, { readable: false }, () => done())
    stream.end()
  })
}

function failedStatus(message: string): object {
  return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 }
}

function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command, exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  }
}

function forward(backend: StreamBackend, path: string, data: SpdyStream, error: SpdyStream): void {
  const port = Number(data.headers['port'])
  backend.forward(path, port, data, (failure) => {
    if (!failure) return void error.end()
    error.end(`error forwarding port ${port} to pod: ${failure.message}`)
    data.destroy()
  })
}

/** Changes to SPDY, in the first version that the client offers and that is known here; false: refused. */
function agree(request: IncomingMessage, socket: Duplex, known: readonly string[]): boolean {
  const offered: string[] = []
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    if (request.rawHeaders[at]?.toLowerCase() === 'x-stream-protocol-version')
      offered.push(request.rawHeaders[at + 1] ?? '')
  const version = offered.find((each) => known.includes(each))
  if (request.headers.upgrade?.toUpperCase() !== 'SPDY/3.1' || version === undefined) {
    const lines = known.map((each) => `X-Accepted-Stream-Protocol-Versions: ${each}\r\n`).join('')
    socket.end(`HTTP/1.1 403 Forbidden\r\n${lines}Content-Length: 0\r\n\r\n`)
    return false
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${version}\r\n\r\n`,
  )
  return true
}
