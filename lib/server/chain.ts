import type { ServerCall } from './call.ts'
import type { ChainParts } from './contract.ts'
import { answerFailures } from './filters/answerfailures.ts'
import { authenticate } from './filters/authenticate.ts'
import { authorize } from './filters/authorize.ts'
import { cors } from './filters/cors.ts'
import { dispatch } from './filters/dispatch.ts'
import { enforceDeadline } from './filters/enforcedeadline.ts'
import { finishCalls } from './filters/finishcalls.ts'
import { goaway } from './filters/goaway.ts'
import { instrument } from './filters/instrument.ts'
import { limitInFlight } from './filters/limitinflight.ts'
import { priorityAndFairness } from './filters/priorityandfairness.ts'
import { publicPages } from './filters/publicpages.ts'
import { receive } from './filters/receive.ts'
import { refuseForeignPages } from './filters/refuseforeignpages.ts'
import { resolveRequestInfo } from './filters/resolverequestinfo.ts'
import { securityHeaders } from './filters/securityheaders.ts'
import { trace } from './filters/trace.ts'
import { trackLifecycle } from './filters/tracklifecycle.ts'

export type Next = (call: ServerCall) => void | Promise<void>

/**
 * One step of the chain: throws a StatusError, answers the call, or calls `next`. It returns a promise only where it has
 * to wait. `call.onFinish` registers clean-up.
 */
export type ServerFilter = (call: ServerCall, next: Next) => void | Promise<void>

/**
 * The filters of a request, in the order in which they run; undefined ones are left out. `local` is for requests from this
 * process, which come with their user.
 */
export function chainOf(parts: ChainParts, { local = false }: { local?: boolean } = {}): readonly ServerFilter[] {
  const { dependencies, options, errors, lifecycle, metrics, routes, faults } = parts
  const slots: readonly (ServerFilter | undefined)[] = [
    finishCalls(errors, metrics), // runs the clean-up of the filters below once the answer is out
    answerFailures(errors), // turns any error thrown below into a Status; nothing else does
    receive(dependencies, options), // audit id, URL limits
    securityHeaders(options), // Cache-Control, Strict-Transport-Security
    local ? undefined : cors(options),
    resolveRequestInfo(dependencies), // verb, resource, name: authorization, audit and handlers use this one parse
    instrument(dependencies, metrics), // metrics, the access log, traces of slow requests
    trackLifecycle(lifecycle, options), // refuses while the server drains; a stop waits for what has passed
    local ? undefined : goaway(dependencies, options),
    enforceDeadline(parts),
    local ? undefined : publicPages(dependencies.publicPages), // needs no user
    local ? undefined : authenticate(dependencies, metrics),
    dependencies.tracer && trace(dependencies.tracer), // the spans of everything below belong to the request's trace
    dependencies.audit?.filter, // sees the authenticated user, before impersonation
    local ? undefined : refuseForeignPages(dependencies, options), // with the certificate of a browser
    local ? undefined : dependencies.impersonate,
    dependencies.fairness && priorityAndFairness(dependencies.fairness, metrics),
    limitInFlight(dependencies.fairness ? noLimits : options, metrics), // limits only where fairness is off; counts always
    authorize(dependencies, metrics),
    faults, // those that a test injects
    dispatch(dependencies, routes, lifecycle),
  ]
  return slots.filter((filter) => filter !== undefined)
}

const noLimits = { maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 }

/** Joins the filters once, so that a request makes no closures. */
export function compose(filters: readonly ServerFilter[]): Next {
  const unanswered: Next = () => {
    throw new TypeError('the last filter has to answer')
  }
  return filters.reduceRight<Next>((next, filter) => (call) => filter(call, next), unanswered)
}
