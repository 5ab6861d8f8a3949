import { LRUCache } from 'lru-cache'
import type { GraphKind, NodeGraph, NodeReach } from '../../authz/index.ts'
import type { Clock } from '../../base/index.ts'
import type { Follower, FollowListener } from '../../cache/index.ts'

interface NodeReachDependencies {
  readonly clock: Clock
  readonly graph: NodeGraph
  /** Passes the pods of a node to the listener. */
  followPodsOf(node: string, listener: FollowListener): Follower
}

/** Nodes whose pods are followed. Beyond, those of the node that asked longest ago are read again when it asks. */
const nodesMax = 10_000
/** The first question of a node waits no longer for its pods. */
const waitMsMax = 10_000

/** No pod leads to them. */
const withoutPods: ReadonlySet<GraphKind> = new Set(['attachment', 'resourceslice', 'podcertificaterequest'])

/**
 * Follows the pods of each node from its first question on, rather than all pods of the cluster from the start on: few
 * nodes ask one replica, and a start need not read every pod. Questions wait until the node's pods are known.
 */
export function createNodeReach(
  { clock, graph, followPodsOf }: NodeReachDependencies,
  options: { readonly nodesMax?: number; readonly waitMsMax?: number } = {},
): NodeReach & { close(): void } {
  const followed = new LRUCache<string, { readonly follower: Follower; isReady: boolean }>({
    max: options.nodesMax ?? nodesMax,
    dispose({ follower }, node) {
      follower.close()
      graph.forgetPodsOf(node)
    },
  })

  function podsOf(node: string): { readonly follower: Follower; readonly isReady: boolean } {
    const known = followed.get(node)
    if (known) return known
    const begun = { follower: followPodsOf(node, graph.podsOf(node)), isReady: false }
    followed.set(node, begun)
    begun.follower.ready.then(() => (begun.isReady = true)).catch(() => {}) // Those who wait report it.
    return begun
  }

  async function wait(node: string, { ready }: Follower): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = clock.after(options.waitMsMax ?? waitMsMax, () => late.reject(new Error('the time is over')))
    try {
      await Promise.race([ready, late.promise])
    } catch (error) {
      throw new Error(`the pods of node ${node} are not known yet`, { cause: error })
    } finally {
      void timer.close()
    }
  }

  return {
    reaches(node, kind, namespace, name) {
      if (withoutPods.has(kind)) return graph.reaches(node, kind, namespace, name)
      const { follower, isReady } = podsOf(node)
      if (isReady) return graph.reaches(node, kind, namespace, name)
      return wait(node, follower).then(() => graph.reaches(node, kind, namespace, name))
    },
    close: () => followed.clear(),
  }
}
