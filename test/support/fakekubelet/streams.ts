import { spawn } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { systemClock } from '../../../lib/base/index.ts'
import { SpdySession, type SpdyStream } from '../../../lib/spdy/index.ts'
import type { KubeletRoute } from './fakekubelet.ts'

/** The commands and ports of a kubelet's containers: real processes and ports of this machine. */
export interface KubeletStreams {
  readonly routes: readonly KubeletRoute[]
  /** Sizes that terminals were given. */
  readonly sizes: unknown[]
  /** Sessions that are open. */
  readonly sessions: ReadonlySet<SpdySession>
}

interface StreamsOptions {
  /** Where commands run. */
  readonly folder: string
  /** A container's own process, for attach. */
  readonly attached: readonly string[]
}

const versions = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io']

export function createKubeletStreams({ folder, attached }: StreamsOptions): KubeletStreams {
  const sizes: unknown[] = []
  const sessions = new Set<SpdySession>()

  function open(socket: Duplex, head: Buffer, onStream: (stream: SpdyStream, session: SpdySession) => void): void {
    if (head.length > 0) socket.unshift(head)
    const session = new SpdySession(socket, {
      clock: systemClock,
      role: 'server',
      streamsMax: 200,
      pingEveryMs: 0,
      onStream: (stream) => onStream(stream, session),
    })
    sessions.add(session)
    session.onClose(() => sessions.delete(session))
  }

  function run(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL, command: readonly string[]): void {
    const version = agree(request, socket, versions)
    if (version === undefined) return
    const asked = { stdin: 'input', stdout: 'output', stderr: 'error' } as const
    const isTty = url.searchParams.get('tty') === '1'
    const wanted = [
      'error',
      ...(['stdin', 'stdout', 'stderr'] as const).filter((name) => url.searchParams.get(asked[name]) === '1'),
    ]
      .filter((name) => !(isTty && name === 'stderr'))
      .concat(isTty ? ['resize'] : [])
    const streams = new Map<string, SpdyStream>()
    open(socket, head, (stream, session) => {
      streams.set(stream.headers['streamtype'] ?? '', stream)
      stream.accept()
      if (wanted.every((name) => streams.has(name))) execute(command, streams, session, { folder, isTty, sizes })
    })
  }

  return {
    sizes,
    sessions,
    routes: [
      {
        prefix: '/exec',
        upgrade: (request, socket, head, url) => run(request, socket, head, url, url.searchParams.getAll('command')),
      },
      { prefix: '/attach', upgrade: (request, socket, head, url) => run(request, socket, head, url, attached) },
      {
        prefix: '/portForward',
        upgrade(request, socket, head) {
          if (agree(request, socket, ['portforward.k8s.io']) === undefined) return
          const pairs = new Map<string, { data?: SpdyStream; error?: SpdyStream }>()
          open(socket, head, (stream) => {
            const { requestid = '', streamtype } = stream.headers
            const pair = pairs.get(requestid) ?? {}
            pairs.set(requestid, pair)
            if (streamtype === 'data') pair.data = stream
            else pair.error = stream
            stream.accept()
            if (pair.data && pair.error) forwardPort(pair.data, pair.error)
          })
        },
      },
    ],
  }
}

/** Changes to SPDY, in the first version that the client offers and that is known here; undefined: refused. */
function agree(request: IncomingMessage, socket: Duplex, known: readonly string[]): string | undefined {
  const offered: string[] = []
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    if (request.rawHeaders[at]?.toLowerCase() === 'x-stream-protocol-version')
      offered.push(request.rawHeaders[at + 1] ?? '')
  const version = offered.find((each) => known.includes(each))
  if (request.headers.upgrade !== 'SPDY/3.1' || version === undefined) {
    const lines = known.map((each) => `X-Accepted-Stream-Protocol-Versions: ${each}\r\n`).join('')
    socket.end(`HTTP/1.1 403 Forbidden\r\n${lines}Content-Length: 0\r\n\r\n`)
    return undefined
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${version}\r\n\r\n`,
  )
  return version
}

interface Execution {
  readonly folder: string
  readonly isTty: boolean
  readonly sizes: unknown[]
}

function execute(
  [program = '', ...args]: readonly string[],
  streams: ReadonlyMap<string, SpdyStream>,
  session: SpdySession,
  { folder, isTty, sizes }: Execution,
): void {
  const child = spawn(program, args, { cwd: folder, stdio: 'pipe' })
  const [stdin, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map((name) => streams.get(name))
  if (stdin) stdin.pipe(child.stdin)
  else child.stdin.end()
  child.stdin.on('error', () => {})
  if (stdout) child.stdout.pipe(stdout, { end: false })
  const errors = isTty ? stdout : stderr
  if (errors) child.stderr.pipe(errors, { end: false })
  streams.get('resize')?.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line !== '') sizes.push(JSON.parse(line))
  })
  session.onClose(() => child.kill())
  let failure: Error | undefined
  child.on('error', (error) => (failure = error))
  child.on('close', (code) => {
    streams.get('error')?.end(JSON.stringify(failure ? failedStatus(failure) : exitStatus(code ?? 137)))
    stdout?.end()
    stderr?.end()
    setTimeout(() => session.end(), 20)
  })
}

function failedStatus(error: Error): object {
  return {
    metadata: {},
    status: 'Failure',
    message: `error executing command in container: ${error.message}`,
    reason: 'InternalError',
    code: 500,
  }
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

function forwardPort(data: SpdyStream, error: SpdyStream): void {
  const port = Number(data.headers['port'])
  const socket = connect(port, '127.0.0.1')
  socket.on('connect', () => error.end())
  socket.on('error', (why) => {
    error.end(`error forwarding port ${port} to pod: ${why.message}`)
    data.destroy()
  })
  data.pipe(socket).pipe(data)
  data.on('close', () => socket.destroy())
}
