import {
  type Admission,
  type AdmissionPlugin,
  type AvailablePlugin,
  createAdmission,
  createReinvocation,
  type Reinvocation,
  selectPlugins,
} from '../../admission/index.ts'
import type { Authorizer } from '../../authz/index.ts'
import type { Clock, Logger, Metrics, Random, Tracer } from '../../base/index.ts'
import type { ResolveService } from '../../client/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { KindSet } from '../../kinds/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { StartError } from '../process/failure.ts'
import { builtInPlugins } from './builtinplugins.ts'
import { openFromFiles } from './fromfiles.ts'
import { nodeRestriction } from './noderestriction.ts'
import { optionalPlugins } from './optionalplugins.ts'
import { policyPlugins } from './policyplugins.ts'
import { createRequestServices } from './requestservices.ts'
import { resourceQuota } from './resourcequota.ts'
import { webhookPlugins } from './webhookplugins.ts'

/** The stock server's plugins in their order, including those that are not available here yet. */
export const knownAdmissionPlugins: readonly string[] = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
  'PodTopologyLabels',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
]

/** On by default in the stock server: naming one that is missing here requests nothing new. */
const onWithoutAsking = new Set(['ClusterTrustBundleAttest', 'PodTopologyLabels', 'ResourceQuota'])

export interface AdmissionServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
  readonly webhookFailure?: ((webhook: string) => Error | undefined) | undefined
  readonly registry: Registry
  readonly resolve: ResolveService
  readonly egress: Egress
  readonly authorizer: Authorizer
  readonly guard: AdmissionPlugin
  readonly scheme: Scheme
  readonly kinds: KindSet
  readonly served: ServedGroups
  /** Everything that the plugins open is registered here. */
  readonly opened: AsyncDisposableStack
}

/**
 * The chain that writes pass before they are validated and stored. `guard` is always part of it. Rejects with
 * StartError when the configuration relies on a missing plugin, or on unusable files: writes that would be refused must
 * not pass.
 */
export async function composeAdmission(config: ApiserverConfig, services: AdmissionServices): Promise<Admission> {
  const { clock, log, metrics, guard } = services
  const { admission } = config
  const reinvocation = createReinvocation()
  const available = await availablePlugins(config, services, reinvocation)
  const names = new Set(available.map(({ name }) => name))
  const missing = admission.enable.filter((name) => !names.has(name))
  const reliedOn = missing.find((name) => !onWithoutAsking.has(name))
  if (reliedOn !== undefined)
    throw new StartError(`--enable-admission-plugins: ${reliedOn} is not available yet, and nothing else does its work`)
  if (missing.length > 0) log.warn('admission plugins are not available yet', { plugins: missing })
  const plugins = selectPlugins(available, {
    enable: admission.enable.filter((name) => names.has(name)),
    disable: admission.disable.filter((name) => names.has(name)),
  })
  return createAdmission([...plugins, guard], { clock, metrics, reinvocation })
}

async function availablePlugins(
  config: ApiserverConfig,
  services: AdmissionServices,
  reinvocation: Reinvocation,
): Promise<AvailablePlugin[]> {
  const requestServices = createRequestServices(services)
  const fromFiles = await openFromFiles(config, { ...services, ...requestServices })
  const extended = { ...services, ...requestServices, fromFiles, reinvocation }
  const plugins = [
    ...builtInPlugins(config, services),
    ...optionalPlugins(config, services),
    nodeRestriction(config, services),
    resourceQuota(config, services),
    ...webhookPlugins(config, extended),
    ...policyPlugins(config, extended),
  ]
  const orderOf = ({ name }: AvailablePlugin): number => knownAdmissionPlugins.indexOf(name)
  return plugins.sort((a, b) => orderOf(a) - orderOf(b))
}
