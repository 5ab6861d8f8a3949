import type { Closable } from '../../base/index.ts'
import type { PartialObject } from '../../client/index.ts'
import { type ControllerContext, type DiscoveredResource, discover, type Informer } from '../../controller/index.ts'
import type { ResourceType } from '../../object/index.ts'
import type { Graph } from './graph.ts'
import type { KindMap } from './observe.ts'

const refreshMs = 30_000
const syncMsMax = 30_000
const settleMs = 300
/** Until the first discovery succeeds nothing can be collected: it is retried soon. */
const firstRetryMs = 1000
const incompleteRoundsMax = 5

interface Monitor {
  readonly type: DiscoveredResource
  readonly informer: Informer<PartialObject>
  readonly subscription: Closable
}

export interface FollowedResources {
  /** The watched resources. */
  types(): readonly ResourceType[]
  /** False: the resources of some group have never been read. A group that fails repeatedly is left out. */
  readonly complete: boolean
}

/**
 * Watches every resource that can be deleted, listed and watched. Discovery is read every half minute, and soon after
 * a CustomResourceDefinition or an APIService changes. `ready` is called once the informers of the first discovery
 * are synced, or half a minute has passed.
 */
export function followResources(
  context: ControllerContext,
  graph: Graph,
  kinds: KindMap,
  ready: () => void,
): FollowedResources {
  const monitors = new Map<string, Monitor>()
  const failures = context.metrics.counter({
    name: 'garbagecollector_controller_resources_sync_error_total',
    help: 'Failed attempts to read the resources to be watched.',
    stability: 'ALPHA',
  })
  let isReady = false
  let planned: Closable | undefined
  let refreshing = false
  let retryMs = firstRetryMs
  let incompleteRounds = 0

  function noteMissing(failed: ReadonlyMap<string, Error>): void {
    const known = new Set(Array.from(monitors.values(), ({ type }) => groupVersionOf(type)))
    const isMissing = [...failed.keys()].some((groupVersion) => !known.has(groupVersion))
    incompleteRounds = isMissing ? incompleteRounds + 1 : 0
    if (!isMissing) retryMs = firstRetryMs
  }

  function isComplete(): boolean {
    return incompleteRounds === 0 || incompleteRounds > incompleteRoundsMax
  }

  function refreshSoon(): void {
    if (isReady) refreshAfter(settleMs)
  }

  function refreshAfter(delayMs: number): void {
    planned ??= context.clock.after(delayMs, () => {
      planned = undefined
      if (refreshing) return refreshAfter(delayMs)
      void refresh(context.signal).catch((error: unknown) => {
        failures.add([])
        context.log.warn('discovery failed', { error })
      })
    })
  }

  function follow(type: DiscoveredResource): Monitor {
    const informer = context.metadataInformer(type)
    const definesResources =
      (type.group === 'apiextensions.k8s.io' && type.resource === 'customresourcedefinitions') ||
      (type.group === 'apiregistration.k8s.io' && type.resource === 'apiservices')
    const subscription = informer.subscribe(({ object, deleted, before }) => {
      if (before !== undefined && (deleted || before.metadata.uid !== object.metadata.uid))
        graph.remove(before.metadata.uid ?? '')
      if (!deleted) graph.put(object, type)
      if (definesResources) refreshSoon()
    })
    return { type, informer, subscription }
  }

  function drop(name: string, { type, subscription }: Monitor): void {
    void subscription.close()
    context.dropMetadataInformer(type)
    monitors.delete(name)
    for (const node of Array.from(graph.all())) if (node.seen?.type === type) graph.remove(node.identity.uid)
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    if (refreshing) return
    refreshing = true
    try {
      const { resources, failed } = await discover(context.client, signal)
      if (resources.length === 0) return
      kinds.renew(resources)
      const wanted = new Map(resources.filter(isCollectable).map((type) => [nameOf(type), type]))
      for (const [name, monitor] of monitors)
        if (!wanted.has(name) && !failed.has(groupVersionOf(monitor.type))) drop(name, monitor)
      const added: Monitor[] = []
      for (const [name, type] of wanted)
        if (!monitors.has(name)) {
          const monitor = follow(type)
          monitors.set(name, monitor)
          added.push(monitor)
        }
      noteMissing(failed)
      if (!isReady) await synced(added)
    } finally {
      refreshing = false
      if (!(isReady && isComplete()) && !context.signal.aborted) {
        refreshAfter(retryMs)
        retryMs = Math.min(2 * retryMs, refreshMs)
      }
    }
  }

  async function synced(added: readonly Monitor[]): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = context.clock.after(syncMsMax, () => late.resolve())
    await Promise.race([Promise.all(added.map(({ informer }) => informer.whenSynced())), late.promise])
    void timer.close()
    if (context.signal.aborted) return
    isReady = true
    ready()
  }

  context.own({
    close() {
      void planned?.close()
      for (const { subscription } of monitors.values()) void subscription.close()
    },
  })
  context.every(refreshMs, refresh, { atOnce: true })
  return {
    types: () => Array.from(monitors.values(), ({ type }) => type),
    get complete() {
      return isComplete()
    },
  }
}

function isCollectable({ group, resource, verbs }: DiscoveredResource): boolean {
  if (resource === 'events' && (group === '' || group === 'events.k8s.io')) return false
  return ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb))
}

function groupVersionOf({ group, version }: DiscoveredResource): string {
  return group === '' ? version : `${group}/${version}`
}

function nameOf(type: DiscoveredResource): string {
  return `${groupVersionOf(type)}/${type.resource}`
}
