import { tables } from '../../api/index.ts'
import { createBootstrapAuthenticator } from '../authn/index.ts'
import { createFieldOwnership } from '../apply/index.ts'
import type { Clock, Logger, Random } from '../base/index.ts'
import {
  createAccessReviewHandlers,
  createBindingHandlers,
  createEvictionHandler,
  createResources,
  createRulesReviewHandler,
  createSelfSubjectReviewHandler,
  createTokenReviewHandler,
  type VirtualHandler,
} from '../endpoints/index.ts'
import { builtInKinds, createDeclarativeCheck, createKindSet } from '../kinds/index.ts'
import { type MetricsRegistry, recordBuild } from '../observe/index.ts'
import { createRegistry, type Registry } from '../registry/index.ts'
import { parseRequestInfo } from '../request/index.ts'
import { createServedGroups } from '../schema/index.ts'
import { createScheme } from '../scheme/index.ts'
import { createAudit, createImpersonation, createServer } from '../server/index.ts'
import { composeAdmission } from './admission/admission.ts'
import { composeAuthorization } from './access/authorization.ts'
import { createBootstrapRoles } from './hooks/bootstraproles.ts'
import { openAuditor } from './auditing.ts'
import { createClusterAuthentication } from './hooks/clusterauthentication.ts'
import type { ApiserverConfig } from './config.ts'
import { openDebugging } from './debugging.ts'
import { reasonOf, StartError } from './failure.ts'
import { composeComponentStatuses } from './componentstatuses.ts'
import { createRoleAggregation } from './hooks/aggregateroles.ts'
import { documentRoutes, groupPaths } from './documents.ts'
import { createLookup } from './access/lookup.ts'
import { composeAuthenticator, openCertificates } from './access/identity.ts'
import { createIdentityLeases } from './hooks/identityleases.ts'
import { openIssuers } from './access/issuers.ts'
import { composeServices } from './hooks/kubernetesservice.ts'
import { groupOrder } from './order.ts'
import type { Surroundings } from './services.ts'
import { servedGroups } from './servedgroups.ts'
import { createStatusEncoder } from './statusencoder.ts'
import { healthChecks, openStores } from './stores.ts'
import { createKeyDescriber, recordStorage } from './storagemetrics.ts'
import { createLegacyTokenTracking } from './hooks/legacytokentracking.ts'
import { createSystemPriorityClasses } from './hooks/priorityclasses.ts'
import { createSystemNamespaces } from './hooks/systemnamespaces.ts'
import { composeServiceAccountTokens } from './access/tokens.ts'
import { openTokenWebhook } from './access/tokenwebhook.ts'

/** What a server takes from the program that runs it. */
export interface Services extends Surroundings {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: MetricsRegistry
  setVerbosity?(level: number): void
  /** The data of a store is damaged: nothing good comes of serving on. */
  onDamage?(error: Error): void
}

/** An API server that listens. */
export interface Apiserver {
  /** `https://host:port`, as this machine reaches it. */
  readonly url: string
  readonly port: number
  /** All post-start hooks are done; rejects when one fails. */
  readonly started: Promise<void>
  /** In good order; leaves nothing behind. */
  stop(): Promise<void>
}

/**
 * An API server of all its parts, from the store up. Resolves when it listens and its caches are loaded. Rejects with
 * StartError when the store, an address or a file stands in the way; then nothing is left behind either.
 */
export async function composeApiserver(config: ApiserverConfig, services: Services): Promise<Apiserver> {
  const opened = new AsyncDisposableStack()
  try {
    return await compose(config, services, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Whatever is opened on the way is put on the stack, to be closed in the opposite order. */
async function compose(config: ApiserverConfig, services: Services, opened: AsyncDisposableStack): Promise<Apiserver> {
  const { clock, random, log, metrics } = services
  const gate = (name: string): boolean => config.gates.gate(name)
  recordBuild(metrics, config.version)
  config.gates.record(metrics)

  // What there is: every group, version and kind as data.
  const kinds = createKindSet(builtInKinds)
  const scheme = createScheme({
    tables,
    order: groupOrder,
    kinds: (group, kind) => kinds.get(group, kind),
    storageMediaType: config.storageMediaType,
    storageVersions: config.storageVersions,
    gate,
  })

  // Where it is kept: the store, its caches, and the writes on top.
  const stores = await openStores(config, services, createKeyDescriber(scheme, config.storagePrefix))
  opened.defer(() => stores.close())
  const { store } = stores.main
  const registry = createRegistry(
    {
      ...stores.main,
      elsewhere: stores.elsewhere,
      scheme,
      kinds,
      clock,
      random,
      gate,
      declarative: createDeclarativeCheck(gate, services),
    },
    {
      prefix: config.storagePrefix,
      eventTtlSeconds: config.eventTtlSeconds,
      deleteCollectionWorkers: config.deleteCollectionWorkers,
      garbageCollection: config.garbageCollection ?? true,
      settings: { allowPrivileged: config.allowPrivileged },
    },
  )
  await stores.load()
  const sizes = recordStorage(services, stores, registry, { sizePeriodMs: config.storageSizePeriodMs })
  opened.defer(() => sizes.close())

  // What is told of it, until the last request is through.
  const auditor = await openAuditor(config.audit, scheme, services)
  opened.defer(() => auditor?.close())

  // Who may see it.
  const certificates = await openCertificates(config, services)
  opened.defer(() => certificates.close())
  let port = config.server.port ?? 0
  const lookup = createLookup(registry)
  const accountTokens = composeServiceAccountTokens(config, services, { registry, lookup, port: () => port })
  const webhook = await openTokenWebhook(config.tokenWebhook, config.apiAudiences, services)
  opened.defer(() => webhook?.close())
  const disallowedIssuers = config.serviceAccounts?.issuers ?? []
  const issuers = await openIssuers(config.issuers, { disallowedIssuers, serverId: config.externalHost }, services)
  opened.defer(() => issuers?.close())
  const bootstrap = config.bootstrapTokens
    ? createBootstrapAuthenticator({ clock, lookup: createLookup(registry, { cachedOnly: true }) })
    : undefined
  const authenticator = composeAuthenticator(
    config,
    services,
    certificates,
    [accountTokens?.authenticator, bootstrap, issuers?.authenticator, webhook].filter((member) => member !== undefined),
    issuers,
  )

  const authorization = await composeAuthorization(config, services, registry)
  opened.defer(() => authorization.close())
  const { authorizer, resolver } = authorization
  const gathering = config.authorization.gathersRoles ? createRoleAggregation({ clock, log, registry }) : undefined
  opened.defer(() => gathering?.close())

  // What clients see of it.
  const listening = Promise.withResolvers<number>()
  const own = composeServices(config.services, config.storagePrefix, {
    clock,
    random,
    log: log.named('services'),
    metrics,
    registry,
    scheme,
    store,
    gate,
    port: listening.promise,
  })
  opened.defer(() => own.close())
  const virtual = [
    ...(accountTokens?.virtual ?? []),
    ...createAccessReviewHandlers({ authorizer }),
    createRulesReviewHandler({ resolver }),
    ...createPodHandlers(registry, clock),
    createSelfSubjectReviewHandler({ clock }),
    createTokenReviewHandler({ reviewToken: authenticator.reviewToken, audiences: config.apiAudiences }),
  ]
  const components = composeComponentStatuses(config, { clock, scheme, kinds, store })
  opened.defer(() => components.close())
  const computed = [components.resource]
  const served = createServedGroups(servedGroups({ scheme, log }, registry, virtual, computed, config, gate))
  const admission = composeAdmission(config, {
    clock,
    random,
    log,
    metrics,
    registry,
    authorizer,
    guard: authorization.guard,
  })
  const resources = createResources(
    { scheme, registry, admission, authorizer, clock, random, metrics, ownership: createFieldOwnership(scheme) },
    { served, minRequestTimeoutSeconds: config.minRequestTimeoutMs / 1000, gate, virtual, computed },
  )

  // The port.
  const namespaces = createSystemNamespaces({ clock, log, registry, scheme })
  opened.defer(() => namespaces.close())
  const priorities = createSystemPriorityClasses({ registry, scheme })
  opened.defer(() => priorities.close())
  const roles = createBootstrapRoles({ log, registry, scheme })
  opened.defer(() => roles.close())
  const identity = createIdentityLeases({ clock, random, log: log.named('identity'), registry }, config)
  opened.defer(() => identity.close())
  const believed = createClusterAuthentication({ clock, log, registry, certificates }, config.requestHeader)
  opened.defer(() => believed.close())
  const legacyTokens = createLegacyTokenTracking({ clock, log, registry })
  opened.defer(() => legacyTokens.close())
  const debugging = await openDebugging(config, services)
  opened.defer(() => debugging.close())
  const server = createServer(
    {
      log: log.named('server'),
      metrics,
      clock,
      random,
      certificates,
      authenticator,
      authorizer,
      impersonate: createImpersonation({ authorizer }),
      ...(auditor && { audit: createAudit(auditor) }),
      resources,
      routes: [
        ...documentRoutes(scheme, served, config, { clock, gate }, () => port),
        ...(accountTokens?.routes ?? []),
      ],
      listPaths: () => groupPaths(served.list()),
      healthChecks: healthChecks(stores, log, config),
      postStartHooks: [
        namespaces,
        priorities,
        believed,
        legacyTokens,
        ...own.hooks,
        ...(gate('APIServerIdentity') ? identity.hooks : []),
        ...(authorization.usesRbac ? [roles] : []),
      ],
      parseRequestInfo,
      encodeStatus: createStatusEncoder(scheme, { cbor: gate('CBORServingAndStorage') }),
      exposition: (accept, names) => metrics.exposition(metrics.formatFor(accept), names),
      resetMetrics: (names) => metrics.reset(names),
      ...debugging.pages,
    },
    config.server,
  )
  let listens = false
  opened.defer(() => (listens ? server.stop() : server.close()))
  const address = await listen(server.start(), config)
  listens = true
  port = address.port
  listening.resolve(port)
  return {
    url: `https://${hostInUrl(address.host)}:${port}`,
    port,
    started: server.started,
    stop: () => opened.disposeAsync(),
  }
}

function createPodHandlers(registry: Registry, clock: Clock): VirtualHandler[] {
  const pods = registry.resource({ group: '', resource: 'pods' })
  return pods ? [...createBindingHandlers({ pods, clock }), createEvictionHandler({ registry, clock })] : []
}

async function listen(listening: Promise<{ host: string; port: number }>, { server }: ApiserverConfig) {
  try {
    return await listening
  } catch (error) {
    throw new StartError(`can't listen on ${server.host}, port ${server.port}: ${reasonOf(error)}`, { cause: error })
  }
}

/** A wildcard is no address to go to: this machine itself is. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
