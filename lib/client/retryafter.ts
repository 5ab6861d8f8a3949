import type { Clock } from '../base/index.ts'
import { StatusError } from '../object/index.ts'
import type { Transport } from './contract.ts'

/** Maximum number of attempts, as in stock clients. */
const triesMax = 10
/** Longer pauses are left to the caller. */
const pauseSecondsMax = 60

/** Retries when the server asks for it: 429, or a server error, with a time to wait. */
export function withRetryAfter(transport: Transport, { clock }: { readonly clock: Clock }): Transport {
  return {
    isLocal: transport.isLocal ?? false,
    async send(request) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transport.send(request)
        } catch (error) {
          const seconds = pauseOf(error)
          if (seconds === undefined || attempt === triesMax) throw error
          await clock.sleep(seconds * 1000, request.signal ?? undefined)
        }
      }
    },
    watch: (request, sink) => transport.watch(request, sink),
    close: () => transport.close(),
  }
}

function pauseOf(error: unknown): number | undefined {
  if (!(error instanceof StatusError)) return undefined
  const seconds = error.details?.retryAfterSeconds ?? 0
  const comesAgain = (error.code === 429 || error.code >= 500) && seconds > 0 && seconds <= pauseSecondsMax
  return comesAgain ? seconds : undefined
}
