import type * as core from '../../../api/gen/core/v1.ts'
import {
  type AdmissionPlugin,
  type AvailablePlugin,
  createAlwaysAdmit,
  createAlwaysDeny,
  createAlwaysPullImages,
  createDenyServiceExternalIps,
  createEventRateLimit,
  createExtendedResourceToleration,
  createImagePolicyWebhook,
  createLimitPodHardAntiAffinityTopology,
  createNamespaceAutoProvision,
  createNamespaceExists,
  createOwnerReferencesPermissionEnforcement,
  createPodNodeSelector,
  createPodTolerationRestriction,
  type OwnerQuestion,
} from '../../admission/index.ts'
import type { Authorizer } from '../../authz/index.ts'
import { createEndpointClient } from '../../client/index.ts'
import { type ApiObject, parseGroupVersion } from '../../object/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { createMissing, ownContext } from '../hooks/ownwrites.ts'
import { StartError } from '../process/failure.ts'
import type { AdmissionServices } from './admission.ts'
import { createObjectReader } from './objectreader.ts'

/** Plugins that are off by default. */
export function optionalPlugins(
  { admission }: ApiserverConfig,
  services: Pick<AdmissionServices, 'clock' | 'random' | 'registry' | 'opened' | 'scheme' | 'authorizer' | 'served'>,
): AvailablePlugin[] {
  const { clock, registry, authorizer, served } = services
  const namespaces = createObjectReader<ApiObject>(registry, { group: '', resource: 'namespaces' })
  const typed = createObjectReader<core.Namespace>(registry, { group: '', resource: 'namespaces' })
  const ofNamespaces = { namespace: (name: string, signal: AbortSignal) => typed.find('', name, signal) }
  const plugins = [
    () => createEventRateLimit({ clock }, admission.eventLimits ?? []),
    () => createPodNodeSelector(ofNamespaces, admission.podNodeSelector ?? { clusterDefault: {}, allowed: new Map() }),
    () => createPodTolerationRestriction(ofNamespaces, admission.podTolerations ?? { defaults: [], allowed: [] }),
    createAlwaysAdmit,
    createAlwaysDeny,
    createAlwaysPullImages,
    createDenyServiceExternalIps,
    createExtendedResourceToleration,
    createLimitPodHardAntiAffinityTopology,
    () => createNamespaceExists({ find: (name, signal) => namespaces.find('', name, signal) }),
    () =>
      createNamespaceAutoProvision({
        find: (name, signal) => namespaces.find('', name, signal),
        async create(name, { signal }) {
          const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
          await createMissing(services, { group: '', resource: 'namespaces' }, namespace, ownContext(signal))
        },
      }),
    () =>
      createOwnerReferencesPermissionEnforcement({
        isAllowed: (question, signal) => isAllowed(authorizer, question, signal),
        resourcesOf: (apiVersion, kind) => resourcesOf(served, apiVersion, kind),
      }),
  ]
  const available = plugins.map((create) => ({ name: create().name, onByDefault: false, create }))
  return [
    ...available,
    { name: 'ImagePolicyWebhook', onByDefault: false, create: () => imagePolicy(admission, services) },
  ]
}

function imagePolicy(
  { imagePolicy: settings }: ApiserverConfig['admission'],
  { clock, random, opened }: Pick<AdmissionServices, 'clock' | 'random' | 'opened'>,
): AdmissionPlugin {
  if (!settings)
    throw new StartError(
      '--enable-admission-plugins: ImagePolicyWebhook needs a configuration in --admission-control-config-file',
    )
  const client = createEndpointClient({ clock }, settings.endpoint)
  opened.defer(() => client.close())
  return createImagePolicyWebhook({ clock, random, client }, settings)
}

async function isAllowed(
  authorizer: Authorizer,
  question: OwnerQuestion,
  signal: AbortSignal,
): Promise<{ allowed: boolean; reason: string }> {
  const { decision, reason } = await authorizer.authorize({ ...question, isResource: true, path: '' }, { signal })
  return { allowed: decision === 'allow', reason }
}

function resourcesOf(served: ServedGroups, apiVersion: string, kind: string) {
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {}
  const found = served.group(group)?.versions.find((each) => each.version === version)
  return (found?.resources ?? [])
    .filter(({ table }) => table.kind === kind && table.storageVersion !== undefined)
    .map(({ plural, table }) => ({ group, version, resource: plural, namespaced: table.namespaced }))
}
