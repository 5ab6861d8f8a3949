import type { Aggregation } from '../../aggregation/index.ts'
import type { Fairness } from '../../fairness/index.ts'
import type { Access } from '../access/access.ts'
import { countIssuedCertificates } from '../api/issuedcertificates.ts'
import { composeServices } from '../api/serviceaddresses.ts'
import type { ApiserverConfig } from '../config.ts'
import { advertisedTo, createPeerEndpoints } from '../peers/peers.ts'
import type { ServerServices } from '../serverservices.ts'
import type { Storage } from '../storage/storage.ts'
import { createRoleAggregation } from './aggregateroles.ts'
import { createApiServiceRegistration } from './apiservices.ts'
import { createBootstrapRoles } from './bootstraproles.ts'
import { createClusterAuthentication } from './clusterauthentication.ts'
import type { Hook } from './hook.ts'
import { createIdentityLeases } from './identityleases.ts'
import { createLegacyTokenTracking } from './legacytokentracking.ts'
import { createFairnessHooks } from './priorityandfairness.ts'
import { createSystemPriorityClasses } from './priorityclasses.ts'
import { createSystemNamespaces } from './systemnamespaces.ts'

/** The post-start hooks: the server's own work after it listens. */
interface Hooks {
  /** In the order of their health checks. */
  readonly checked: readonly Hook[]
  /** Without a health check, as the stock server has no such work. */
  readonly unchecked: readonly Hook[]
}

/** All hooks. `opened` closes them in the opposite order. */
export function composeHooks(
  config: ApiserverConfig,
  services: ServerServices,
  storage: Storage,
  { certificates, authorization }: Access,
  fairness: Fairness | undefined,
  aggregation: Aggregation | undefined,
  port: Promise<number>,
  opened: AsyncDisposableStack,
): Hooks {
  const { scheme, registry, gate, stores } = storage
  const parts = { ...services, registry, scheme }
  const log = services.log.named('services')
  const addresses = composeServices(config.services, config.storagePrefix, {
    ...parts,
    log,
    store: stores.main.store,
    gate,
    port,
  })
  opened.defer(() => addresses.close())
  countIssuedCertificates(registry, services.metrics)
  const unchecked = [config.authorization.aggregatesRoles ? createRoleAggregation(parts) : undefined].filter(
    (hook) => hook !== undefined,
  )
  const identity = { ...parts, log: services.log.named('identity') }
  const advertised = config.peers && advertisedTo(config.peers, port)
  const own = [
    createSystemNamespaces(parts),
    createSystemPriorityClasses(parts),
    ...(config.peers ? [createPeerEndpoints({ ...identity, port }, storage, config, config.peers)] : []),
    createClusterAuthentication({ ...parts, certificates }, config.requestHeader),
    createLegacyTokenTracking(parts),
    ...createFairnessHooks({ ...parts, fairness }),
    ...(aggregation ? [createApiServiceRegistration(parts, aggregation)] : []),
  ]
  const more = [
    ...(gate('APIServerIdentity')
      ? createIdentityLeases(identity, { hostName: config.hostName, advertised, runId: config.runId })
      : []),
    ...(authorization.usesRbac ? [createBootstrapRoles({ ...parts, gate })] : []),
  ]
  for (const hook of [...unchecked, ...own, ...more]) opened.defer(() => hook.close())
  return { checked: [...own, ...addresses.hooks, ...more], unchecked }
}
