import type * as core from '../../../api/gen/core/v1.ts'
import type * as networking from '../../../api/gen/networking.k8s.io/v1.ts'
import type * as node from '../../../api/gen/node.k8s.io/v1.ts'
import type * as scheduling from '../../../api/gen/scheduling.k8s.io/v1.ts'
import type * as storage from '../../../api/gen/storage.k8s.io/v1.ts'
import {
  type AdmissionPlugin,
  type AvailablePlugin,
  createCertificateApproval,
  createCertificateSigning,
  createCertificateSubjectRestriction,
  createClusterTrustBundleAttest,
  createDefaultIngressClass,
  createDefaultStorageClass,
  createDefaultTolerationSeconds,
  createLimitRanger,
  createNamespaceLifecycle,
  createPersistentVolumeClaimResize,
  createPodSecurity,
  createPodTopologyLabels,
  createPriority,
  createRuntimeClass,
  createServiceAccountAdmission,
  createStorageObjectInUseProtection,
  createTaintNodesByCondition,
  type SignerQuestions,
} from '../../admission/index.ts'
import type { Authorizer } from '../../authz/index.ts'
import type { Clock, Metrics, Random } from '../../base/index.ts'
import { defaultEmulation } from '../../features/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { readSigningRequest } from '../../pki/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { createObjectReader, type ObjectReader } from './objectreader.ts'

interface BuiltInServices {
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly registry: Registry
  readonly authorizer: Authorizer
}

/** Plugins that are on by default. */
export function builtInPlugins(config: ApiserverConfig, services: BuiltInServices): AvailablePlugin[] {
  const plugins = [
    ...namespacePlugins(config, services),
    ...podPlugins(config, services),
    ...classPlugins(services),
    ...signerPlugins(config, services),
    createTaintNodesByCondition,
    createStorageObjectInUseProtection,
  ]
  return plugins.map((create) => ({ name: create().name, onByDefault: true, create }))
}

type Create = () => AdmissionPlugin

/** Plugins that depend on the namespace of a write. */
function namespacePlugins(
  { admission, emulation }: ApiserverConfig,
  { clock, metrics, registry }: BuiltInServices,
): Create[] {
  const namespaces = createObjectReader<ApiObject>(registry, { group: '', resource: 'namespaces' })
  const typed = createObjectReader<core.Namespace>(registry, { group: '', resource: 'namespaces' })
  const pods = createObjectReader<core.Pod>(registry, { group: '', resource: 'pods' })
  return [
    () =>
      createNamespaceLifecycle({
        clock,
        cached: (name) => namespaces.cached('', name),
        live: (name, signal) => namespaces.live('', name, signal),
      }),
    () =>
      createPodSecurity(
        {
          clock,
          metrics,
          cached: (name) => typed.cached('', name),
          live: (name, signal) => typed.live('', name, signal),
          pods: (namespace, signal) => pods.list(namespace, 'cached', signal),
        },
        { ...admission.podSecurity, newestMinor: (emulation ?? defaultEmulation).release.minor },
      ),
  ]
}

/** Plugins that complete and limit pods. */
function podPlugins({ admission, gates }: ApiserverConfig, { clock, random, registry }: BuiltInServices): Create[] {
  const accounts = createObjectReader<core.ServiceAccount>(registry, { group: '', resource: 'serviceaccounts' })
  const ranges = createObjectReader<core.LimitRange>(registry, { group: '', resource: 'limitranges' })
  const nodes = createObjectReader<core.Node>(registry, { group: '', resource: 'nodes' })
  const priorities = clusterClasses<scheduling.PriorityClass>(registry, 'scheduling.k8s.io', 'priorityclasses')
  return [
    () =>
      createLimitRanger(
        {
          clock,
          cached: ranges.cachedList,
          live: (namespace, signal) => ranges.list(namespace, 'live', signal),
        },
        { podLevelResources: gates.gate('PodLevelResources') },
      ),
    () => createServiceAccountAdmission({ clock, random, cached: accounts.cached, live: accounts.live }),
    () => createPriority(priorities),
    ...(gates.gate('PodTopologyLabelsAdmission')
      ? [() => createPodTopologyLabels({ node: (name, signal) => nodes.find('', name, signal) })]
      : []),
    () => createDefaultTolerationSeconds(admission.tolerationSeconds),
    () => createRuntimeClass(clusterClasses<node.RuntimeClass>(registry, 'node.k8s.io', 'runtimeclasses')),
  ]
}

/** Classes of storage and of ingresses. */
function classPlugins({ registry }: BuiltInServices): Create[] {
  const ofStorage = clusterClasses<storage.StorageClass>(registry, 'storage.k8s.io', 'storageclasses')
  const ofIngresses = clusterClasses<networking.IngressClass>(registry, 'networking.k8s.io', 'ingressclasses')
  return [
    () => createDefaultStorageClass(ofStorage),
    () => createPersistentVolumeClaimResize(ofStorage),
    () => createDefaultIngressClass(ofIngresses),
  ]
}

interface ClusterClasses<Kind> {
  find(name: string, signal: AbortSignal): Promise<Kind | undefined>
  all(signal: AbortSignal): Promise<readonly Kind[]>
}

function clusterClasses<Kind>(registry: Registry, group: string, resource: string): ClusterClasses<Kind> {
  const reader: ObjectReader<Kind> = createObjectReader<Kind>(registry, { group, resource })
  return {
    find: (name, signal) => reader.find('', name, signal),
    all: (signal) => reader.list('', 'cached', signal),
  }
}

/** Plugins that check who may approve, sign and attest certificates. */
function signerPlugins({ gates }: ApiserverConfig, { authorizer }: BuiltInServices): Create[] {
  const questions: SignerQuestions = {
    async isAllowed({ user, signal }, verb, signer) {
      const signers = {
        group: 'certificates.k8s.io',
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
      }
      const question = { user, verb, isResource: true, path: '', ...signers, name: signer }
      return (await authorizer.authorize(question, { signal })).decision === 'allow'
    },
  }
  const organizationsOf = (request: string): readonly string[] =>
    readSigningRequest(Buffer.from(request, 'base64').toString('latin1')).organizations
  return [
    () => createCertificateApproval(questions),
    () => createCertificateSigning(questions),
    ...(gates.gate('ClusterTrustBundle') ? [() => createClusterTrustBundleAttest(questions)] : []),
    () => createCertificateSubjectRestriction({ organizationsOf }),
  ]
}
