import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { createAuthority, type KeyPair } from '../../lib/pki/index.ts'
import { endWithUs } from './child.ts'
import { freePorts } from './ports.ts'

const run = promisify(execFile)
const services = { clock: systemClock, random: systemRandom }
const pollMs = 100
/** Machines are slow at times, and tests start many at once. */
const startMsMax = 150_000

/** A control plane as controller-runtime's envtest runs one, with its arguments, certificates, probes and signals. */
export interface TestPlane {
  readonly folder: string
  /** As the user that envtest calls admin, by its client certificate. */
  ask(path: string, options?: { method?: string; body?: object; user?: KeyPair }): Promise<PlaneAnswer>
  /** A client certificate of a user of these groups. */
  addUser(name: string, groups: readonly string[]): KeyPair
  stopServer(): Promise<Ended>
  startServer(): Promise<void>
  /** The API server first, as envtest does; then etcd. */
  stop(): Promise<readonly [server: Ended, etcd: Ended]>
}

interface PlaneAnswer {
  readonly status: number
  readonly json: {
    readonly gitVersion?: string
    readonly data?: Readonly<Record<string, string>>
    readonly items?: readonly { readonly metadata: { readonly name: string } }[]
  }
}

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly afterMs: number
}

export async function startTestPlane(assets: string, folder: string): Promise<TestPlane> {
  const [serverPort = 0, etcdPort = 0, peerPort = 0] = await freePorts(3)
  const certDir = join(folder, 'certs')
  mkdirSync(join(folder, 'data'))
  mkdirSync(certDir)
  const ca = createAuthority(services, { commonName: 'envtest-environment' })
  const users = createAuthority(services, { commonName: 'users' })
  const signer = createAuthority(services, { commonName: 'tokens' })
  const serving = ca.issue({ commonName: 'localhost', usage: 'server', names: ['localhost', '127.0.0.1'] })
  for (const [name, text] of [
    ['apiserver.crt', serving.certificate],
    ['apiserver.key', serving.key],
    ['sa-signer.crt', signer.certificate],
    ['sa-signer.key', signer.key],
    ['client-cert-auth-ca.crt', users.certificate],
  ] as const)
    writeFileSync(join(certDir, name), text, { mode: 0o640 })

  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const etcdLine = [
    `--advertise-client-urls=${etcdUrl}`,
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    ...((await hasFlag(join(assets, 'etcd'), 'unsafe-no-fsync')) ? ['--unsafe-no-fsync=true'] : []),
  ]
  const serverUrl = `https://127.0.0.1:${serverPort}`
  const serverLine = [
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${certDir}`,
    `--client-ca-file=${join(certDir, 'client-cert-auth-ca.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--etcd-servers=${etcdUrl}`,
    ...((await hasFlag(join(assets, 'kube-apiserver'), 'insecure-port')) ? ['--insecure-port=0'] : []),
    `--secure-port=${serverPort}`,
    `--service-account-issuer=${serverUrl}/`,
    `--service-account-key-file=${join(certDir, 'sa-signer.crt')}`,
    `--service-account-signing-key-file=${join(certDir, 'sa-signer.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
  ]
  const addUser = (name: string, groups: readonly string[]): KeyPair =>
    users.issue({ commonName: name, organizations: groups, usage: 'client' })
  const admin = addUser('admin', ['system:masters'])
  const etcd = await start(join(assets, 'etcd'), etcdLine, `${etcdUrl}/health`)
  const startServer = async (): Promise<Started> =>
    await start(join(assets, 'kube-apiserver'), serverLine, `${serverUrl}/healthz`)
  let server = await startServer()
  return {
    folder,
    ask: async (path, { method = 'GET', body, user = admin } = {}) =>
      await ask(`${serverUrl}${path}`, { method, body, user, ca: ca.certificate }),
    addUser,
    stopServer: () => server.stop(),
    async startServer() {
      server = await startServer()
    },
    stop: async () => [await server.stop(), await etcd.stop()],
  }
}

/** The help of each program, by its path: the same at every start. */
const helps = new Map<string, Promise<{ stdout: string }>>()

/** As envtest finds out which flags a program has. */
export async function hasFlag(program: string, flag: string): Promise<boolean> {
  const help = helps.get(program) ?? run(program, ['--help'])
  helps.set(program, help)
  return new RegExp(`^\\s*--${flag}\\b`, 'm').test((await help).stdout)
}

interface Started {
  stop(): Promise<Ended>
}

async function start(program: string, line: readonly string[], health: string): Promise<Started> {
  const child = spawn(program, line, { stdio: ['ignore', 'pipe', 'pipe'] })
  endWithUs(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const untilMs = performance.now() + startMsMax
  while ((await statusOf(health)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${output}`)
    if (performance.now() > untilMs) throw new Error(`${program} is not healthy in ${startMsMax} ms:\n${output}`)
    await sleep(pollMs)
  }
  return { stop: () => stop(child, ended, () => output) }
}

async function stop(child: ChildProcess, ended: Promise<number | null>, output: () => string): Promise<Ended> {
  const startedMs = performance.now()
  child.kill('SIGTERM')
  const code = await ended
  return { code, output: output(), afterMs: performance.now() - startedMs }
}

/** 0: no answer. */
async function statusOf(url: string): Promise<number> {
  return await new Promise((resolve) => {
    const answered = (response: http.IncomingMessage): void => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }
    const request = url.startsWith('https:')
      ? https.get(url, { agent: false, rejectUnauthorized: false }, answered)
      : http.get(url, { agent: false }, answered)
    request.on('error', () => resolve(0))
  })
}

async function ask(
  url: string,
  { method, body, user, ca }: { method: string; body: object | undefined; user: KeyPair; ca: string },
): Promise<PlaneAnswer> {
  return await new Promise((resolve, reject) => {
    const options = { method, agent: false as const, ca, cert: user.certificate, key: user.key }
    const headers = { 'content-type': 'application/json' }
    const request = https.request(url, { ...options, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: jsonOf(text) }))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Paths that no group serves are answered with text. */
function jsonOf(text: string): PlaneAnswer['json'] {
  return text.startsWith('{') ? (JSON.parse(text) as PlaneAnswer['json']) : {}
}

/** The certificate and key that the API server was given, as they are now. */
export function servedPair({ folder }: TestPlane): readonly string[] {
  return ['apiserver.crt', 'apiserver.key'].map((name) => readFileSync(join(folder, 'certs', name), 'utf8'))
}
