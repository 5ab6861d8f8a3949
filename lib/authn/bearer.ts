import type { AuthenticationResult, Authenticator, TokenAuthenticator } from './authenticator.ts'

const none: AuthenticationResult = { outcome: 'none' }
const protocolPrefix = 'base64url.bearer.authorization.k8s.io.'

/** Takes the token from `Authorization: Bearer …`, or from the protocols of a WebSocket, where browsers must put it. */
export function createBearerAuthenticator(tokens: TokenAuthenticator): Authenticator {
  return {
    name: 'bearer',
    authenticate(call) {
      const header = call.headers['authorization']
      const token = header === undefined ? webSocketToken(call.headers) : bearerToken(header)
      return token === undefined ? none : tokens.authenticateToken(token, call)
    },
  }
}

/** Undefined for another scheme, or one without a token. */
export function bearerToken(header: string): string | undefined {
  if (header.startsWith('Bearer ') && header.length > 7) {
    const rest = header.slice(7)
    if (!rest.includes(' ')) return rest
  }
  const [scheme = '', token = ''] = header.trim().split(' ', 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

function webSocketToken(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const protocols = headers['sec-websocket-protocol']
  if (protocols === undefined || headers['upgrade']?.toLowerCase() !== 'websocket') return undefined
  for (const protocol of protocols.split(',')) {
    const name = protocol.trim()
    if (!name.startsWith(protocolPrefix)) continue
    const token = Buffer.from(name.slice(protocolPrefix.length), 'base64url').toString()
    return token === '' ? undefined : token
  }
  return undefined
}
