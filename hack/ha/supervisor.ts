// Starts the parts, restarts those that end, and records what runs where.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Part } from './parts.ts'

/** `state.json` of the folder. */
export interface State {
  /** The process that watches over the others. */
  readonly supervisor: number
  readonly parts: readonly {
    readonly name: string
    readonly port: number
    readonly pid: number
    readonly starts: number
  }[]
}

export interface Supervisor {
  readonly parts: readonly Part[]
  /** The present pid; undefined while it is down. */
  pid(name: string): number | undefined
  /** Sends a signal to the part; it is started again once it has ended. */
  signal(name: string, signal: NodeJS.Signals): void
  /** Sets the part's command from its next start on. */
  change(name: string, command: readonly string[]): void
  /** Resolves when the part works. Rejects after `waitMs`. */
  working(name: string, waitMs?: number): Promise<void>
  /** Ends all parts, the last ones first. */
  stop(): Promise<void>
}

interface Running {
  part: Part
  child: ChildProcess | undefined
  starts: number
}

const workingMsMax = 60_000
const restartMs = 1_000
const endMsMax = 20_000

/** Starts the parts kind by kind: the next begin once these work. Rejects, with nothing left running, when `signal` aborts. */
export async function supervise(
  parts: readonly Part[],
  folder: string,
  ca: string,
  signal?: AbortSignal,
): Promise<Supervisor> {
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true })
  const running = new Map<string, Running>(parts.map((part) => [part.name, { part, child: undefined, starts: 0 }]))
  let isStopping = false
  // An unexpected end leaves nothing behind either.
  process.once('exit', () => {
    for (const { child } of running.values()) child?.kill('SIGKILL')
  })

  function find(name: string): Running {
    const found = running.get(name)
    if (!found) throw new Error(`no part is called ${name}: there are ${[...running.keys()].join(', ')}`)
    return found
  }

  function start(one: Running): void {
    const { name, command, environment } = one.part
    const log = openSync(join(logs, `${name}.log`), 'a', 0o600)
    const [program = '', ...flags] = command
    const child = spawn(program, flags, {
      stdio: ['ignore', log, log],
      env: { ...process.env, ...environment },
      cwd: folder,
      detached: true,
    })
    closeSync(log)
    one.child = child
    one.starts++
    child.on('error', (error) => process.stderr.write(`${name}: ${error.message}\n`))
    child.on('exit', (code, signal) => {
      one.child = undefined
      if (isStopping) return
      process.stderr.write(`${name} ended (${signal ?? code}) and is started again\n`)
      setTimeout(() => isStopping || start(one), restartMs).unref()
    })
    writeState()
  }

  function writeState(): void {
    const state: State = {
      supervisor: process.pid,
      parts: [...running.values()].map(({ part, child, starts }) => ({
        name: part.name,
        port: part.port,
        pid: child?.pid ?? 0,
        starts,
      })),
    }
    const file = join(folder, 'state.json')
    writeFileSync(`${file}.new`, JSON.stringify(state, undefined, 2))
    renameSync(`${file}.new`, file)
  }

  async function working(name: string, waitMs = workingMsMax): Promise<void> {
    const { part } = find(name)
    for (const endMs = performance.now() + waitMs; performance.now() < endMs; await sleep(50))
      if (signal?.aborted) throw new Error('interrupted')
      else if (await isWorking(part, ca)) return
    throw new Error(`${name} does not work after ${waitMs / 1000} s: see ${join(logs, `${name}.log`)}`)
  }

  async function end(one: Running): Promise<void> {
    const { child } = one
    if (child?.exitCode !== null) return
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), endMsMax)
    await ended
    clearTimeout(limit)
  }

  async function stop(): Promise<void> {
    isStopping = true
    const ofKind = (kind: RegExp): Running[] => [...running.values()].filter(({ part }) => kind.test(part.name))
    for (const kind of [/^(?:prometheus|manager)/, /^balancer/, /^api/, /^etcd/])
      await Promise.all(ofKind(kind).map(end))
  }

  try {
    for (const kind of ['etcd', 'api', 'balancer', 'manager', 'prometheus']) {
      const some = parts.filter(({ name }) => name.startsWith(kind))
      for (const { name } of some) start(find(name))
      await Promise.all(some.map(({ name }) => working(name)))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    parts,
    pid: (name) => find(name).child?.pid,
    signal: (name, signal) => void find(name).child?.kill(signal),
    change(name, command) {
      const one = find(name)
      one.part = { ...one.part, command }
    },
    working,
    stop,
  }
}

/** Whether the part's health check succeeds; `ca` is the file of the authority for its certificate. */
export async function isWorking({ port, health }: Pick<Part, 'port' | 'health'>, ca: string): Promise<boolean> {
  if (health === undefined) return await isOpen(port)
  return await new Promise((resolve) => {
    const done = (answer: http.IncomingMessage): void => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }
    const request = health.startsWith('https:')
      ? https.get(health, { ca: readFileSync(ca), agent: false, timeout: 2000 }, done)
      : http.get(health, { agent: false, timeout: 2000 }, done)
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
