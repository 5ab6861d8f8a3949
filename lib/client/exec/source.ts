import { type CredentialSource, type Credentials, isSame } from '../credentials.ts'
import type { ExecConfig } from './config.ts'
import { type ExecCredential, readExecCredential } from './credential.ts'
import { type RunDependencies, runProgram } from './run.ts'

/** A server that refuses everything must not cause a run of the program for each request. */
const refusalPauseMs = 1000

/** Credentials from a program: kept until they expire or a server refuses them. Concurrent callers share one run. */
export function createExecCredentials(dependencies: RunDependencies, config: ExecConfig): CredentialSource {
  const { clock } = dependencies
  let known: ExecCredential | undefined
  let lastRunMs = Number.NEGATIVE_INFINITY
  let running: Promise<ExecCredential> | undefined

  async function run(): Promise<ExecCredential> {
    try {
      known = readExecCredential(await runProgram(dependencies, config), config.apiVersion)
      return known
    } finally {
      lastRunMs = clock.monotonicMs()
      running = undefined
    }
  }

  function isFresh({ expiresAtMs }: ExecCredential): boolean {
    return expiresAtMs === undefined || clock.now() < expiresAtMs
  }

  async function fetch(signal: AbortSignal | undefined): Promise<Credentials> {
    running ??= run()
    return (await withSignal(running, signal)).credentials
  }

  return {
    async current(signal) {
      return known && isFresh(known) ? known.credentials : await fetch(signal)
    },
    async renewed(shown, signal) {
      // Another request's refusal has already led to new ones.
      if (known && isFresh(known) && !isSame(known.credentials, shown)) return known.credentials
      if (!running && clock.monotonicMs() - lastRunMs < refusalPauseMs) return undefined
      const next = await fetch(signal)
      return isSame(next, shown) ? undefined : next
    },
  }
}

/** The run continues for the other callers. */
async function withSignal<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return await work
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
