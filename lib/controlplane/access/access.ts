import { createBootstrapAuthenticator, type UnionAuthenticator } from '../../authn/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { CertificateProvider } from '../../server/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { serverId } from '../peers/serverid.ts'
import type { ServerServices } from '../serverservices.ts'
import { type Authorization, composeAuthorization } from './authorization.ts'
import { composeAuthenticator, openCertificates } from './identity.ts'
import { openIssuers } from './issuers.ts'
import { createLookup } from './lookup.ts'
import { composeServiceAccountTokens, type ServiceAccountTokens } from './tokens.ts'
import { openTokenWebhook } from './tokenwebhook.ts'

/** The server's authentication and authorization, with their parts. */
export interface Access {
  readonly certificates: CertificateProvider
  /** Undefined without a key for service accounts. */
  readonly accountTokens: ServiceAccountTokens | undefined
  readonly authenticator: UnionAuthenticator
  readonly authorization: Authorization
}

interface AccessParts {
  readonly registry: Registry
  /** The port on which the server listens; called when a document is served. */
  port(): number
}

/** Registers everything that it opens with `opened`. Rejects with StartError. */
export async function openAccess(
  config: ApiserverConfig,
  services: ServerServices,
  parts: AccessParts,
  opened: AsyncDisposableStack,
): Promise<Access> {
  const certificates = await openCertificates(config, services)
  opened.defer(() => certificates.close())
  const identity = await openIdentity(config, services, parts, certificates, opened)
  const authorization = await composeAuthorization(config, services, parts.registry)
  opened.defer(() => authorization.close())
  return { certificates, ...identity, authorization }
}

async function openIdentity(
  config: ApiserverConfig,
  services: ServerServices,
  { registry, port }: AccessParts,
  certificates: CertificateProvider,
  opened: AsyncDisposableStack,
): Promise<Pick<Access, 'accountTokens' | 'authenticator'>> {
  const accountTokens = await composeServiceAccountTokens(
    config,
    services,
    { registry, lookup: createLookup(registry), port },
    opened,
  )
  const webhook = await openTokenWebhook(config.tokenWebhook, config.apiAudiences, services)
  opened.defer(() => webhook?.close())
  const disallowedIssuers = config.serviceAccounts?.issuers ?? []
  const issuers = await openIssuers(
    config.issuers,
    { disallowedIssuers, serverId: serverId(config.hostName) },
    services,
  )
  opened.defer(() => issuers?.close())
  const bootstrap = config.bootstrapTokens
    ? createBootstrapAuthenticator({ clock: services.clock, lookup: createLookup(registry, { cachedOnly: true }) })
    : undefined
  const tokens = [accountTokens?.authenticator, bootstrap, issuers?.authenticator, webhook]
  const present = tokens.filter((member) => member !== undefined)
  return { accountTokens, authenticator: composeAuthenticator(config, services, certificates, present, issuers) }
}
