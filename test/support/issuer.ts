import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { exportJWK, SignJWT } from 'jose'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { createAuthority } from '../../lib/pki/index.ts'

/** How an issuer answers when it does not answer well. */
export type IssuerMood =
  | 'well'
  | 'hangs'
  | 'rubbish'
  | 'torn'
  | 'huge'
  | 'fails'
  | 'sends elsewhere'
  | 'is another'
  | 'has no keys'
  | 'has odd keys'

/** An OpenID issuer on loopback, with a certificate of an authority of its own. */
export interface TestIssuer {
  readonly url: string
  /** PEM. */
  readonly ca: string
  /** Times that the keys were asked for. */
  readonly looks: number
  /** From now on. */
  mood: IssuerMood
  /** A token by the latest key, valid for five minutes unless the claims have another `exp`. */
  sign(claims: Record<string, unknown>): Promise<string>
  /** From now on tokens are signed by, and only, a new key. */
  rotate(): void
  stop(): Promise<void>
}

/** Further endpoints of an issuer: its answers to requests, and their fields in what it publishes. */
export interface MoreEndpoints {
  /** Sets headers of every answer. */
  prepare(response: ServerResponse): void
  published(url: string): Record<string, string>
  /** True when it has answered. */
  handle(request: IncomingMessage, response: ServerResponse, issuer: Pick<TestIssuer, 'sign' | 'url'>): Promise<boolean>
}

export async function startIssuer(more?: MoreEndpoints): Promise<TestIssuer> {
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'issuers' })
  const { certificate, key } = authority.issue({ commonName: 'issuer', usage: 'server', names: ['127.0.0.1'] })
  let looks = 0
  let id = 0
  let mood: IssuerMood = 'well'
  let pair: { publicKey: KeyObject; privateKey: KeyObject }
  const rotate = (): void => {
    id += 1
    pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  }
  rotate()
  let url = ''
  const sign = async (claims: Record<string, unknown>): Promise<string> =>
    await new SignJWT({ exp: Math.floor(Date.now() / 1000) + 300, iss: url, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: `key-${id}` })
      .setIssuedAt()
      .sign(pair.privateKey)
  const server: Server = createServer({ cert: certificate, key, keepAliveTimeout: 0 }, (request, response) => {
    void (async () => {
      if (answerBadly(mood, response)) return undefined
      response.setHeader('content-type', 'application/json')
      more?.prepare(response)
      const named = mood === 'is another' ? 'https://another.example' : url
      if (request.url === '/.well-known/openid-configuration')
        return response.end(JSON.stringify({ issuer: named, jwks_uri: `${url}/keys`, ...more?.published(url) }))
      if (await more?.handle(request, response, { sign, url })) return undefined
      if (request.url !== '/keys') return response.writeHead(404).end('{}')
      looks += 1
      const jwk = await exportJWK(pair.publicKey)
      const keys: unknown[] = [{ ...jwk, kid: `key-${id}`, use: 'sig', alg: 'ES256' }]
      const odd = [null, 7, { kty: 'oct', k: 'AAAA', kid: `key-${id}` }, { ...jwk, kid: `key-${id}`, x: 'AAAA' }]
      const shown = mood === 'has no keys' ? [] : mood === 'has odd keys' ? odd : keys
      return response.end(JSON.stringify({ keys: shown }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  url = `https://127.0.0.1:${address.port}`
  return {
    url,
    ca: authority.certificate,
    get looks() {
      return looks
    },
    get mood() {
      return mood
    },
    set mood(next) {
      mood = next
    },
    sign,
    rotate,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** True when that was the answer. */
function answerBadly(mood: IssuerMood, response: ServerResponse): boolean {
  switch (mood) {
    case 'hangs':
      return true
    case 'rubbish':
      response.end('<html>Welcome!</html>')
      return true
    case 'torn':
      response.writeHead(200, { 'content-length': '1000' }).write('{"issuer":')
      setTimeout(() => response.destroy(), 5)
      return true
    case 'huge':
      response.end(`{"issuer":"${'x'.repeat(4 * 1024 * 1024)}"}`)
      return true
    case 'fails':
      response.writeHead(500).end('{}')
      return true
    case 'sends elsewhere':
      response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end()
      return true
    default:
      return false
  }
}
