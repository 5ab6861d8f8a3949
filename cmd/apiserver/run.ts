import { flushCompileCache } from 'node:module'
import { type Clock, type Closable, type Logger, type Random, systemClock, systemRandom } from '../../lib/base/index.ts'
import { forgetStart } from '../engine.ts'
import { heldAlive, processSurroundings } from '../surroundings.ts'
import type { MetricsRegistry } from '../../lib/observe/index.ts'
import { createObserving, type Observing } from './observing.ts'
import {
  type Apiserver,
  type ApiserverConfig,
  composeApiserver,
  describeFailure,
} from '../../lib/controlplane/index.ts'
import type { ObserveConfig } from './observing.ts'

/** What every part of the program is given. */
export interface ProgramServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: MetricsRegistry
}

export interface RunOptions {
  /** As messages name it. */
  readonly program: string
  readonly observe: ObserveConfig
  /** Lines about flags, for the log. */
  readonly warnings: readonly string[]
  configure(services: { clock: Clock; random: Random }): Promise<ApiserverConfig>
  /** Begins what else is part of the program, once the server listens and its hooks are done; ended before the server. */
  beside?(server: Apiserver, config: ApiserverConfig, services: ProgramServices): Promise<Closable>
  /** The server listens, and its post-start hooks are done. */
  onReady?(server: Apiserver, config: ApiserverConfig): void | Promise<void>
}

/** Signals that come this soon after the first are its echo: a terminal and a parent process may both send one. */
const echoMs = 250
/** Compiled code is kept once the first requests are through. */
const flushAfterMs = 2000

/**
 * Runs an API server until a signal ends it; answers the exit code. SIGTERM and SIGINT stop it in good order, a second
 * one at once.
 */
export async function runApiserver(options: RunOptions): Promise<number> {
  const [observing, config] = await prepare(options)
  const { log } = observing
  try {
    crashLoudly(observing, options.program)
    outliveReaders(observing)
    for (const warning of [...options.warnings, ...config.gates.warnings, ...(config.warnings ?? [])]) log.warn(warning)
    const { promise: damage, resolve: onDamage } = Promise.withResolvers<Error>()
    const end = Promise.race([firstSignal(observing), damage])
    const services = { ...processSurroundings, clock: systemClock, random: systemRandom, ...observing, onDamage }
    const starting = heldAlive(() => composeApiserver(config, services))
    const server = await Promise.race([starting, end])
    if (isEnd(server)) {
      sayEnd(log, server, 'stopping before the start is through')
      starting.catch(() => {}) // nobody waits for it any more
      return exitCodeOf(server)
    }
    log.info('serving', { url: server.url, version: config.version.gitVersion })
    let beside: Closable | undefined
    const ready = server.started.then(async () => {
      log.info('ready', { afterMs: Math.round(performance.now()) })
      forgetStart()
      beside = await options.beside?.(server, config, services)
      await options.onReady?.(server, config)
      // A server that is killed later leaves its compiled code to the next one all the same.
      systemClock.after(flushAfterMs, flushCompileCache)
      return undefined
    })
    // A post-start hook that fails, or what ends the server, whichever comes first.
    const reason = await Promise.race([end, ready.then(() => end)])
    sayEnd(log, reason, 'stopping')
    await beside?.close()
    await server.stop()
    log.info('stopped')
    return exitCodeOf(reason)
  } finally {
    observing.close()
  }
}

/** Why a server that does its work ends: it is told to, or its data is damaged. */
type End = NodeJS.Signals | Error

function isEnd(what: Apiserver | End): what is End {
  return typeof what === 'string' || what instanceof Error
}

function sayEnd(log: Logger, reason: End, message: string): void {
  if (typeof reason === 'string') log.info(message, { signal: reason })
  else log.error(message, { error: reason.message })
}

function exitCodeOf(reason: End): number {
  return typeof reason === 'string' ? 0 : 1
}

async function prepare(options: RunOptions): Promise<[Observing, ApiserverConfig]> {
  const observing = createObserving(options.observe)
  const config = options.configure({ clock: systemClock, random: systemRandom })
  const [settled] = await Promise.allSettled([observing, config])
  try {
    return [await observing, await config]
  } catch (error) {
    if (settled.status === 'fulfilled') settled.value.close()
    throw error
  }
}

function firstSignal(observing: Observing): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined
    const receive = (name: NodeJS.Signals): void => {
      const nowMs = performance.now()
      if (firstAtMs === undefined) {
        firstAtMs = nowMs
        resolve(name)
      } else if (nowMs - firstAtMs > echoMs) {
        observing.log.warn('stopping at once', { signal: name })
        observing.close()
        process.exit(1)
      }
    }
    process.on('SIGTERM', receive)
    process.on('SIGINT', receive)
  })
}

/** Whoever read the standard output may go (`up | head -1`): the server serves on. */
function outliveReaders({ log }: Observing): void {
  process.stdout.once('error', (error) => {
    log.warn('nobody reads the standard output any more', { error: error.message })
    process.stdout.on('error', () => {})
  })
}

/** A bug must not leave a half-dead server behind. */
function crashLoudly(observing: Observing, program: string): void {
  process.on('uncaughtException', (error) => {
    observing.log.error('crashed', { error: error.stack ?? error.message })
    observing.close()
    process.exit(1)
  })
  process.on('unhandledRejection', (reason) => {
    observing.log.error(`${program} crashed: a rejection was not handled`, {
      error: reason instanceof Error ? reason.stack : String(reason),
    })
    observing.close()
    process.exit(1)
  })
}

/** Runs a program's main function and ends the process with its exit code; failures are one line and exit code 1. */
export async function runMain(program: string, main: (line: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exit(await main(process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${program}: ${describeFailure(error)}\n`)
    process.exit(1)
  }
}
