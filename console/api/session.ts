import { computed, signal } from '@preact/signals'
import { isOfCertificate } from '../state/userinfo.ts'
import { fieldOf, isRecord } from '../state/values.ts'

export { isRecord } from '../state/values.ts'

/** Who is signed in. Kept in the memory of this page only: a reload signs out. */
export interface Session {
  readonly id: number
  /** Name of its context in a kubeconfig, or of the issuer; '' for neither. */
  readonly context: string
  /** '' where the connection's client certificate is the credential. */
  readonly token: string
  readonly user: string
  readonly groups: readonly string[]
  /** The user that requests are made as; '' for the signed-in one. */
  readonly seenAs: string
  /** Gives up what keeps the credential valid. */
  readonly close?: (() => void) | undefined
}

/** Sign-ins that are kept at once. */
const sessionsMax = 20

/** Every sign-in of this page, one of which is in use. */
export const sessions = signal<readonly Session[]>([])
/** 0: none, until somebody signs in or chooses one. */
const currentId = signal(0)
let latestId = 0

/** The one in use. */
export const session = computed(() => sessions.value.find(({ id }) => id === currentId.value))

/** The user whose rights decide now. */
export const actingUser = computed(() => session.value?.seenAs || session.value?.user || '')

/** A session that the server ended; undefined again once somebody signs in. */
export const endedSession = signal<Session | undefined>(undefined)

/** An answer other than success, or no answer (code 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly reason: string
  /** The Status that the server sent. */
  readonly status: Record<string, unknown> | undefined

  constructor(code: number, reason: string, message: string, status?: Record<string, unknown>, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.reason = reason
    this.status = status
  }
}

interface RequestOptions {
  readonly method?: string
  readonly body?: string
  readonly contentType?: string
  readonly accept?: string
  readonly signal?: AbortSignal
  /** Default: what the session's own credential needs. */
  readonly credentials?: RequestCredentials
}

/** Sends a request as the signed-in user. Throws ApiError; a 401 ends the session. */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const sender = session.value
  try {
    return await send(path, options, sender?.token ?? '', sender?.seenAs ?? '')
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 401 && sender
    // Unless the token has been renewed since.
    if (isRefused && sessions.value.some(({ id, token }) => id === sender.id && token === sender.token))
      endSession(sender.id)
    throw error
  }
}

/** Forgets a session that its user did not end. */
export function endSession(id: number): void {
  const ended = sessions.value.find((each) => each.id === id)
  signOut(id)
  endedSession.value = ended
}

async function send(path: string, options: RequestOptions, token: string, seenAs: string): Promise<Response> {
  const headers = new Headers({ accept: options.accept ?? 'application/json' })
  if (token !== '') headers.set('authorization', `Bearer ${token}`)
  if (seenAs !== '') headers.set('impersonate-user', seenAs)
  if (options.body !== undefined) headers.set('content-type', options.contentType ?? 'application/json')
  // Browsers show their client certificate only where credentials may be sent. There are no cookies to send.
  const needed = token === '' ? 'same-origin' : 'omit'
  const { method = 'GET', body = null, signal = null, credentials = needed } = options
  const answer = await reach(path, { method, headers, body, signal, credentials, redirect: 'error' })
  if (answer.ok) return answer
  throw await readProblem(answer)
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new ApiError(0, 'Unreachable', 'the server does not answer', undefined, { cause: error })
  }
}

async function readProblem(answer: Response): Promise<ApiError> {
  const text = await answer.text()
  try {
    const status: unknown = await parse(text, answer.headers.get('content-type') ?? '')
    if (isRecord(status) && status['kind'] === 'Status')
      return new ApiError(answer.status, String(status['reason'] ?? ''), String(status['message'] ?? ''), status)
  } catch {
    // Not a Status: a proxy, or a program behind this server.
  }
  return new ApiError(answer.status, '', text.slice(0, 400) || `the server answered ${answer.status}`)
}

/** A Status is of the type that was asked for. */
async function parse(text: string, type: string): Promise<unknown> {
  if (!type.startsWith('application/yaml')) return JSON.parse(text)
  const yaml = await import('yaml')
  return yaml.parse(text, { schema: 'core' })
}

/** The JSON document at the path. */
export async function readJson(path: string, options: RequestOptions = {}): Promise<Record<string, unknown>> {
  const document: unknown = await (await request(path, options)).json()
  return isRecord(document) ? document : {}
}

/**
 * Signs in with the token, or with the browser's client certificate for '', and uses that session from now on. Returns its id.
 * Throws ApiError; its reason is `CertificateInstead`, and its message the certificate's user, where the server took that.
 */
export async function signIn(token: string, context = '', close?: () => void): Promise<number> {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const answer: unknown = await (await send(path, { method: 'POST', body }, token, '')).json()
  const review = fieldOf(answer, 'status', 'userInfo')
  const info = userInfoIn(review)
  if (info.user === 'system:anonymous') throw new ApiError(401, 'Unauthorized', '')
  // Chromium shows its certificate whatever a fetch asks for (crbug.com/775438).
  if (token !== '' && isOfCertificate(review)) throw new ApiError(401, 'CertificateInstead', info.user)
  const [oldest] = sessions.value
  if (oldest && sessions.value.length >= sessionsMax) signOut(oldest.id)
  const id = ++latestId
  sessions.value = [...sessions.value, { id, context, token, seenAs: '', close, ...info }]
  currentId.value = id
  endedSession.value = undefined
  return id
}

/** Forgets the credential of one session. No other one takes its place unasked: what follows would be done as another user. */
export function signOut(id = currentId.value): void {
  const ending = sessions.value.find((each) => each.id === id)
  sessions.value = sessions.value.filter((each) => each.id !== id)
  if (currentId.value === id) currentId.value = 0
  ending?.close?.()
}

/** Makes requests with the credential of that session from now on. */
export function switchTo(id: number): void {
  currentId.value = id
}

/** Replaces the token of a session by a later one of the same user. */
export function renewToken(id: number, token: string): void {
  sessions.value = sessions.value.map((each) => (each.id === id ? { ...each, token } : each))
}

/** Makes requests as another user from now on; '' ends that. */
export function seeAs(user: string): void {
  sessions.value = sessions.value.map((each) => (each.id === currentId.value ? { ...each, seenAs: user } : each))
}

/** A session by its context, user and server. */
export function sessionName({ context, user }: Session): string {
  return `${context === '' ? '' : `${context}: `}${user} @ ${location.host}`
}

function userInfoIn(info: unknown): { user: string; groups: readonly string[] } {
  if (!isRecord(info)) return { user: '', groups: [] }
  return {
    user: String(info['username'] ?? ''),
    groups: Array.isArray(info['groups']) ? info['groups'].map(String) : [],
  }
}
