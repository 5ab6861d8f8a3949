import {
  type AuthenticationResult,
  type Authenticator,
  createAuthenticator,
  createCertificateAuthenticator,
  createRequestHeaderAuthenticator,
  createTokenFileAuthenticator,
  type TokenAuthenticator,
  type UnionAuthenticator,
} from '../../authn/index.ts'
import { type Clock, type Closable, FileError, type Logger, type Metrics } from '../../base/index.ts'
import { type ChainVerifier, createChainVerifier } from '../../pki/index.ts'
import {
  type CertificateFiles,
  type CertificateProvider,
  fixedCertificates,
  type TlsMaterial,
  watchCertificateFiles,
} from '../../server/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { Issuers } from './issuers.ts'

type Services = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics }

/** The serving certificates, from files or given directly. Rejects with StartError. */
export async function openCertificates(
  { certificates }: ApiserverConfig,
  services: Services,
): Promise<CertificateProvider & Closable> {
  if (!('certFile' in certificates)) return { ...fixedCertificates(certificates), close() {} }
  try {
    return await watchCertificateFiles(services, certificates)
  } catch (error) {
    const path = error instanceof FileError ? error.path : undefined
    const which = authorityFlag(certificates, path) ?? "the serving certificate can't be used"
    throw new StartError(`${which}: ${path === undefined ? '' : `${path}: `}${reasonOf(error)}`, { cause: error })
  }
}

/** The flag whose file of authorities has this path. */
function authorityFlag(files: CertificateFiles, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  if (path === files.clientAuthorityFile) return '--client-ca-file'
  return path === files.proxyAuthorityFile ? '--requestheader-client-ca-file' : undefined
}

/** Authenticates clients: by certificates of the provider's authorities, by tokens, or as anonymous. */
export function composeAuthenticator(
  { certificates, tokens, anonymous, apiAudiences, requestHeader }: ApiserverConfig,
  services: Services,
  provider: CertificateProvider,
  others: readonly TokenAuthenticator[],
  issuers?: Issuers,
): UnionAuthenticator {
  const hasAuthorities = 'certFile' in certificates ? certificates.clientAuthorityFile : certificates.clientAuthorities
  const byCertificate = hasAuthorities
    ? followAuthorities(services, provider, '--client-ca-file', {
        bundleOf: (material) => material.clientAuthorities,
        make: (verifier) => createCertificateAuthenticator(services, verifier),
      })
    : undefined
  const byProxy =
    requestHeader &&
    followAuthorities(services, provider, '--requestheader-client-ca-file', {
      bundleOf: (material) => material.proxyAuthorities ?? '',
      make: (verifier) => createRequestHeaderAuthenticator(services, verifier, requestHeader),
    })
  return createAuthenticator(services, {
    requestHeader: byProxy,
    certificates: byCertificate,
    tokens: [...(tokens.length === 0 ? [] : [createTokenFileAuthenticator(tokens)]), ...others],
    audiences: apiAudiences,
    // If anonymous users are denied (--anonymous-auth, AlwaysAllow), no file admits them.
    anonymous: issuers === undefined || !anonymous ? anonymous : (path) => issuers.anonymous(path) ?? anonymous,
  })
}

/** Authenticates certificates by the present authorities of a file. */
function followAuthorities(
  { clock }: Services,
  provider: CertificateProvider,
  flag: string,
  { bundleOf, make }: { bundleOf(material: TlsMaterial): string; make(verifier: ChainVerifier): Authenticator },
): Authenticator {
  const from = (material: TlsMaterial): Authenticator => make(createChainVerifier(clock, bundleOf(material)))
  let bundle = bundleOf(provider.current())
  let current = makeFirst(() => from(provider.current()), flag)
  provider.onChange((material) => {
    // Cached results for certificates stay valid while these authorities are unchanged.
    if (bundleOf(material) === bundle) return
    bundle = bundleOf(material)
    current = from(material)
  })
  return {
    name: flag,
    authenticate: (call): AuthenticationResult | Promise<AuthenticationResult> => current.authenticate(call),
  }
}

function makeFirst(make: () => Authenticator, flag: string): Authenticator {
  try {
    return make()
  } catch (error) {
    throw new StartError(`${flag}: ${reasonOf(error)}`, { cause: error })
  }
}
