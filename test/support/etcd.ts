import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findEtcd } from '../../hack/programs.ts'
import { endWithUs } from './child.ts'
import { freePorts } from './ports.ts'

interface EtcdOptions {
  /** --quota-backend-bytes */
  quotaBytes?: number
  /** Wait for the disk at every write, as in production. Off: a power failure may lose writes; a killed process doesn't. */
  durable?: boolean
  /** Paths of PEM files; clients then speak TLS, and with `caFile` need a certificate of that authority. */
  tls?: { certFile: string; keyFile: string; caFile?: string }
  /** Flags as etcd takes them. */
  flags?: readonly string[]
}

/** One etcd server, in a process and folder of its own. */
export interface EtcdServer {
  /** Where clients connect, http://127.0.0.1:PORT (https with TLS). */
  readonly url: string
  readonly pid: number
  /** Its data. A copy that is made while it is ended is a backup: it keeps the id of the cluster. */
  readonly dataFolder: string
  /** kill -9; `start` brings it back with its data. */
  kill(): Promise<void>
  /** Asks it to end, and waits; `start` brings it back with its data. */
  halt(): Promise<void>
  start(): Promise<void>
  /** SIGSTOP and SIGCONT: the server hangs with its connections open. */
  pause(): void
  resume(): void
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export interface EtcdCluster {
  readonly members: readonly EtcdServer[]
  readonly urls: readonly string[]
  /** The member that leads now. */
  leader(): Promise<EtcdServer>
  stop(): Promise<void>
}

interface Member {
  name: string
  folder: string
  clientPort: number
  peerPort: number
  metricsPort: number
  flags: string[]
  secure: boolean
}

const startTimeoutMs = 50_000

/** A single server. Throws when no etcd is available: check `PILOTHOUSE_ETCD` or `findEtcd` first. */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdServer> {
  const { members } = await startEtcdCluster(1, options)
  const [member] = members
  if (!member) throw new Error('no member')
  return member
}

export async function startEtcdCluster(size: number, options: EtcdOptions = {}): Promise<EtcdCluster> {
  const program = await findEtcd()
  if (!program) throw new Error('this test needs etcd')
  const ports = await freePorts(size * 3)
  const members = Array.from({ length: size }, (_, index): Member => {
    const [clientPort = 0, peerPort = 0, metricsPort = 0] = ports.slice(index * 3)
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-etcd-'))
    return {
      name: `m${index}`,
      folder,
      clientPort,
      peerPort,
      metricsPort,
      flags: [],
      secure: options.tls !== undefined,
    }
  })
  const peers = members.map((member) => `${member.name}=http://127.0.0.1:${member.peerPort}`).join(',')
  for (const member of members) member.flags = flagsOf(member, peers, options)
  const servers = members.map((member) => createServerOf(program, member))
  await Promise.all(servers.map((server) => server.start()))
  return {
    members: servers,
    urls: servers.map((server) => server.url),
    leader: async () => {
      for (let attempt = 0; attempt < 1000; attempt++) {
        for (const [index, member] of members.entries())
          if (servers[index] && (await leads(member))) return servers[index]
        await sleep(50)
      }
      throw new Error('the cluster has no leader')
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

function flagsOf(member: Member, peers: string, options: EtcdOptions): string[] {
  const client = `${options.tls ? 'https' : 'http'}://127.0.0.1:${member.clientPort}`
  const peer = `http://127.0.0.1:${member.peerPort}`
  return [
    `--name=${member.name}`,
    `--data-dir=${join(member.folder, 'data')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${peers}`,
    `--initial-cluster-token=${peers}`,
    `--listen-metrics-urls=http://127.0.0.1:${member.metricsPort}`,
    '--log-level=warn',
    ...(options.durable ? [] : ['--unsafe-no-fsync']),
    ...(options.quotaBytes === undefined ? [] : [`--quota-backend-bytes=${options.quotaBytes}`]),
    ...(options.tls ? [`--cert-file=${options.tls.certFile}`, `--key-file=${options.tls.keyFile}`] : []),
    ...(options.tls?.caFile ? ['--client-cert-auth', `--trusted-ca-file=${options.tls.caFile}`] : []),
    ...(options.flags ?? []),
  ]
}

function createServerOf(program: string, member: Member): EtcdServer {
  const logFile = join(member.folder, 'log')
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()

  async function end(signal: NodeJS.Signals): Promise<void> {
    child?.kill(signal)
    if (signal === 'SIGKILL') child?.kill('SIGCONT')
    await ended
  }

  return {
    url: `${member.secure ? 'https' : 'http'}://127.0.0.1:${member.clientPort}`,
    get pid() {
      return child?.pid ?? 0
    },
    dataFolder: join(member.folder, 'data'),
    async start() {
      const log = openSync(logFile, 'a')
      const started = spawn(program, member.flags, { stdio: ['ignore', log, log] })
      closeSync(log)
      child = started
      ended = new Promise((resolve) => started.once('close', () => resolve()).once('error', () => resolve()))
      endWithUs(started)
      for (const deadline = performance.now() + startTimeoutMs; !(await isHealthy(member)); await sleep(20))
        if (started.exitCode !== null || performance.now() > deadline)
          throw new Error(`etcd doesn't start: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
    },
    kill: () => end('SIGKILL'),
    halt: () => end('SIGTERM'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      await end('SIGKILL')
      rmSync(member.folder, { recursive: true, force: true })
    },
  }
}

async function isHealthy(member: Member): Promise<boolean> {
  const text = await read(member, '/health')
  return text.includes('"true"')
}

async function leads(member: Member): Promise<boolean> {
  return /^etcd_server_is_leader 1$/m.test(await read(member, '/metrics'))
}

async function read(member: Member, path: string): Promise<string> {
  try {
    const url = `http://127.0.0.1:${member.metricsPort}${path}`
    const reply = await fetch(url, { signal: AbortSignal.timeout(2000), headers: { connection: 'close' } })
    return await reply.text()
  } catch {
    return ''
  }
}
