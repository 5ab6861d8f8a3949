import { computed, signal } from '@preact/signals'

/** Who is signed in. Kept in the memory of this page only: a reload signs out. */
export interface Session {
  /** '' where the connection's client certificate is the credential. */
  readonly token: string
  readonly user: string
  readonly groups: readonly string[]
  /** The user that requests are made as; '' for the signed-in one. */
  readonly seenAs: string
}

export const session = signal<Session | undefined>(undefined)

/** The user whose rights decide now. */
export const actingUser = computed(() => session.value?.seenAs || session.value?.user || '')

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
}

/** Sends a request as the signed-in user. Throws ApiError; a 401 ends the session. */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  return await send(path, options, session.value?.token ?? '', session.value?.seenAs ?? '')
}

async function send(path: string, options: RequestOptions, token: string, seenAs: string): Promise<Response> {
  const headers = new Headers({ accept: options.accept ?? 'application/json' })
  if (token !== '') headers.set('authorization', `Bearer ${token}`)
  if (seenAs !== '') headers.set('impersonate-user', seenAs)
  if (options.body !== undefined) headers.set('content-type', options.contentType ?? 'application/json')
  const { method = 'GET', body = null, signal = null } = options
  // Browsers show their client certificate only where credentials may be sent. There are no cookies to send.
  const credentials = token === '' ? 'same-origin' : 'omit'
  const answer = await reach(path, { method, headers, body, signal, credentials, redirect: 'error' })
  if (answer.ok) return answer
  const problem = await readProblem(answer)
  if (problem.code === 401 && token === session.value?.token) signOut()
  throw problem
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
    const status: unknown = JSON.parse(text)
    if (isRecord(status) && status['kind'] === 'Status')
      return new ApiError(answer.status, String(status['reason'] ?? ''), String(status['message'] ?? ''), status)
  } catch {
    // Not a Status: a proxy, or a program behind this server.
  }
  return new ApiError(answer.status, '', text.slice(0, 400) || `the server answered ${answer.status}`)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON document at the path. */
export async function readJson(path: string, options: RequestOptions = {}): Promise<Record<string, unknown>> {
  const document: unknown = await (await request(path, options)).json()
  return isRecord(document) ? document : {}
}

/** Signs in with the credential, which may be a kubeconfig that holds a token. Throws ApiError. */
export async function signIn(credential: string): Promise<void> {
  const token = tokenIn(credential)
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const answer: unknown = await (await send(path, { method: 'POST', body }, token, '')).json()
  const info = userInfoIn(answer)
  if (info.user === 'system:anonymous') throw new ApiError(401, 'Unauthorized', '')
  session.value = { token, seenAs: '', ...info }
}

/** Forgets the credential. */
export function signOut(): void {
  session.value = undefined
}

/** Makes requests as another user from now on; '' ends that. */
export function seeAs(user: string): void {
  if (session.value) session.value = { ...session.value, seenAs: user }
}

function tokenIn(credential: string): string {
  const inKubeconfig = /^\s*token:\s*["']?([^\s"']+)/m.exec(credential)
  return (inKubeconfig?.[1] ?? credential).trim()
}

function userInfoIn(review: unknown): { user: string; groups: readonly string[] } {
  const status = isRecord(review) ? review['status'] : undefined
  const info = isRecord(status) ? status['userInfo'] : undefined
  if (!isRecord(info)) return { user: '', groups: [] }
  return {
    user: String(info['username'] ?? ''),
    groups: Array.isArray(info['groups']) ? info['groups'].map(String) : [],
  }
}
