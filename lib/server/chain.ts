import type { ServerCall } from './call.ts'
import type { ChainParts } from './contract.ts'
import { authenticate } from './filters/authenticate.ts'
import { authorize } from './filters/authorize.ts'
import { cors } from './filters/cors.ts'
import { expireInTime } from './filters/deadline.ts'
import { dispatch } from './filters/dispatch.ts'
import { answerFailures } from './filters/failures.ts'
import { shareFairly } from './filters/fairness.ts'
import { finishCalls } from './filters/finish.ts'
import { rotateConnections } from './filters/goaway.ts'
import { limitInFlight } from './filters/inflight.ts'
import { resolveInfo } from './filters/info.ts'
import { trackLifecycle } from './filters/lifecycle.ts'
import { observe } from './filters/observe.ts'
import { responsePolicy } from './filters/policy.ts'
import { receive } from './filters/receive.ts'
import { traceRequests } from './filters/trace.ts'

export type Next = (call: ServerCall) => void | Promise<void>

/**
 * One step of the chain. It refuses by throwing a StatusError, answers by itself, or calls `next`; it returns a promise
 * only where it has to wait. Clean-up is registered with `call.onFinish`.
 */
export type Filter = (call: ServerCall, next: Next) => void | Promise<void>

/**
 * The way of a request, in the order in which it happens. A slot without a filter is skipped. `local`: for requests
 * from this process, whose users are known.
 */
export function chainOf(parts: ChainParts, { local = false }: { local?: boolean } = {}): readonly Filter[] {
  const { dependencies, options, errors, lifecycle, timers, metrics, routes } = parts
  const slots: readonly (Filter | undefined)[] = [
    finishCalls(errors, metrics), // releases what the filters below have taken, once the answer is out
    answerFailures(errors), // whatever is thrown below becomes a Status here, and only here
    receive(dependencies, options), // URL limits, audit id
    responsePolicy(options), // Cache-Control, Strict-Transport-Security
    local ? undefined : cors(options),
    resolveInfo(dependencies),
    observe(dependencies, metrics), // counts, durations, the access log
    trackLifecycle(lifecycle, options), // refuses while draining, counts what must finish before the end
    local ? undefined : rotateConnections(dependencies, options),
    expireInTime(timers, options),
    local ? undefined : authenticate(dependencies, metrics),
    dependencies.tracer && traceRequests(dependencies.tracer), // below this, all that waits is part of the trace
    dependencies.audit?.filter, // sees the user as authenticated, and everything that follows
    local ? undefined : dependencies.impersonate,
    dependencies.fairness && shareFairly(dependencies.fairness, metrics),
    limitInFlight(dependencies.fairness ? noLimits : options, metrics), // counts; limits where fairness is off
    authorize(dependencies, metrics),
    dispatch(dependencies, routes, lifecycle),
  ]
  return slots.filter((filter) => filter !== undefined)
}

const noLimits = { maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 }

/** Ties the filters together once: no closure is made per request. */
export function compose(filters: readonly Filter[]): Next {
  const unanswered: Next = () => {
    throw new TypeError('the last filter has to answer')
  }
  return filters.reduceRight<Next>((next, filter) => (call) => filter(call, next), unanswered)
}
