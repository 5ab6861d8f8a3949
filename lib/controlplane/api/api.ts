import type { Aggregation } from '../../aggregation/index.ts'
import { createFieldOwnership } from '../../apply/index.ts'
import type { Clock } from '../../base/index.ts'
import { createCustomResources } from '../../crd/index.ts'
import {
  createAccessReviewHandlers,
  createBindingHandlers,
  createEvictionHandler,
  createResources,
  createRulesReviewHandler,
  createSelfSubjectReviewHandler,
  createTokenReviewHandler,
  type VirtualHandler,
} from '../../endpoints/index.ts'
import { compareReleases, defaultEmulation } from '../../features/index.ts'
import type { Peers } from '../../peers/index.ts'
import type { Registry } from '../../registry/index.ts'
import { createServedGroups, type ServedGroups } from '../../schema/index.ts'
import type { ResourceHandler } from '../../server/index.ts'
import type { Access } from '../access/access.ts'
import { guardDeviceClaims } from '../access/deviceclaims.ts'
import { guardPodCertificates } from '../access/podcertificates.ts'
import { guardPolicyParams } from '../access/policyparams.ts'
import { composeAdmission } from '../admission/admission.ts'
import { apiSettingsOf } from '../apisettings.ts'
import type { ApiserverConfig } from '../config.ts'
import { ownContext } from '../hooks/ownwrites.ts'
import { createLargeWork } from '../largework/largework.ts'
import { openPeers } from '../peers/peers.ts'
import type { ServerServices } from '../serverservices.ts'
import type { Storage } from '../storage/storage.ts'
import { openAggregation, openProxyClient, userHeadersOf } from './aggregation.ts'
import { composeComponentStatuses } from './componentstatuses.ts'
import { openNodeProxy } from './nodeproxy.ts'
import { servedGroups } from './servedgroups.ts'
import { createServiceResolver } from './serviceresolver.ts'

/** The API for clients. */
export interface Api {
  /** Changes while the server runs. */
  readonly served: ServedGroups
  readonly resources: ResourceHandler
  /** Undefined when APIServices are not served. */
  readonly aggregation: Aggregation | undefined
  /** Undefined when no requests are forwarded to other replicas. */
  readonly peers: Peers | undefined
  /** Definitions of custom resources are loaded, and served. */
  readonly customResources: Promise<void>
}

const deviceAdminSince = { major: 1, minor: 34 }

/**
 * Registers everything that it opens with `opened`. Throws StartError when the configuration relies on a missing part.
 */
export async function composeApi(
  config: ApiserverConfig,
  services: ServerServices,
  storage: Storage,
  access: Access,
  opened: AsyncDisposableStack,
): Promise<Api> {
  const { clock, random, log, metrics, egress } = services
  const { scheme, kinds, registry, gate, stores } = storage
  const { authorizer, guard } = access.authorization
  const nodeProxy = await openNodeProxy(config, services, storage, authorizer, opened)
  const virtual = [...virtualHandlers(config, services, registry, access), ...nodeProxy.handlers]
  const components = composeComponentStatuses(config, { clock, scheme, kinds, store: stores.main.store })
  opened.defer(() => components.close())
  const computed = [components.resource]
  const served = createServedGroups(servedGroups({ scheme, log }, registry, virtual, computed, config, gate))
  guardPolicyParams({ authorizer, registry, served })
  guardPodCertificates(registry, authorizer)
  const { release } = config.emulation ?? defaultEmulation
  guardDeviceClaims(registry, authorizer, {
    // Earlier releases have another label, and access for administration only as an alpha feature.
    adminAccess: compareReleases(release, deviceAdminSince) >= 0,
    statusParts: gate('DRAResourceClaimGranularStatusAuthorization'),
  })
  const resolve = createServiceResolver(registry, {
    random,
    toEndpoints: config.aggregation?.routesToEndpoints ?? false,
  })
  const admission = await composeAdmission(config, {
    clock,
    random,
    log,
    metrics,
    tracer: services.tracer,
    webhookFailure: services.webhookFailure,
    registry,
    resolve,
    egress,
    authorizer,
    guard,
    scheme,
    kinds,
    served,
    opened,
  })
  const largeWork = createLargeWork(apiSettingsOf(config), {
    clock,
    metrics,
    admission,
    authorizer,
    registry,
    resolve,
    egress,
    storeOf: (resource) => (stores.elsewhere(resource) ?? stores.main).store,
    processes: config.processes,
  })
  opened.defer(() => largeWork.close())
  const resources = createResources(
    {
      scheme,
      registry,
      admission,
      authorizer,
      clock,
      random,
      metrics,
      tracer: services.tracer,
      ownership: createFieldOwnership(scheme.objects),
      largeWork,
    },
    {
      served,
      minRequestTimeoutSeconds: config.minRequestTimeoutMs / 1000,
      release,
      gate,
      virtual,
      computed,
      missing: (info) => custom.missing(info),
    },
  )
  const credentials = await openProxyClient(config, services, opened)
  const aggregation = openAggregation(config, services, storage, served, { credentials, resolve }, opened)
  const isUserHeader = userHeadersOf(config.requestHeader)
  const peers = openPeers(config, services, storage, { served, credentials, isUserHeader }, opened)
  const custom = createCustomResources({
    clock,
    random,
    log: log.named('crd'),
    metrics,
    scheme,
    registry,
    resolve,
    egress,
    resources,
    context: ownContext,
    gate,
  })
  opened.defer(() => custom.close())
  // Custom resources and other servers from before the restart are served from the first request on.
  await Promise.all([custom.ready, aggregation?.ready])
  return {
    served,
    resources: withRemote(resources, aggregation, peers),
    aggregation,
    peers,
    customResources: custom.ready,
  }
}

/** Aggregated servers answer for their group versions, even if this server knows them; other replicas come last. */
function withRemote(
  own: ResourceHandler,
  aggregation: Aggregation | undefined,
  peers: Peers | undefined,
): ResourceHandler {
  if (!aggregation && !peers) return own
  return { ...own, handle: (call) => aggregation?.handle(call) ?? peers?.handle(call) ?? own.handle(call) }
}

/** Kinds and subresources that are not stored. */
function virtualHandlers(
  { apiAudiences, gates }: ApiserverConfig,
  { clock }: ServerServices,
  registry: Registry,
  { accountTokens, authenticator, authorization: { authorizer, resolver } }: Access,
): VirtualHandler[] {
  return [
    ...(accountTokens?.virtual ?? []),
    ...createAccessReviewHandlers({ authorizer }),
    createRulesReviewHandler({ resolver }),
    ...podHandlers(registry, clock, (name) => gates.gate(name)),
    createSelfSubjectReviewHandler({ clock }),
    createSelfSubjectReviewHandler({ clock }, 'v1beta1'),
    createTokenReviewHandler({ reviewToken: authenticator.reviewToken, audiences: apiAudiences }),
  ]
}

function podHandlers(registry: Registry, clock: Clock, gate: (name: string) => boolean): VirtualHandler[] {
  const pods = registry.resource({ group: '', resource: 'pods' })
  return pods ? [...createBindingHandlers({ pods, clock, gate }), createEvictionHandler({ registry, clock, gate })] : []
}
