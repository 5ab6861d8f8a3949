import {
  type Clock,
  createTtlCache,
  isRecord,
  type Logger,
  type Metrics,
  type Random,
  retry,
  type Tracer,
} from '../../base/index.ts'
import { type EndpointAnswer, type EndpointClient, RequestError, webhookBackoff } from '../../client/index.ts'
import { parseJsonText } from '../../object/index.ts'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, Decision } from '../authorizer.ts'
import type { Conditions } from './conditions.ts'
import { encodeReview, reviewSpec } from './review.ts'

interface WebhookAuthorizerDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  /** Client of the webhook's server; it limits the time of each try. */
  readonly client: Pick<EndpointClient, 'post'>
  readonly tracer?: Tracer | undefined
}

export interface WebhookAuthorizerOptions {
  readonly name: string
  /** The version of the reviews that are sent. */
  readonly version: 'v1' | 'v1beta1'
  /** How long an answer is cached; 0: not at all. */
  readonly authorizedTtlMs: number
  readonly unauthorizedTtlMs: number
  /** Decision when the webhook fails. */
  readonly failurePolicy: 'NoOpinion' | 'Deny'
  /** Requests to send to the webhook; absent: all. */
  readonly conditions?: Conditions
  /** Delay before the first retry. Default 500. */
  readonly retryInitialMs?: number
  readonly tries?: number
}

/** Maximum number of cached answers. */
const answersMax = 8192
/** Attributes with more characters are not cached. */
const rememberedCharactersMax = 10_000

type Context = Parameters<Authorizer['authorize']>[1]

const undecided: AuthorizationResult = { decision: 'no-opinion', reason: '' }

/** Mode Webhook: asks a server by SubjectAccessReview, and caches its answers. */
export function createWebhookAuthorizer(
  { clock, random, log, metrics, client, tracer }: WebhookAuthorizerDependencies,
  options: WebhookAuthorizerOptions,
): Authorizer {
  const { name, version, conditions, failurePolicy, authorizedTtlMs, unauthorizedTtlMs } = options
  const onFailure: Decision = failurePolicy === 'Deny' ? 'deny' : 'no-opinion'
  const answers = createTtlCache<AuthorizationResult>(clock, answersMax)
  const count = createCounters(metrics, clock, name)

  async function ask(body: string, { signal }: Context): Promise<AuthorizationResult> {
    const startMs = clock.monotonicMs()
    try {
      const post = async (): Promise<EndpointAnswer> => accept(await client.post(body, signal))
      const { retryInitialMs: firstMs = 500, tries = webhookBackoff.tries } = options
      const backoff = { ...webhookBackoff, firstMs, tries, isTransient, signal }
      const call = (): Promise<EndpointAnswer> => retry({ clock, random }, backoff, post)
      const answer = await (tracer ? tracer.within('Call authorization webhook', { webhook: name }, call) : call())
      const result = read(answer, version)
      count.called('success', startMs)
      return result
    } catch (error) {
      const outcome = outcomeOf(error, signal)
      count.called(outcome, startMs)
      if (onFailure === 'no-opinion') count.failedOpen(outcome)
      log.error('the authorization webhook did not answer', { webhook: name, error })
      throw error
    }
  }

  async function decide(body: string, context: Context): Promise<AuthorizationResult> {
    try {
      const result = await ask(body, context)
      const ttlMs = result.decision === 'allow' ? authorizedTtlMs : unauthorizedTtlMs
      if (body.length <= rememberedCharactersMax) answers.set(body, result, ttlMs)
      return result
    } catch (error) {
      return { decision: onFailure, reason: '', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  return {
    name,
    authorize(attributes: AuthorizationAttributes, context) {
      const spec = reviewSpec(attributes)
      if (conditions) {
        const { match, error } = count.conditions(() => conditions(spec))
        if (error && onFailure === 'deny') return { decision: 'deny', reason: '', error }
        if (!match) return undecided
      }
      const body = encodeReview(spec, version)
      return answers.get(body) ?? decide(body, context)
    },
  }
}

class UnexpectedStatus extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the webhook answered with status ${status}`)
    this.status = status
  }
}

function accept(answer: EndpointAnswer): EndpointAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new UnexpectedStatus(answer.status)
}

/** The server is overloaded or had an error, or the connection broke. */
function isTransient(error: unknown): boolean {
  if (error instanceof UnexpectedStatus) return error.status === 429 || error.status >= 500
  const cause = error instanceof RequestError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'canceled'
  return error instanceof RequestError && error.isTimeout ? 'timeout' : 'error'
}

/**
 * Throws for anything but a review of the version that was sent: `allowed` of another object may have another meaning.
 */
function read({ body }: EndpointAnswer, version: string): AuthorizationResult {
  const parsed: unknown = parseJsonText(body.toString())
  const isReview =
    isRecord(parsed) &&
    parsed['kind'] === 'SubjectAccessReview' &&
    parsed['apiVersion'] === `authorization.k8s.io/${version}`
  if (!isReview) throw new Error('the webhook answered another kind')
  const status = parsed['status']
  if (!isRecord(status) || typeof status['allowed'] !== 'boolean')
    throw new Error('the webhook did not answer with a review that has a status')
  const { allowed, denied, reason: said } = status
  const reason = typeof said === 'string' ? said : ''
  const isDenied = denied === true
  if (allowed && isDenied)
    return {
      decision: 'deny',
      reason,
      error: new Error('webhook subject access review returned both allow and deny response'),
    }
  return { decision: isDenied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason }
}

function createCounters(metrics: Metrics, clock: Clock, name: string) {
  const evaluations = metrics.counter({
    name: 'apiserver_authorization_webhook_evaluations_total',
    help: 'Calls of authorization webhooks, by how they went.',
    labels: ['name', 'result'],
  })
  const open = metrics.counter({
    name: 'apiserver_authorization_webhook_evaluations_fail_open_total',
    help: 'Calls of authorization webhooks that failed and left the decision to others.',
    labels: ['name', 'result'],
  })
  const durations = metrics.histogram({
    name: 'apiserver_authorization_webhook_duration_seconds',
    help: 'Time that authorization webhooks took to answer.',
    labels: ['name', 'result'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const of = ['type', 'name']
  const exclusions = metrics.counter({
    name: 'apiserver_authorization_match_condition_exclusions_total',
    help: 'Requests that the match conditions of an authorizer excluded.',
    labels: of,
  })
  const errors = metrics.counter({
    name: 'apiserver_authorization_match_condition_evaluation_errors_total',
    help: 'Requests for which the match conditions of an authorizer could not be decided.',
    labels: of,
  })
  const seconds = metrics
    .histogram({
      name: 'apiserver_authorization_match_condition_evaluation_seconds',
      help: 'Time that the match conditions of an authorizer took.',
      labels: of,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    })
    .at(['Webhook', name])
  return {
    called(result: string, startMs: number): void {
      evaluations.add([name, result])
      durations.observe([name, result], (clock.monotonicMs() - startMs) / 1000)
    },
    failedOpen: (result: string): void => open.add([name, result]),
    conditions(evaluate: () => ReturnType<Conditions>): ReturnType<Conditions> {
      const startMs = clock.monotonicMs()
      const outcome = evaluate()
      seconds.observe((clock.monotonicMs() - startMs) / 1000)
      if (outcome.error) errors.add(['Webhook', name])
      else if (!outcome.match) exclusions.add(['Webhook', name])
      return outcome
    },
  }
}
