import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MoreEndpoints, TestIssuer } from './issuer.ts'

/** The sign-in of a test issuer: the code flow with PKCE, for one client without a secret. Users are asked to allow it. */
export interface CodeFlow extends MoreEndpoints {
  /** The origin that may ask for tokens from a page. */
  pageOrigin: string
  /** Further claims of the next ID tokens. */
  claims: Record<string, unknown>
  /** Lifetime of the next ID tokens. */
  seconds: number
  /** Whether it gives refresh tokens. */
  renews: boolean
  /** Replaces the state of the next answer. */
  state: string | undefined
  /** Grant types of the tokens given so far, and `revoked` for each one that was given back. */
  readonly given: string[]
}

interface Started {
  readonly challenge: string
  readonly redirect: string
  readonly state: string
  readonly nonce: string
}

export function createCodeFlow(clientId: string): CodeFlow {
  /** By the code, which is of use once. */
  const started = new Map<string, Started>()
  const refreshTokens = new Set<string>()
  const flow: CodeFlow = {
    pageOrigin: '',
    claims: {},
    seconds: 300,
    renews: true,
    state: undefined,
    given: [],
    published: (url) => ({
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      revocation_endpoint: `${url}/revoke`,
    }),
    prepare: (response) => void response.setHeader('access-control-allow-origin', flow.pageOrigin),
    async handle(request, response, issuer) {
      const { pathname, searchParams } = new URL(request.url ?? '', issuer.url)
      if (pathname === '/authorize') authorize(searchParams, response)
      else if (pathname === '/allow' || pathname === '/deny') sendBack(pathname, searchParams, response, issuer.url)
      else if (pathname === '/token') await give(request, response, issuer)
      else if (pathname === '/revoke') await revoke(request, response)
      else return false
      return true
    },
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const asked = Object.fromEntries(query)
    const isRight =
      asked['response_type'] === 'code' &&
      asked['client_id'] === clientId &&
      asked['code_challenge_method'] === 'S256' &&
      asked['redirect_uri'] === `${flow.pageOrigin}/console/signedin.html` &&
      asked['scope']?.split(' ').includes('openid')
    if (!isRight) return void response.writeHead(400).end('{}')
    const code = randomUUID()
    const { code_challenge: challenge = '', redirect_uri: redirect = '', state = '', nonce = '' } = asked
    started.set(code, { challenge, redirect, state, nonce })
    response.setHeader('content-type', 'text/html')
    response.end(`<a href="/allow?code=${code}">Allow</a> <a href="/deny?code=${code}">Deny</a>`)
  }

  function sendBack(path: string, query: URLSearchParams, response: ServerResponse, iss: string): void {
    const code = query.get('code') ?? ''
    const { redirect = '', state = '' } = started.get(code) ?? {}
    const address = new URL(redirect)
    const answer = path === '/allow' ? { code } : { error: 'access_denied', error_description: 'the user said no' }
    for (const [name, value] of Object.entries({ ...answer, state: flow.state ?? state, iss }))
      address.searchParams.set(name, value)
    response.writeHead(302, { location: address.href }).end()
  }

  async function give(
    request: IncomingMessage,
    response: ServerResponse,
    { sign }: Pick<TestIssuer, 'sign'>,
  ): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await read(request)))
    const { code = '', code_verifier: verifier = '', refresh_token: earlier = '', grant_type: grant = '' } = form
    const start = started.get(code)
    started.delete(code)
    const isRight =
      grant === 'refresh_token'
        ? refreshTokens.delete(earlier)
        : start?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
          start.redirect === form['redirect_uri']
    if (!isRight || form['client_id'] !== clientId) return answer(response, 400, { error: 'invalid_grant' })
    flow.given.push(grant)
    const refresh = flow.renews ? { refresh_token: randomUUID() } : undefined
    if (refresh) refreshTokens.add(refresh.refresh_token)
    const exp = Math.floor(Date.now() / 1000) + flow.seconds
    const nonce = start && { nonce: start.nonce }
    const idToken = await sign({ aud: clientId, ...nonce, exp, jti: randomUUID(), ...flow.claims })
    answer(response, 200, { id_token: idToken, ...refresh, token_type: 'Bearer', access_token: 'none' })
  }

  async function revoke(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (refreshTokens.delete(new URLSearchParams(await read(request)).get('token') ?? '')) flow.given.push('revoked')
    answer(response, 200, {})
  }

  function answer(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status).end(JSON.stringify(body))
  }

  return flow
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
