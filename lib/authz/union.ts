import type { Clock, Metrics } from '../base/index.ts'
import { mastersGroup } from '../request/index.ts'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from './authorizer.ts'

export interface AuthorizerMember {
  /** As in the configuration: `RBAC`, `Webhook`, `AlwaysAllow`. */
  readonly type: string
  readonly authorizer: Authorizer
}

type Context = Parameters<Authorizer['authorize']>[1]
type Answer = AuthorizationResult | Promise<AuthorizationResult>

const mastersAllowed: AuthorizationResult = { decision: 'allow', reason: '' }

/** The reasons and errors of members without an opinion. */
interface Heard {
  readonly reasons: string[]
  readonly errors: Error[]
}

/**
 * Asks the members in order; the first that allows or denies decides, and without any opinion the request is refused.
 * Members of system:masters may do everything. A member that fails has no opinion. Returns no promise if no member
 * does. `source` as a function returns the members at the time of the call.
 */
export function createAuthorizer(
  { clock, metrics }: { clock: Clock; metrics: Metrics },
  source: readonly AuthorizerMember[] | (() => readonly AuthorizerMember[]),
): Authorizer {
  const record = createRecorder(metrics)
  const current = typeof source === 'function' ? source : (): readonly AuthorizerMember[] => source

  function ask(
    members: readonly AuthorizerMember[],
    at: number,
    heard: Heard,
    attributes: AuthorizationAttributes,
    context: Context,
  ): Answer {
    for (let next = at; next < members.length; next++) {
      const answer = askOne(members[next], attributes, context)
      if (answer instanceof Promise)
        return answer.then(
          (result) => take(result, members[next], heard) ?? ask(members, next + 1, heard, attributes, context),
        )
      const decided = take(answer, members[next], heard)
      if (decided !== undefined) return decided
    }
    return noOpinion(heard)
  }

  function take(
    result: AuthorizationResult,
    member: AuthorizerMember | undefined,
    heard: Heard,
  ): AuthorizationResult | undefined {
    if (result.decision !== 'no-opinion') {
      record.decided(result.decision, member)
      return result
    }
    if (result.reason !== '') heard.reasons.push(result.reason)
    if (result.error !== undefined) heard.errors.push(result.error)
    return undefined
  }

  return {
    name: 'union',
    authorize(attributes, context) {
      if (attributes.user.groups.includes(mastersGroup)) {
        record.answered(mastersAllowed, 0)
        return mastersAllowed
      }
      const startMs = clock.monotonicMs()
      const answer = ask(current(), 0, { reasons: [], errors: [] }, attributes, context)
      if (!(answer instanceof Promise)) {
        record.answered(answer, clock.monotonicMs() - startMs)
        return answer
      }
      return answer.then((result) => {
        record.answered(result, clock.monotonicMs() - startMs)
        return result
      })
    },
  }
}

function askOne(member: AuthorizerMember | undefined, attributes: AuthorizationAttributes, context: Context): Answer {
  try {
    const answer = member?.authorizer.authorize(attributes, context) ?? noOpinion({ reasons: [], errors: [] })
    return answer instanceof Promise ? answer.catch(failed) : answer
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): AuthorizationResult {
  return { decision: 'no-opinion', reason: '', error: error instanceof Error ? error : new Error(String(error)) }
}

function noOpinion({ reasons, errors }: Heard): AuthorizationResult {
  const result: AuthorizationResult = { decision: 'no-opinion', reason: reasons.join('\n') }
  if (errors.length === 0) return result
  return {
    ...result,
    error: errors.length === 1 && errors[0] ? errors[0] : new AggregateError(errors, 'several authorizers failed'),
  }
}

function createRecorder(metrics: Metrics): {
  decided(decision: 'allow' | 'deny', member: AuthorizerMember | undefined): void
  answered(result: AuthorizationResult, tookMs: number): void
} {
  const decisions = metrics.counter({
    name: 'apiserver_authorization_decisions_total',
    help: 'Requests that an authorizer allowed or denied, by authorizer.',
    labels: ['type', 'name', 'decision'],
  })
  const attempts = metrics.counter({
    name: 'authorization_attempts_total',
    help: 'Requests by the outcome of their authorization.',
    labels: ['result'],
  })
  const duration = metrics.histogram({
    name: 'authorization_duration_seconds',
    help: 'Time that authorization took.',
    labels: ['result'],
    buckets: Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power),
  })
  const series = new Map(
    ['allowed', 'denied', 'no-opinion', 'error'].map((outcome) => [
      outcome,
      { labels: [outcome], duration: duration.at([outcome]) },
    ]),
  )
  return {
    decided: (decision, member) =>
      decisions.add([member?.type ?? '', member?.authorizer.name ?? '', decision === 'allow' ? 'allowed' : 'denied']),
    answered(result, tookMs) {
      const found = series.get(outcomeOf(result))
      if (found === undefined) return
      attempts.add(found.labels)
      found.duration.observe(tookMs / 1000)
    },
  }
}

function outcomeOf({ decision, error }: AuthorizationResult): string {
  if (decision === 'allow') return 'allowed'
  if (decision === 'deny') return 'denied'
  return error === undefined ? 'no-opinion' : 'error'
}
