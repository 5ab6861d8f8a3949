import { answersName } from '../state/signinanswers.ts'
import { ApiError, endSession, isRecord, renewToken, signIn } from './session.ts'

/** The OpenID issuer that the server names to the page. */
export interface Issuer {
  readonly url: string
  readonly clientId: string
  readonly scopes: readonly string[]
}

/** What the issuer publishes about itself. */
export interface IssuerEndpoints {
  readonly authorization: string
  readonly token: string
  /** '' where it has none. */
  readonly revocation: string
}

interface Tokens {
  readonly idToken: string
  readonly claims: Record<string, unknown>
  /** '' where the issuer gave none. */
  readonly refreshToken: string
}

/** Longest time between the opening of the issuer's window and its answer. */
const answerMs = 10 * 60_000
/** A token is renewed so long before its end. */
const renewalMs = 60_000
/** setTimeout takes no longer time. */
const timerMsMax = 2 ** 31 - 1

/** The issuer at which users can sign in; undefined without. */
export async function readIssuer(): Promise<Issuer | undefined> {
  const answer = await fetch('signin.json', { credentials: 'omit' })
  const document: unknown = answer.ok ? await answer.json() : undefined
  const issuer = isRecord(document) ? document['issuer'] : undefined
  if (!isRecord(issuer)) return undefined
  const scopes = Array.isArray(issuer['scopes']) ? issuer['scopes'].map(String) : []
  return { url: String(issuer['url']), clientId: String(issuer['clientId']), scopes }
}

/**
 * Reads the endpoints that the issuer publishes (OpenID Connect Discovery 1.0). Those that receive codes and tokens must be of
 * the issuer's own origin; the page's policy lets it reach no other. Throws ApiError.
 */
export async function readEndpoints({ url }: Issuer): Promise<IssuerEndpoints> {
  const document = await ask(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`, {})
  if (document['issuer'] !== url) throw problem('it calls itself another issuer')
  const ownEndpoint = (name: string): string => {
    const address = String(document[name] ?? '')
    if (address !== '' && new URL(address).origin !== new URL(url).origin)
      throw problem(`its ${name} is of another origin`)
    return address
  }
  const authorization = String(document['authorization_endpoint'] ?? '')
  if (URL.parse(authorization)?.protocol !== 'https:') throw problem('its authorization_endpoint is no https address')
  return { authorization, token: ownEndpoint('token_endpoint'), revocation: ownEndpoint('revocation_endpoint') }
}

/**
 * Signs in by the code flow with PKCE (RFC 7636, RFC 9700) in a window of the issuer, as a client without a secret. Verifier, state and
 * nonce live in this call, tokens in its closures: none is stored or put into an address. Throws ApiError.
 */
export async function signInAt(issuer: Issuer, endpoints: IssuerEndpoints, closing: AbortSignal): Promise<void> {
  const [verifier, state, nonce] = [randomText(), randomText(), randomText()]
  const redirect = new URL('signedin.html', location.href)
  redirect.hash = ''
  const query = {
    response_type: 'code',
    client_id: issuer.clientId,
    redirect_uri: redirect.href,
    scope: issuer.scopes.join(' '),
    state,
    nonce,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  }
  const address = new URL(endpoints.authorization)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const answer = waitForAnswer(state, closing)
  if (window.open(address, '_blank', 'popup,width=520,height=720') === null)
    throw problem('the browser did not open its window; allow it to, and try again')
  const code = codeIn(await answer, issuer)
  const tokens = await redeem(issuer, endpoints, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect.href,
    code_verifier: verifier,
  })
  if (tokens.claims['nonce'] !== nonce) throw problem('its token is not for this sign-in')
  await keepSession(issuer, endpoints, tokens)
}

/** Signs in with the tokens, and renews them as long as the session lasts and the issuer agrees. */
async function keepSession(issuer: Issuer, endpoints: IssuerEndpoints, first: Tokens): Promise<void> {
  let { refreshToken } = first
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = (): void => {
    clearTimeout(timer)
    if (refreshToken !== '' && endpoints.revocation !== '')
      ask(endpoints.revocation, { client_id: issuer.clientId, token: refreshToken }).catch(() => {})
    refreshToken = ''
  }
  const id = await signIn(first.idToken, new URL(issuer.url).host, close)
  const renewLater = ({ claims }: Tokens): void => {
    if (refreshToken === '') return
    const waitMs = Number(claims['exp']) * 1000 - Date.now() - renewalMs
    timer = setTimeout(() => void renew(), Math.min(Math.max(waitMs, 1000), timerMsMax))
  }
  const renew = async (): Promise<void> => {
    try {
      const sent = { grant_type: 'refresh_token', refresh_token: refreshToken }
      const tokens = await redeem(issuer, endpoints, sent)
      if (refreshToken === '') return
      if (tokens.claims['sub'] !== first.claims['sub']) return endSession(id)
      refreshToken = tokens.refreshToken || refreshToken
      renewToken(id, tokens.idToken)
      renewLater(tokens)
    } catch {
      // The token is used until its end; then the server's answer ends the session.
    }
  }
  renewLater(first)
}

/** The query of the window that the issuer sent back; answers to other sign-ins are skipped. */
async function waitForAnswer(state: string, closing: AbortSignal): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(answersName)
  const ends = AbortSignal.any([closing, AbortSignal.timeout(answerMs)])
  try {
    return await new Promise((resolve, reject) => {
      channel.addEventListener('message', ({ data }) => {
        const answer = new URLSearchParams(typeof data === 'string' ? data : '')
        if (answer.get('state') === state) resolve(answer)
      })
      ends.addEventListener('abort', () => reject(problem('it sent no answer')))
    })
  } finally {
    channel.close()
  }
}

/** `iss` is checked where the issuer sends it (RFC 9207). */
function codeIn(answer: URLSearchParams, { url }: Issuer): string {
  const refusal = answer.get('error')
  if (refusal !== null) throw problem(`${answer.get('error_description') ?? refusal}`)
  if ((answer.get('iss') ?? url) !== url) throw problem('the answer is of another issuer')
  return answer.get('code') ?? ''
}

/**
 * Exchanges a code or a refresh token for an ID token. The API server checks its signature; here it came from the issuer itself, by TLS
 * (OpenID Connect Core 1.0, section 3.1.3.7).
 */
async function redeem(issuer: Issuer, endpoints: IssuerEndpoints, form: Record<string, string>): Promise<Tokens> {
  const document = await ask(endpoints.token, { client_id: issuer.clientId, ...form })
  const idToken = String(document['id_token'] ?? '')
  const claims = claimsIn(idToken)
  const audiences = [claims['aud']].flat()
  if (claims['iss'] !== issuer.url || !audiences.includes(issuer.clientId))
    throw problem('its token is not for this page')
  if (!(Number(claims['exp']) * 1000 > Date.now())) throw problem('its token has expired; is the clock right?')
  return { idToken, claims, refreshToken: String(document['refresh_token'] ?? '') }
}

function claimsIn(token: string): Record<string, unknown> {
  try {
    const payload = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(payload, (character) => character.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isRecord(claims) ? claims : {}
  } catch {
    throw problem('it sent no ID token')
  }
}

/** The JSON answer to a GET, or to a POST of the form where that has fields. */
async function ask(address: string, form: Record<string, string>): Promise<Record<string, unknown>> {
  const body = Object.keys(form).length === 0 ? null : new URLSearchParams(form)
  const answer = await fetch(address, {
    method: body === null ? 'GET' : 'POST',
    body,
    credentials: 'omit',
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw problem(`it can't be reached, or does not allow requests from ${location.origin}`, cause)
  })
  const document: unknown = await answer.json().catch(() => ({}))
  const fields = isRecord(document) ? document : {}
  if (!answer.ok)
    throw problem(String(fields['error_description'] ?? fields['error'] ?? `it answered ${answer.status}`))
  return fields
}

function problem(message: string, cause?: unknown): ApiError {
  return new ApiError(0, 'Issuer', message, undefined, { cause })
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64Url(new Uint8Array(digest))
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
