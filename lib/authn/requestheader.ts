import type { Clock } from '../base/index.ts'
import { type ChainVerifier, type PresentedCertificates, readSubject } from '../pki/index.ts'
import { type Call, extraOfHeaders } from '../request/index.ts'
import type { AuthenticationResult } from './authenticator.ts'

export interface RequestHeaderOptions {
  /** Common names of proxies; empty: any certificate that the authorities have signed. */
  readonly allowedNames: readonly string[]
  /** Header names; the first one with a value is used. In any case. */
  readonly usernameHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  /** All of their values are groups. */
  readonly groupHeaders: readonly string[]
  readonly extraPrefixes: readonly string[]
}

/** The parts of a request that name its user by headers. */
type HeaderCall = Pick<Call, 'clientCertificates' | 'headers' | 'headerValues'>

interface RequestHeaderAuthenticator {
  readonly name: string
  authenticate(call: HeaderCall): AuthenticationResult
}

const none: AuthenticationResult = { outcome: 'none' }

/**
 * Accepts the user that a front proxy sends in headers, once it has shown a certificate of the proxies' authorities.
 */
export function createRequestHeaderAuthenticator(
  { clock }: { clock: Clock },
  verifier: ChainVerifier,
  { allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraPrefixes }: RequestHeaderOptions,
): RequestHeaderAuthenticator {
  const [names, uids, groups, prefixes] = [usernameHeaders, uidHeaders, groupHeaders, extraPrefixes].map((list) =>
    list.map((name) => name.toLowerCase()),
  )

  const believed = new WeakMap<PresentedCertificates, number>()

  function whyNot(presented: PresentedCertificates): string | undefined {
    const nowMs = clock.now()
    if (nowMs < (believed.get(presented) ?? 0)) return undefined
    const result = verifier.verify(presented)
    if (!result.ok) return result.reason
    const { commonName } = readSubject(result.leaf)
    if (allowedNames.length > 0 && !allowedNames.includes(commonName))
      return `subject with cn=${commonName} is not in the allowed list`
    believed.set(presented, result.validToMs)
    return undefined
  }

  return {
    name: 'request-header',
    authenticate(call) {
      const presented = call.clientCertificates()
      if (presented === undefined) return none
      const name = firstValue(call, names ?? [])
      // Without a user name the headers claim nothing: the certificate may still be the client's own.
      if (name === '') return none
      const reason = whyNot(presented)
      if (reason !== undefined) return { outcome: 'invalid', reason }
      const user = {
        name,
        uid: firstValue(call, uids ?? []),
        groups: (groups ?? []).flatMap((header) => valuesOf(call, header)),
        extra: extraOfHeaders(call.headers, prefixes ?? [], (header) => valuesOf(call, header)),
      }
      return { outcome: 'authenticated', user }
    },
  }
}

function valuesOf(call: HeaderCall, header: string): readonly string[] {
  const joined = call.headers[header]
  if (joined === undefined) return []
  return call.headerValues?.(header) ?? joined.split(', ')
}

function firstValue(call: HeaderCall, headers: readonly string[]): string {
  for (const header of headers) {
    const value = valuesOf(call, header)[0]
    if (value !== undefined && value !== '') return value
  }
  return ''
}
