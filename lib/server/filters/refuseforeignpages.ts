import { createHash } from 'node:crypto'
import { StatusError } from '../../object/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerOptions } from '../options.ts'
import { allowedOrigins } from './cors.ts'

/** Set by the authenticator of client certificates. */
const credentialId = 'authentication.kubernetes.io/credential-id'

/**
 * Refuses requests that a page of another origin makes with the client certificate of the browser that shows it. A browser
 * presents it for requests of every page, and lets every page open a WebSocket, such as to a container. Only where the console invites
 * certificates into browsers (decision pages-of-others); origins that --cors-allowed-origins allows may.
 */
export function refuseForeignPages(
  { publicPages }: Pick<ServerDependencies, 'publicPages'>,
  options: ServerOptions,
): ServerFilter | undefined {
  if (publicPages === undefined) return undefined
  const isAllowed = allowedOrigins(options)
  return (call, next) => {
    const origin = call.headerValue('origin')
    if (origin !== '' && isOfCertificate(call) && !isOwn(call, origin) && !isAllowed(origin))
      throw new StatusError(
        403,
        'Forbidden',
        'a page of another origin may not use the client certificate of a browser; --cors-allowed-origins allows origins',
      )
    return next(call)
  }
}

/** By the certificate of this connection: what a proxy passes on is not a browser's. */
function isOfCertificate(call: ServerCall): boolean {
  const [leaf] = call.clientCertificates()?.chain ?? []
  if (leaf === undefined) return false
  const fingerprint = createHash('sha256').update(leaf).digest('hex')
  return call.user?.extra[credentialId]?.includes(`X509SHA256=${fingerprint}`) ?? false
}

/** Scheme and host of the address that the browser shows. */
function isOwn(call: ServerCall, origin: string): boolean {
  return (
    origin.toLowerCase() === `https://${(call.headerValue(':authority') || call.headerValue('host')).toLowerCase()}`
  )
}
