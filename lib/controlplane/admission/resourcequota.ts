import type * as core from '../../../api/gen/core/v1.ts'
import { type AvailablePlugin, createResourceQuota } from '../../admission/index.ts'
import { followCache } from '../../cache/index.ts'
import { type ApiObject, type Frozen, statusErrors } from '../../object/index.ts'
import { type Amounts, createEvaluators, overdueByTimestamp } from '../../quota/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { ownContext } from '../hooks/ownwrites.ts'
import type { AdmissionServices } from './admission.ts'
import { createObjectReader } from './objectreader.ts'

type Quota = Frozen<core.ResourceQuota>

const quotas = { group: '', resource: 'resourcequotas' }

/** Enforces the quotas of namespaces. */
export function resourceQuota(
  { admission, gates }: ApiserverConfig,
  services: Pick<AdmissionServices, 'clock' | 'log' | 'registry' | 'opened'>,
): AvailablePlugin {
  const { clock } = services
  const evaluators = createEvaluators({
    isOverdue: overdueByTimestamp(clock),
    podLevelResources: gates.gate('PodLevelResources'),
    inPlaceResize: gates.gate('InPlacePodVerticalScaling'),
    volumeAttributesClass: gates.gate('VolumeAttributesClass'),
  })
  return {
    name: 'ResourceQuota',
    onByDefault: true,
    create: () =>
      createResourceQuota(
        { clock, evaluators, ...readQuotas(services), write: (quota, used) => writeUsed(services, quota, used) },
        { limitedResources: admission.limitedResources ?? [] },
      ),
  }
}

type Services = Pick<AdmissionServices, 'clock' | 'log' | 'registry' | 'opened'>

/** Quotas by namespace from the cache; until it has loaded, from the store. */
function readQuotas(services: Services) {
  const { registry, opened } = services
  const reader = createObjectReader<Quota>(registry, quotas)
  const live = (namespace: string, signal: AbortSignal): Promise<readonly Quota[]> =>
    reader.list(namespace, 'live', signal)
  const stored = registry.resource(quotas)
  const known = new Map<string, Map<string, Quota>>()
  let isLoaded = stored === undefined
  if (stored) {
    const follower = followCache(services, stored.cache, {
      set(object: ApiObject) {
        const quota = object as Quota
        const { namespace = '', name = '' } = quota.metadata
        let ofNamespace = known.get(namespace)
        if (!ofNamespace) known.set(namespace, (ofNamespace = new Map()))
        ofNamespace.set(name, quota)
      },
      remove(namespace, name) {
        const ofNamespace = known.get(namespace)
        ofNamespace?.delete(name)
        if (ofNamespace?.size === 0) known.delete(namespace)
      },
    })
    void follower.ready.then(() => (isLoaded = true)).catch(() => {})
    opened.defer(() => follower.close())
  }
  return {
    live,
    cached: (namespace: string, signal: AbortSignal): readonly Quota[] | Promise<readonly Quota[]> =>
      isLoaded ? [...(known.get(namespace)?.values() ?? [])] : live(namespace, signal),
  }
}

/** A conditional update: 409 when the quota has changed. */
async function writeUsed({ registry }: Services, quota: Quota, used: Amounts): Promise<Quota> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = quota.metadata
  const stored = registry.resource(quotas)
  if (!stored) throw statusErrors.notFound(quotas, name)
  const transform = (existing: { readonly object: ApiObject } | undefined): ApiObject => {
    if (!existing) throw statusErrors.notFound(quotas, name)
    const next = structuredClone(existing.object) as core.ResourceQuota
    next.metadata.resourceVersion = resourceVersion
    next.status = { ...next.status, used: { ...used } }
    return next
  }
  const target = stored.target(namespace, name)
  const { object } = await stored.update(target, { subresource: 'status', transform, uid }, ownContext())
  return object as Quota
}
