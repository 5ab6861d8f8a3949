import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerDefinition,
  controllerOf,
  type Index,
  keyOf,
  splitKey,
  type TurnResult,
} from '../../controller/index.ts'
import { type Frozen, labelSelectorFromObject } from '../../object/index.ts'
import { candidates, claim, performClaim } from '../shared/claim.ts'
import { ownersOf } from '../shared/ownersof.ts'
import { createFailureRuns } from './failureruns.ts'
import { createJobMetrics } from './metrics.ts'
import { isLive, perform, release } from './perform.ts'
import { isFinished, type Plan, plan } from './plan.ts'
import { isTracked, type SomeJob, trackingFinalizer } from './pod.ts'

const ownName = 'kubernetes.io/job-controller'
/** Delay by which changes of pods are handled together. */
const batchMs = 1000

/** Prefix of the keys of pods without a job. */
const lostPrefix = 'pod:'
/** Delay in which a job may adopt such a pod. */
const lostMs = 2 * batchMs

function isLost(pod: Frozen<Pod>): boolean {
  return controllerOf(pod) === undefined && isTracked(pod)
}

/** Tracked pods by the key of their job, whether it exists or not. */
const byJob: Index<Pod> = {
  values(pod) {
    const owner = controllerOf(pod)
    return owner?.kind === 'Job' && isTracked(pod) ? [`${pod.metadata.namespace ?? ''}/${owner.name}`] : []
  },
}

/** Runs pods until enough of them have succeeded. */
export const job: ControllerDefinition = {
  name: 'job-controller',
  aliases: ['job'],
  account: 'job-controller',
  start(context) {
    const jobs = context.informer(resources.batch.v1.jobs)
    const pods = context.informer(resources.core.v1.pods)
    const { clock, events } = context
    const metrics = createJobMetrics(context.metrics)
    const runs = createFailureRuns(clock)
    const queue = context.reconcile({
      name: 'job',
      workers: context.settings.concurrentJobSyncs,
      firstMs: 1000,
      maxMs: 60_000,
      async turn(key, { client }) {
        if (key.startsWith(lostPrefix)) return await releaseLost(key.slice(lostPrefix.length), client)
        await releaseOrphans(key, client)
        const found = jobs.get(key)
        if (!found || isForeign(found) || isFinished(found)) return
        return await measured(found, client)
      },
    })

    /**
     * Releases the tracked pods of a job that is finished or does not exist. The informer may not show a job yet: it
     * is read.
     */
    async function releaseOrphans(key: string, client: Client): Promise<void> {
      const found = jobs.get(key)
      const all = client.resource(resources.batch.v1.jobs)
      for (const pod of pods.by(byJob, key)) {
        const uid = controllerOf(pod)?.uid
        const isOwn = found !== undefined && uid === found.metadata.uid
        const isOver = isOwn ? isFinished(found) : !(await isLive(all, { ...splitKey(key), uid }))
        if (isOver) await release(pod, client)
      }
    }

    /** Releases a pod that lost its job while tracked; fails if another job has adopted it meanwhile. */
    async function releaseLost(key: string, client: Client): Promise<void> {
      const pod = pods.get(key)
      if (pod && isLost(pod)) await release(pod, client, pod.metadata.resourceVersion)
    }

    async function measured(found: SomeJob, client: Client): Promise<TurnResult> {
      const startMs = clock.monotonicMs()
      let planned: Plan | undefined
      const over = (failed: boolean): void =>
        metrics.synced(found, planned, (clock.monotonicMs() - startMs) / 1000, failed)
      try {
        const result = await sync(found, client, (step) => (planned = step))
        over(false)
        return result
      } catch (error) {
        over(true)
        throw error
      }
    }

    async function sync(found: SomeJob, client: Client, isPlanned: (step: Plan) => void): Promise<TurnResult> {
      const mode = found.spec.completionMode
      if (mode !== undefined && mode !== 'Indexed' && mode !== 'NonIndexed') {
        events.event(found, 'Warning', 'UnknownCompletionMode', 'Skipped Job sync because completion mode is unknown')
        return {}
      }
      const claimed = claim<Pod>(found, labelSelectorFromObject(found.spec.selector), candidates<Pod>(pods, found))
      const all = client.resource(resources.core.v1.pods)
      await performClaim(found, claimed, client.resource(resources.batch.v1.jobs), all, trackingFinalizer)
      const uid = found.metadata.uid ?? ''
      const { endedMs } = runs
      const step = plan({ job: found, pods: claimed.owned, failures: runs.get(uid), endedMs }, clock.now())
      isPlanned(step)
      const isReleasing = await perform(found, step, { client, events, metrics })
      runs.set(uid, step.failures)
      // Pods whose finalizer was removed are counted as soon as the informer shows that.
      return { againAfterMs: isReleasing ? 1 : step.againAfterMs }
    }

    jobs.subscribe(({ object, before, deleted }) => {
      if (!before && !deleted && isForeign(object)) metrics.foreign(object.spec.managedBy ?? '')
      const isNew = !before || deleted || before.metadata.generation !== object.metadata.generation
      if (isNew || before.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) queue.add(keyOf(object))
      else queue.addAfter(keyOf(object), batchMs)
    })
    const owners = {
      kind: 'Job',
      in: (namespace: string) => jobs.in(namespace),
      selectorOf: ({ spec }: SomeJob) => labelSelectorFromObject(spec.selector),
    }
    pods.subscribe((change) => {
      metrics.podChanged(change)
      const keys = ownersOf(change, owners)
      for (const key of keys) queue.addAfter(key, batchMs)
      const isTaken = controllerOf(change.object) !== undefined || change.deleted
      if (!isTaken && isLost(change.object)) queue.addAfter(`${lostPrefix}${keyOf(change.object)}`, lostMs)
    })
  },
}

function isForeign({ spec }: SomeJob): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== ownName
}
