import {
  type AuthenticationResult,
  type Authenticator,
  createAuthenticator,
  createCertificateAuthenticator,
  createTokenFileAuthenticator,
  type TokenAuthenticator,
  type UnionAuthenticator,
} from '../../lib/authn/index.ts'
import type { Clock, Closable, Logger, Metrics } from '../../lib/base/index.ts'
import { createChainVerifier } from '../../lib/pki/index.ts'
import { type CertificateProvider, fixedCertificates, watchCertificateFiles } from '../../lib/server/index.ts'
import type { ApiserverConfig } from './config.ts'
import { reasonOf, StartError } from './failure.ts'

type Services = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics }

/** The serving certificates, from files or as they are. Rejects with StartError. */
export async function openCertificates(
  { certificates }: ApiserverConfig,
  services: Services,
): Promise<CertificateProvider & Closable> {
  if (!('certFile' in certificates)) return { ...fixedCertificates(certificates), close() {} }
  try {
    return await watchCertificateFiles(services, certificates)
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? `${String(error.path)}: ` : ''
    throw new StartError(`the serving certificate can't be used: ${path}${reasonOf(error)}`, { cause: error })
  }
}

/** Who clients are: by certificates of the authorities that the provider tells of, by tokens, or nobody. */
export function composeAuthenticator(
  { certificates, tokens, anonymous, apiAudiences }: ApiserverConfig,
  services: Services,
  provider: CertificateProvider,
  others: readonly TokenAuthenticator[],
): UnionAuthenticator {
  const hasAuthorities = 'certFile' in certificates ? certificates.clientAuthorityFile : certificates.clientAuthorities
  const byCertificate = hasAuthorities ? followAuthorities(services, provider) : undefined
  return createAuthenticator(services, {
    ...(byCertificate && { certificates: byCertificate }),
    tokens: [...(tokens.length === 0 ? [] : [createTokenFileAuthenticator(tokens)]), ...others],
    audiences: apiAudiences,
    anonymous,
  })
}

/** Clients' certificates, verified by the authorities of the file as it is at the time. */
function followAuthorities({ clock, log }: Services, provider: CertificateProvider): Authenticator {
  const make = (bundle: string): Authenticator =>
    createCertificateAuthenticator({ clock }, createChainVerifier(clock, bundle))
  let current = makeFirst(make, provider.current().clientAuthorities)
  provider.onChange((material) => {
    try {
      current = make(material.clientAuthorities)
    } catch (error) {
      log.error('client certificate authorities not reloaded, the old ones stay', { error })
    }
  })
  return {
    name: 'certificate',
    authenticate: (call): AuthenticationResult | Promise<AuthenticationResult> => current.authenticate(call),
  }
}

function makeFirst(make: (bundle: string) => Authenticator, bundle: string): Authenticator {
  try {
    return make(bundle)
  } catch (error) {
    throw new StartError(`--client-ca-file: ${reasonOf(error)}`, { cause: error })
  }
}
