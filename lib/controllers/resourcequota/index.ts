import type { ResourceQuota, ResourceQuotaStatus } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  keyOf,
  namespaceOf,
  type TurnResult,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { createEvaluators, createOverdueWatch, exceeding, isSameAmounts } from '../../quota/index.ts'
import { createCharges } from './charges.ts'
import { countUsage, createUsageMemory } from './observe.ts'
import { perform } from './perform.ts'
import { isCounted, loweredNames, plan } from './plan.ts'
import { createSources, type Source } from './sources.ts'

type Quota = Frozen<ResourceQuota>

/** Usage is counted again so long after a charge: the charged write may have failed. */
const recountMs = 5000
/** Delay by which deletions are counted together. */
const gatherMs = 50

/** Counts the usage of quotas, which admission only increases. */
export const resourcequota: ControllerDefinition = {
  name: 'resourcequota-controller',
  aliases: ['resourcequota'],
  account: 'resourcequota-controller',
  start(context) {
    const { clock, settings } = context
    const quotas = context.informer(resources.core.v1.resourcequotas)
    const overdue = createOverdueWatch(clock)
    const evaluators = createEvaluators({
      isOverdue: overdue.isOverdue,
      podLevelResources: context.gate('PodLevelResources'),
      inPlaceResize: context.gate('InPlacePodVerticalScaling'),
      volumeAttributesClass: context.gate('VolumeAttributesClass'),
    })
    const usageOf = createUsageMemory()
    const sources = createSources(context, { evaluators, overdue, quotas, usageOf }, (quota) =>
      primary.addAfter(keyOf(quota), gatherMs),
    )
    const charges = createCharges(clock, (key) => primary.add(key))
    const sourcesOf = (quota: Quota, names: readonly string[]): Source[] =>
      names.length === 0 ? [] : sources.of(quota).filter(({ evaluator }) => evaluator.matching(names).length > 0)

    /** The status that was, or may have been, written since the quota was last seen, by key. */
    const written = new Map<string, Frozen<ResourceQuotaStatus>>()

    /**
     * Names of resources that may have been charged since the quota was last seen. A charge may be seen together with
     * an earlier, lower count: any change of unknown origin counts as a charge.
     */
    const chargedNames = (quota: Quota, before: Quota): string[] => {
      const used = quota.status?.used ?? {}
      const own = written.get(keyOf(quota))?.used
      written.delete(keyOf(quota))
      if (own !== undefined && isSameAmounts(own, used)) return []
      const risen = new Set([...exceeding(used, before.status?.used ?? {}), ...exceeding(used, own ?? {})])
      return risen.size > 0 ? [...risen] : Object.keys(used)
    }

    const turn = async (key: string, { client }: Pick<ControllerContext, 'client'>): Promise<TurnResult | void> => {
      const quota = quotas.get(key)
      if (!quota) return
      const counted = await countUsage(clock, sources.of(quota), quota, usageOf)
      const status = plan(quota, counted)
      if (!status) return
      const lowered = sourcesOf(quota, loweredNames(quota, status))
      const settlingMs = await charges.settlingMs({
        key,
        namespace: namespaceOf(quota),
        revision: revisionOf(quota),
        sources: lowered,
      })
      if (settlingMs > 0) return { againAfterMs: settlingMs }
      written.set(key, status)
      await perform(client, quota, status)
    }
    const workers = settings.concurrentResourceQuotaSyncs
    const primary = context.reconcile({ name: 'resourcequota_primary', workers, turn })
    const priority = context.reconcile({ name: 'resourcequota_priority', workers, turn })
    const add = (quota: Quota): void => (isCounted(quota) ? primary : priority).add(keyOf(quota))

    quotas.subscribe(({ object, before, deleted }) => {
      const key = keyOf(object)
      if (deleted) {
        charges.forget(key)
        written.delete(key)
        return
      }
      sources.want(object)
      if (before === undefined) return add(object)
      const charged = chargedNames(object, before)
      charges.note(key, revisionOf(object), sourcesOf(object, charged))
      if (!isSameAmounts(object.spec?.hard ?? {}, before.spec?.hard ?? {})) return add(object)
      if (charged.length === 0) return
      primary.addAfter(key, recountMs)
    })
    context.every(settings.resourceQuotaSyncPeriod, () => {
      for (const quota of quotas.all()) add(quota)
    })
  },
}

function revisionOf({ metadata }: Quota): number {
  return Number(metadata.resourceVersion)
}
