import type { ResourceQuota } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Closable } from '../../base/index.ts'
import {
  type ControllerContext,
  type DiscoveredResource,
  discover,
  type Informer,
  type InformerEvent,
  namespaceOf,
} from '../../controller/index.ts'
import type { ApiObject, Frozen, GroupResource, ResourceType } from '../../object/index.ts'
import {
  type Evaluator,
  type Evaluators,
  isSameAmounts,
  matchesScopes,
  type OverdueWatch,
  scopesOf,
} from '../../quota/index.ts'
import type { UsageOf } from './observe.ts'

const refreshMs = 30_000
/** Delays of discovery after a change of a CustomResourceDefinition, and after a quota with an unknown resource. */
const settleMs = 300
const wantedMs = 10

type Quota = Frozen<ResourceQuota>
type Counted = Frozen<Pick<ApiObject, 'metadata'>>

/** The objects of one resource that quotas count. */
export interface Source {
  readonly evaluator: Evaluator
  objects(namespace: string): Iterable<Counted>
  /** Calls `then` as soon as it shows that revision or a later one. */
  onceReached(revision: number, then: () => void): void
  /** True where it shows the server's objects of that namespace. Rejects where they can't be listed. */
  isCurrent(namespace: string): Promise<boolean>
}

interface Sources {
  /** Starts to watch the resources that the quota counts. */
  want(quota: Quota): void
  /** The synced sources of the quota. */
  of(quota: Quota): readonly Source[]
}

interface SourceDependencies {
  readonly evaluators: Evaluators
  readonly overdue: OverdueWatch
  readonly quotas: Informer<ResourceQuota>
  readonly usageOf: UsageOf
}

interface Followed extends Source {
  readonly informer: Pick<Informer<never>, 'synced' | 'type'>
  readonly subscription: Closable
}

/**
 * Watches the resources that quotas count. `replenish` is called for quotas whose usage may have decreased, or that
 * can count more resources.
 */
export function createSources(
  context: ControllerContext,
  { evaluators, overdue, quotas, usageOf }: SourceDependencies,
  replenish: (quota: Quota) => void,
): Sources {
  const followed = new Map<string, Followed>()
  /** Resources that are no longer served: they have no objects. */
  const gone = new Map<string, Source>()
  /** Resources that quotas count and that are not served as far as is known. */
  const unserved = new Map<string, Evaluator>()
  let served = coreResources()
  let planned: Closable | undefined

  function refreshAfter(delayMs: number): void {
    planned ??= context.clock.after(delayMs, () => {
      planned = undefined
      void refresh(context.signal).catch((error: unknown) => context.log.warn('discovery failed', { error }))
    })
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    if (unserved.size === 0 && followed.size === 0) return
    const found = await discover(context.client, signal)
    if (found.resources.length === 0) return
    served = new Map(found.resources.map((type) => [nameOf(type), type]))
    for (const [name, { evaluator, informer, subscription }] of followed) {
      const type = served.get(name)
      if (type ? type.version === informer.type.version : found.failed.size > 0) continue
      void subscription.close()
      if (!hasOwnRules(evaluator)) context.dropMetadataInformer(informer.type)
      followed.delete(name)
      unserved.set(name, evaluator)
      gone.set(name, {
        evaluator,
        objects: () => [],
        onceReached: (_revision, then) => then(),
        isCurrent: async () => true,
      })
      replenishAll(evaluator)
    }
    for (const [name, evaluator] of unserved) follow(name, evaluator)
  }

  function follow(name: string, evaluator: Evaluator): void {
    const type = served.get(name)
    if (!type || !type.namespaced || !['list', 'watch'].every((verb) => type.verbs.includes(verb))) {
      unserved.set(name, evaluator)
      return
    }
    unserved.delete(name)
    gone.delete(name)
    const informer = informerOf(type, evaluator)
    const subscription = informer.subscribe((change) => changed(evaluator, change))
    const source: Followed = {
      evaluator,
      informer,
      subscription,
      objects: (namespace) => informer.in(namespace),
      onceReached: (revision, then) => informer.onceReached(revision, then),
      isCurrent: (namespace) => isCurrent(type, namespace, () => informer.in(namespace)),
    }
    followed.set(name, source)
    void informer.whenSynced().then(() => {
      if (followed.get(name) !== source) return
      for (const quota of quotas.all())
        if (evaluatorsOf(quota).some((each) => isSame(each, evaluator))) replenish(quota)
    })
  }

  async function isCurrent(
    type: DiscoveredResource,
    namespace: string,
    shown: () => Iterable<Counted>,
  ): Promise<boolean> {
    const { items } = await context.client.metadata(type).listAll({ namespace, signal: context.signal })
    const left = new Map(items.map(({ metadata: { uid, resourceVersion } }) => [uid, resourceVersion]))
    for (const { metadata } of shown())
      if (left.get(metadata.uid) !== metadata.resourceVersion || !left.delete(metadata.uid)) return false
    return left.size === 0
  }

  function replenishAll(evaluator: Evaluator): void {
    for (const quota of quotas.all()) if (evaluatorsOf(quota).some((each) => isSame(each, evaluator))) replenish(quota)
  }

  /** Where objects are only counted, their metadata is enough. */
  function informerOf(type: DiscoveredResource, evaluator: Evaluator): Informer<Pick<ApiObject, 'metadata'>> {
    return hasOwnRules(evaluator) ? context.informer(type) : context.metadataInformer(type)
  }

  function changed(
    evaluator: Evaluator,
    { object, before, deleted }: InformerEvent<Pick<ApiObject, 'metadata'>>,
  ): void {
    if (deleted) overdue.forget(object.metadata.uid ?? '')
    else if (before === undefined) return
    for (const quota of quotas.in(namespaceOf(object))) {
      if (evaluator.matching(Object.keys(quota.spec?.hard ?? {})).length === 0) continue
      if (deleted || (before !== undefined && countsOtherwise(evaluator, quota, before, object))) replenish(quota)
    }
  }

  function countsOtherwise(evaluator: Evaluator, quota: Quota, before: Counted, after: Counted): boolean {
    if (!hasOwnRules(evaluator)) return before.metadata.uid !== after.metadata.uid
    const scopes = scopesOf(quota.spec)
    if (matchesScopes(evaluator, scopes, before) !== matchesScopes(evaluator, scopes, after)) return true
    return !isSameAmounts(usageOf(evaluator, before), usageOf(evaluator, after))
  }

  function evaluatorsOf({ spec }: Quota): Evaluator[] {
    const hard = Object.keys(spec?.hard ?? {})
    const own = evaluators.own.filter((evaluator) => evaluator.matching(hard).length > 0)
    const counts = hard.flatMap((name) => {
      const resource = countedResource(name)
      const evaluator = resource && evaluators.of(resource)
      return evaluator && !evaluators.own.includes(evaluator) ? [evaluator] : []
    })
    return [...own, ...counts]
  }

  function want(quota: Quota): void {
    for (const evaluator of evaluatorsOf(quota)) {
      const name = nameOf(evaluator.resource)
      if (followed.has(name) || unserved.has(name)) continue
      follow(name, evaluator)
      if (unserved.has(name)) refreshAfter(wantedMs)
    }
  }

  const definitions = context.metadataInformer(resources.apiextensions.v1.customresourcedefinitions)
  const core = coreResources()
  const subscription = definitions.subscribe(() => {
    const mayCome = unserved.size > 0
    if (mayCome || Array.from(followed.keys()).some((name) => !core.has(name))) refreshAfter(settleMs)
  })
  context.own({
    close() {
      void planned?.close()
      void subscription.close()
      for (const each of followed.values()) void each.subscription.close()
    },
  })
  context.every(refreshMs, refresh, { atOnce: true })

  return {
    want,
    of: (quota) =>
      evaluatorsOf(quota).flatMap(({ resource }) => {
        const source = followed.get(nameOf(resource))
        if (source) return source.informer.synced ? [source] : []
        return gone.get(nameOf(resource)) ?? []
      }),
  }
}

/** Every server serves these: their quotas need no discovery. */
function coreResources(): Map<string, DiscoveredResource> {
  const { v1 } = resources.core
  const types: ResourceType<ApiObject>[] = [
    v1.pods,
    v1.services,
    v1.persistentvolumeclaims,
    v1.configmaps,
    v1.secrets,
    v1.replicationcontrollers,
    v1.resourcequotas,
  ]
  return new Map(types.map((type) => [nameOf(type), { ...type, verbs: ['list', 'watch'] }]))
}

function isSame({ resource: left }: Evaluator, { resource: right }: Evaluator): boolean {
  return nameOf(left) === nameOf(right)
}

/** The usage depends on the content of the object. */
function hasOwnRules({ resource: { group, resource } }: Evaluator): boolean {
  return (
    (group === '' && ['pods', 'services', 'persistentvolumeclaims'].includes(resource)) ||
    (group === 'resource.k8s.io' && resource === 'resourceclaims')
  )
}

/** `count/deployments.apps`. */
function countedResource(name: string): GroupResource | undefined {
  const match = /^count\/([^.]+)(?:\.(.+))?$/.exec(name)
  return match ? { group: match[2] ?? '', resource: match[1] ?? '' } : undefined
}

function nameOf({ group, resource }: GroupResource): string {
  return `${resource}.${group}`
}
