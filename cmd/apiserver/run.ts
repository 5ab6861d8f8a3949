import { type Clock, type Closable, type Logger, type Random, systemClock, systemRandom } from '../../lib/base/index.ts'
import { type Apiserver, type ApiserverConfig, composeApiserver } from '../../lib/controlplane/index.ts'
import type { MetricsRegistry } from '../../lib/observe/index.ts'
import { saveCompiledCode } from '../compiledcode.ts'
import { forgetStart } from '../forgetstart.ts'
import { keepAliveDuring } from '../keepaliveduring.ts'
import { crashLoudly, firstSignal, ignoreClosedOutput } from '../lifetime.ts'
import { processEnvironment } from '../processenvironment.ts'
import { catchStrayOutput } from '../strayoutput.ts'
import type { ObserveConfig } from './observing.ts'
import { createObserving, type Observing } from './observing.ts'
import type { ProcessPlace } from './processes/child.ts'

/** The dependencies of every part of the program. */
interface ProgramServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: MetricsRegistry
}

interface RunOptions {
  /** The program's name in messages. */
  readonly program: string
  readonly observe: ObserveConfig
  /** Lines about flags, for the log. */
  readonly warnings: readonly string[]
  /** This process among those of the server; absent: it is the only one. */
  readonly place?: ProcessPlace | undefined
  configure(services: { clock: Clock; random: Random }): Promise<ApiserverConfig>
  /** Starts the program's other parts once the server listens and its hooks are done; they end before the server. */
  beside?(server: Apiserver, config: ApiserverConfig, services: ProgramServices): Promise<Closable>
  /** The server listens, and its post-start hooks are done. */
  onReady?(server: Apiserver, config: ApiserverConfig, services: ProgramServices): void | Promise<void>
}

/** Compiled code is saved after the first requests. */
const saveAfterMs = 2000

/**
 * Runs an API server until a signal ends it; returns the exit code. SIGTERM and SIGINT stop it gracefully, a second one
 * at once.
 */
export async function runApiserver(options: RunOptions): Promise<number> {
  const [observing, config] = await prepare(options)
  const { log } = observing
  const { place } = options
  try {
    crashLoudly(observing, options.program)
    ignoreClosedOutput(observing)
    catchStrayOutput((message, warning) => log.warn(message, { warning }))
    for (const warning of [...options.warnings, ...config.gates.warnings, ...(config.warnings ?? [])]) log.warn(warning)
    const { promise: damage, resolve: onDamage } = Promise.withResolvers<Error>()
    const end = Promise.race([place?.stopped ?? firstSignal(observing), damage])
    const services = {
      ...processEnvironment,
      clock: systemClock,
      random: systemRandom,
      ...observing,
      onDamage,
      siblings: place?.siblings,
    }
    const starting = keepAliveDuring(() => composeApiserver(config, services))
    const server = await Promise.race([starting, end])
    if (isEnd(server)) {
      sayEnd(log, server, 'stopping before the start is through')
      starting.catch(() => {}) // the start was interrupted: no caller needs its failure
      return exitCodeOf(server)
    }
    place?.serve(server, observing)
    log.info('serving', { url: server.url, version: config.version.gitVersion })
    const { signingKey, signingEndpoint } = config.serviceAccounts ?? {}
    if (signingKey === undefined && signingEndpoint === undefined)
      log.warn('no tokens of service accounts can be issued: --service-account-signing-key-file is not set')
    let beside: Closable | undefined
    const ready = server.started.then(async () => {
      log.info('ready', { afterMs: Math.round(performance.now()) })
      forgetStart()
      place?.markReady()
      beside = await options.beside?.(server, config, services)
      await options.onReady?.(server, config, services)
      // Saves compiled code for the next start, even if this server is killed later.
      systemClock.after(saveAfterMs, saveCompiledCode)
      return undefined
    })
    // Settles when a post-start hook fails or when the server must end, whichever comes first.
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

/** Why a running server ends: by a signal, or because its data is damaged. */
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
    const whole = await config
    return [await observing, options.place?.share(whole) ?? whole]
  } catch (error) {
    if (settled.status === 'fulfilled') settled.value.close()
    throw error
  }
}
