import { hash } from 'node:crypto'
import { type Clock, createTtlCache, type Metrics, type Random, retry } from '../base/index.ts'
import { type EndpointClient, RequestError, webhookBackoff } from '../client/index.ts'
import { parseJsonText } from '../object/index.ts'
import { type AuthenticationResult, invalidToken, type TokenAuthenticator, type TokenContext } from './authenticator.ts'

interface WebhookAuthenticatorOptions {
  /** The version of authentication.k8s.io. */
  readonly version: 'v1' | 'v1beta1'
  /** How long valid and invalid answers are cached. */
  readonly ttlMs: number
  /** The API's own audiences. */
  readonly audiences: readonly string[]
  /** Maximum number of cached answers; beyond, the oldest is dropped. Default 32 768. */
  readonly entriesMax?: number
  /** Delay before the first retry. Default 500 ms. */
  readonly initialBackoffMs?: number
}

interface ReviewStatus {
  readonly authenticated?: boolean
  readonly user?: {
    readonly username?: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
  readonly audiences?: readonly string[]
  readonly error?: string
}

class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number
  constructor(status: number) {
    super(`the token webhook answered ${status}`)
    this.status = status
  }
}

const none: AuthenticationResult = { outcome: 'none' }

/** Asks another server for the user of a token by a TokenReview. Failures are not cached. */
export function createWebhookAuthenticator(
  { clock, random, metrics }: { clock: Clock; random: Random; metrics: Metrics },
  client: EndpointClient,
  { version, ttlMs, audiences: own, entriesMax = 32_768, initialBackoffMs = 500 }: WebhookAuthenticatorOptions,
): TokenAuthenticator {
  const apiVersion = `authentication.k8s.io/${version}`
  const known = createTtlCache<AuthenticationResult>(clock, entriesMax)
  const record = createRecorder(metrics)

  async function post(body: string, signal: AbortSignal): Promise<ReviewStatus> {
    const startedMs = clock.monotonicMs()
    let code = '<error>'
    try {
      const answer = await client.post(body, signal)
      code = String(answer.status)
      if (answer.status < 200 || answer.status > 299) throw new AnswerError(answer.status)
      return readReview(answer.body, apiVersion)
    } finally {
      record(code, (clock.monotonicMs() - startedMs) / 1000)
    }
  }

  function remember(key: string, result: AuthenticationResult): AuthenticationResult {
    known.set(key, result, ttlMs)
    return result
  }

  async function ask(key: string, token: string, { signal, audiences }: TokenContext): Promise<AuthenticationResult> {
    const wanted = audiences ?? own
    const spec = { token, audiences: wanted.length > 0 ? wanted : undefined }
    const body = JSON.stringify({ kind: 'TokenReview', apiVersion, metadata: { creationTimestamp: null }, spec })
    const backoff = { ...webhookBackoff, firstMs: initialBackoffMs, isTransient, signal }
    const status = await retry({ clock, random }, backoff, () => post(body, signal))
    return remember(key, resultOf(status, wanted, own))
  }

  return {
    name: 'webhook',
    authenticateToken(token, context) {
      const key = hash('sha256', token, 'latin1') + JSON.stringify(context.audiences ?? own)
      return known.get(key) ?? ask(key, token, context)
    },
  }
}

/** The server had an error, or the connection broke. */
function isTransient(error: unknown): boolean {
  if (error instanceof AnswerError) return error.status >= 500 || error.status === 429
  return error instanceof RequestError
}

/** Throws for anything but a TokenReview in the version that was sent. */
function readReview(body: Uint8Array, apiVersion: string): ReviewStatus {
  const review: unknown = parseJsonText(Buffer.from(body).toString())
  if (typeof review !== 'object' || review === null) throw new Error('the token webhook answered no object')
  const { apiVersion: answered, kind, status } = review as Readonly<Record<string, unknown>>
  if (answered !== apiVersion || kind !== 'TokenReview') throw new Error('the token webhook answered another kind')
  return typeof status === 'object' && status !== null ? status : {}
}

function resultOf(
  { authenticated, user = {}, audiences = [], error = '' }: ReviewStatus,
  wanted: readonly string[],
  own: readonly string[],
): AuthenticationResult {
  if (authenticated !== true) return error === '' ? none : { outcome: 'invalid', reason: error }
  // An answer without audiences is for the API itself.
  const isFor = audiences.length > 0 ? audiences : own
  const common = wanted.filter((audience) => isFor.includes(audience))
  if (wanted.length > 0 && common.length === 0) return { outcome: 'invalid', reason: invalidToken }
  const { username = '', uid = '', groups = [], extra = {} } = user
  return {
    outcome: 'authenticated',
    user: { name: username, uid, groups, extra },
    audiences: wanted.length > 0 ? common : undefined,
  }
}

function createRecorder(metrics: Metrics): (code: string, seconds: number) => void {
  const total = metrics.counter({
    name: 'apiserver_delegated_authn_request_total',
    help: 'Token reviews that were sent, by the code of the answer.',
    labels: ['code'],
    stability: 'ALPHA',
  })
  const duration = metrics.histogram({
    name: 'apiserver_delegated_authn_request_duration_seconds',
    help: 'Time that token reviews took.',
    labels: ['code'],
    buckets: [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10],
    stability: 'ALPHA',
  })
  return (code, seconds) => {
    total.add([code])
    duration.observe([code], seconds)
  }
}
