import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerOptions } from '../options.ts'

/** Retires HTTP/2 connections at random, so that long-lived ones spread over the replicas (--goaway-chance). */
export function goaway({ random }: ServerDependencies, { goawayChance }: ServerOptions): ServerFilter | undefined {
  if (goawayChance === 0) return undefined
  return (call, next) => {
    if (call.httpVersion === '2' && random.fraction() < goawayChance) call.responder.retire()
    return next(call)
  }
}
