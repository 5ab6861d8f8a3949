import { FlagError } from '../lib/flags/index.ts'
import type { Observing } from './apiserver/observing.ts'
import { failureLine } from './failureline.ts'

/** A signal so soon after the first is a duplicate: a terminal and a parent process may both send one. */
const echoMs = 250

/** Resolves with the first SIGTERM or SIGINT; a second one ends the process at once, after `atOnce`. */
export function firstSignal(observing: Observing, atOnce = (): void => {}): Promise<NodeJS.Signals> {
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
        atOnce()
        process.exit(1)
      }
    }
    process.on('SIGTERM', receive)
    process.on('SIGINT', receive)
  })
}

/** The reader of the standard output may exit (`up | head -1`): the server continues. */
export function ignoreClosedOutput({ log }: Observing): void {
  process.stdout.once('error', (error) => {
    log.warn('the standard output is closed', { error: error.message })
    process.stdout.on('error', () => {})
  })
}

/** Ends the process at a bug, instead of leaving a half-dead server. */
export function crashLoudly(observing: Observing, program: string): void {
  process.removeAllListeners('uncaughtException')
  process.removeAllListeners('unhandledRejection')
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

/** Runs a program's main function and exits with its code; a failure is printed in one line and exits with 1. */
export async function runMain(program: string, main: (line: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exit(await main(process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(failureLine(program, await messageOf(error)))
    process.exit(1)
  }
}

/** A wrong flag is reported without loading the server. */
async function messageOf(error: unknown): Promise<string> {
  if (error instanceof FlagError) return error.message
  const { describeFailure } = await import('./describefailure.ts')
  return describeFailure(error)
}
