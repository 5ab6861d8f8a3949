import type { AuthenticationResult } from '../../authn/index.ts'
import { statusErrors } from '../../object/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerMetrics } from '../metrics.ts'

/** Authenticates the request. Later filters see the user, and no credentials. */
export function authenticate({ authenticator, audit, log }: ServerDependencies, metrics: ServerMetrics): ServerFilter {
  function accept(call: ServerCall, result: AuthenticationResult, startedMs: number): void {
    call.timings.authenticatedMs = call.clock.monotonicMs()
    metrics.authenticated(result, call.timings.authenticatedMs - startedMs)
    if (result.outcome === 'authenticated') {
      call.user = result.user
      call.credentialAnnotations = result.annotations
      call.headers['authorization'] = undefined
      return
    }
    if (result.outcome === 'invalid') log.verbose(2, 'unable to authenticate the request', { reason: result.reason })
    audit?.unauthenticated(call)
    throw statusErrors.unauthorized()
  }
  return (call, next) => {
    const startedMs = call.clock.monotonicMs()
    const result = authenticator.authenticate(call)
    if (result instanceof Promise) {
      return result.then((settled) => {
        accept(call, settled, startedMs)
        return next(call)
      })
    }
    accept(call, result, startedMs)
    return next(call)
  }
}
