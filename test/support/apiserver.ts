import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programFile } from '../../hack/programfile.ts'
import { endWithUs } from './child.ts'
import { freePort } from './ports.ts'

/** The token that every server started here accepts: a member of system:masters. */
export const adminToken = 'test-admin-token'

export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  /** All text printed so far, of one stream or of both. */
  output(stream?: 'stdout' | 'stderr'): string
  /** SIGTERM, then waits; answers the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, then waits. */
  kill(): Promise<void>
}

/** A folder that is removed by `remove`. */
export function scratchFolder(name: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `pilothouse-${name}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** One request to a server of ours, certificates unchecked. */
export async function request(
  server: { url: string },
  path: string,
  options: { method?: string; body?: string; headers?: Record<string, string>; token?: string | undefined } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const token = 'token' in options ? options.token : adminToken
  return await new Promise((resolve, reject) => {
    const call = https.request(
      server.url + path,
      {
        method: options.method ?? 'GET',
        rejectUnauthorized: false,
        agent: false,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
        )
        answer.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(options.body)
  })
}

interface StartOptions {
  readonly readyTimeoutMs?: number
  /** With the engine's settings of cmd/engine.ts, as users start it. Default: not in tests, whose servers live briefly. */
  readonly isTuned?: boolean
}

/**
 * V8's settings for many short lives: the second start that a program's own ones take, their small space for young objects
 * and the collection of what only the start needed are a fifth of the CPU until a server is ready.
 */
const briefLife = {
  flags: ['--max-semi-space-size=32', '--min-semi-space-size=32'],
  // From a script with the code that earlier starts compiled, which makes requests a little dearer.
  environment: { PILOTHOUSE_ENGINE: '1', PILOTHOUSE_BRIEF: '1' },
}

/** Servers log that they are ready; to ask them before takes time from their start. Where the log goes elsewhere they are asked. */
const unsaidMsMax = 1500

/** Starts one of the project's programs (`cmd/apiserver/main.ts`) and waits until /readyz answers 200. */
export async function startServer(
  program: string,
  flags: readonly string[],
  folder: string,
  options: StartOptions = {},
): Promise<ServerProcess> {
  const settings = (options.isTuned ?? !('describe' in globalThis)) ? undefined : briefLife
  const port = await freePort()
  const tokens = join(folder, `tokens-${port}.csv`)
  writeFileSync(tokens, `${adminToken},admin,admin,"system:masters"\n`)
  const child = spawn(
    process.execPath,
    [
      ...(settings?.flags ?? []),
      programFile(program),
      // Suites of the API alone; those of controllers name them.
      ...(program.includes('pilothouse') ? ['up', '--controllers='] : []),
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--token-auth-file=${tokens}`,
      `--cert-dir=${join(folder, `certs-${port}`)}`,
      ...flags,
    ],
    { cwd: folder, env: { ...settings?.environment, ...process.env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  endWithUs(child)
  let output = ''
  const outputs = { stdout: '', stderr: '' }
  const said = Promise.withResolvers<void>()
  let isSaid = false
  const read = (stream: keyof typeof outputs, chunk: unknown): void => {
    output += String(chunk)
    outputs[stream] += String(chunk)
    if (isSaid || !output.includes('"ready"')) return
    isSaid = true
    said.resolve()
  }
  child.stdout.on('data', (chunk) => read('stdout', chunk))
  child.stderr.on('data', (chunk) => read('stderr', chunk))
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const server: ServerProcess = {
    url: `https://127.0.0.1:${port}`,
    port,
    process: child,
    output: (stream) => (stream === undefined ? output : outputs[stream]),
    async stop() {
      child.kill('SIGTERM')
      return await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
  await Promise.race([said.promise, exited, sleep(unsaidMsMax, undefined, { ref: false })])
  await waitUntilReady(server, child, options.readyTimeoutMs ?? 50_000)
  return server
}

async function waitUntilReady(server: ServerProcess, child: ChildProcess, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`server exited with ${child.exitCode}:\n${server.output()}`)
    const ready = await request(server, '/readyz').catch(() => undefined)
    if (ready?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await server.kill()
  throw new Error(`server not ready in ${timeoutMs} ms:\n${server.output()}`)
}
