import type { Filter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerOptions } from '../options.ts'

/** Now and then sends an HTTP/2 client to another replica, so that long-lived connections spread out. */
export function goaway({ random }: ServerDependencies, { goawayChance }: ServerOptions): Filter | undefined {
  if (goawayChance === 0) return undefined
  return (call, next) => {
    if (call.httpVersion === '2' && random.fraction() < goawayChance) call.responder.retire()
    return next(call)
  }
}
