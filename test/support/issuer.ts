import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import { exportJWK, SignJWT } from 'jose'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { createAuthority } from '../../lib/pki/index.ts'

/** An OpenID issuer on loopback, with a certificate of an authority of its own. */
export interface TestIssuer {
  readonly url: string
  /** PEM. */
  readonly ca: string
  /** Times that the keys were asked for. */
  readonly looks: number
  /** A token by the latest key. */
  sign(claims: Record<string, unknown>): Promise<string>
  /** From now on tokens are signed by, and only, a new key. */
  rotate(): void
  stop(): Promise<void>
}

export async function startIssuer(): Promise<TestIssuer> {
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'issuers' })
  const { certificate, key } = authority.issue({ commonName: 'issuer', usage: 'server', names: ['127.0.0.1'] })
  let looks = 0
  let id = 0
  let pair: { publicKey: KeyObject; privateKey: KeyObject }
  const rotate = (): void => {
    id += 1
    pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  }
  rotate()
  let url = ''
  const server: Server = createServer({ cert: certificate, key }, (request, response) => {
    void (async () => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/.well-known/openid-configuration')
        return response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }))
      if (request.url !== '/keys') return response.writeHead(404).end('{}')
      looks += 1
      const jwk = await exportJWK(pair.publicKey)
      return response.end(JSON.stringify({ keys: [{ ...jwk, kid: `key-${id}`, use: 'sig', alg: 'ES256' }] }))
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
    sign: async (claims) =>
      await new SignJWT({ iss: url, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: `key-${id}` })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(pair.privateKey),
    rotate,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
