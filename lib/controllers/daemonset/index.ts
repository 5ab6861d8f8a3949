import { LRUCache } from 'lru-cache'
import type { ControllerRevision } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../base/index.ts'
import { type ControllerDefinition, type InformerEvent, keyOf } from '../../controller/index.ts'
import { deepEqual, labelSelectorFromObject } from '../../object/index.ts'
import { ownersOf } from '../shared/ownersof.ts'
import { decide, type SomeNode, type SomeSet } from './nodes.ts'
import { observe } from './observe.ts'
import { type PodBackoff, perform } from './perform.ts'

/** Runs a pod of each DaemonSet on every matching node. */
export const daemonset: ControllerDefinition = {
  name: 'daemonset-controller',
  aliases: ['daemonset'],
  account: 'daemon-set-controller',
  component: 'daemonset-controller',
  start(context) {
    const sets = context.informer(resources.apps.v1.daemonsets)
    const revisions = context.informer(resources.apps.v1.controllerrevisions)
    const pods = context.informer(resources.core.v1.pods)
    const nodes = context.informer(resources.core.v1.nodes)
    const { clock, events, release } = context
    const backoff = createBackoff(clock)
    const queue = context.reconcile({
      name: 'daemonset',
      workers: context.settings.concurrentDaemonsetSyncs,
      async turn(key, { client }) {
        const seen = observe({ sets, pods, nodes, revisions }, key)
        if (!seen) return
        if (selectsAll(seen.set)) {
          const text = 'This daemon set is selecting all pods. A non-empty selector is required.'
          events.event(seen.set, 'Warning', 'SelectingAll', text)
          return
        }
        if (seen.set.metadata.deletionTimestamp !== undefined) return
        const { againAfterMs } = await perform(seen, { client, events, backoff, release, now: () => clock.now() })
        return { againAfterMs }
      },
    })
    sets.subscribe(({ object }) => queue.add(keyOf(object)))
    const owners = {
      kind: 'DaemonSet',
      in: (namespace: string) => sets.in(namespace),
      selectorOf: ({ spec }: SomeSet) => labelSelectorFromObject(spec.selector),
    }
    pods.subscribe((change) => {
      for (const key of ownersOf(change, owners)) queue.add(key)
    })
    revisions.subscribe((change) => {
      // As in the stock controller: a revision that somebody adds waits for the next turn.
      if (isNew(change)) return
      for (const key of ownersOf(change, owners)) queue.add(key)
    })
    nodes.subscribe(({ object, before, deleted }) => {
      for (const set of sets.all()) if (deleted || !before || matters(set, before, object)) queue.add(keyOf(set))
    })
  },
}

function isNew({ object, before, deleted }: InformerEvent<ControllerRevision>): boolean {
  return !before && !deleted && object.metadata.deletionTimestamp === undefined
}

/** False for changes that don't concern a DaemonSet, such as heartbeats. */
function matters(set: SomeSet, before: SomeNode, after: SomeNode): boolean {
  if (deepEqual(before.metadata.labels, after.metadata.labels) && deepEqual(before.spec.taints, after.spec.taints))
    return false
  return !deepEqual(decide(set, before), decide(set, after)) || set.status.numberMisscheduled > 0
}

function selectsAll({ spec }: SomeSet): boolean {
  return spec.selector !== undefined && labelSelectorFromObject(spec.selector).empty
}

const firstPauseMs = 1000
const pauseMsMax = 15 * 60_000
const backoffsMax = 10_000

function createBackoff(clock: Clock): PodBackoff {
  const known = new LRUCache<string, { pauseMs: number; sinceMs: number }>({
    // With `max`, it would allocate all its entries at the start.
    maxSize: backoffsMax,
    sizeCalculation: () => 1,
  })
  const keyFor = ({ metadata, status }: SomeSet, node: string): string =>
    `${metadata.uid ?? ''}/${status.observedGeneration ?? 0}/${node}`
  return {
    pauseMs(set, node) {
      const entry = known.get(keyFor(set, node))
      return entry ? Math.max(0, entry.sinceMs + entry.pauseMs - clock.monotonicMs()) : 0
    },
    failed(set, node) {
      const key = keyFor(set, node)
      const entry = known.get(key)
      const sinceMs = clock.monotonicMs()
      const isOld = entry !== undefined && sinceMs - entry.sinceMs > 2 * pauseMsMax
      const pauseMs = entry && !isOld ? Math.min(pauseMsMax, entry.pauseMs * 2) : firstPauseMs
      known.set(key, { pauseMs, sinceMs })
    },
  }
}
