import type { Deployment, ReplicaSet } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  byController,
  type ControllerDefinition,
  controllerOf,
  isNamespaceTerminating,
  joinKey,
  keyOf,
  namespaceOf,
  type TurnResult,
} from '../../controller/index.ts'
import { type Frozen, labelSelectorFromObject } from '../../object/index.ts'
import { candidates, claim } from '../shared/claim.ts'
import { selects } from '../shared/ownersof.ts'
import { createFirstStatuses } from './firststatuses.ts'
import { perform } from './perform.ts'
import { plan } from './plan.ts'
import type { SomeDeployment, SomeSet } from './sets.ts'
import { deadlineMs, hasDeadline } from './status.ts'

/** Rolls out the template of each Deployment by ReplicaSets. */
export const deployment: ControllerDefinition = {
  name: 'deployment-controller',
  aliases: ['deployment'],
  account: 'deployment-controller',
  start(context) {
    const { deployments, replicasets } = resources.apps.v1
    const owners = context.informer(deployments)
    const sets = context.informer(replicasets)
    const pods = context.informer(resources.core.v1.pods)
    const reportsTerminating = context.gate('DeploymentReplicaSetTerminatingReplicas')
    const first = createFirstStatuses()
    const queue = context.reconcile({
      name: 'deployment',
      workers: context.settings.concurrentDeploymentSyncs,
      retriesMax: 15,
      async turn(key, { client }) {
        const shown = owners.get(key)
        if (!shown) return first.forget(key)
        const found = first.applied(key, shown)
        const claimed = claim<ReplicaSet>(found, selectorOf(found), candidates<ReplicaSet>(sets, found))
        const step = plan({
          deployment: found,
          sets: claimed.owned,
          pods: ({ metadata }: SomeSet) => pods.by(byController, metadata.uid ?? ''),
        })
        const { events, clock } = context
        const dependencies = { client, events, reportsTerminating, first, now: () => clock.now() }
        try {
          const againAfterMs = await perform(found, claimed, step, dependencies)
          if (againAfterMs !== undefined) return { againAfterMs }
        } catch (error) {
          if (!isNamespaceTerminating(error)) throw error
        }
        return nextTurn(found, clock.now())
      },
    })
    owners.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    sets.subscribe(({ object, before, deleted }) => {
      for (const set of [object, before]) {
        const owner = set && controllerOf(set)
        if (owner?.kind === 'Deployment') queue.add(joinKey(namespaceOf(object), owner.name))
      }
      if (deleted || controllerOf(object)) return
      for (const owner of owners.in(namespaceOf(object)))
        if (selects(() => selectorOf(owner), object)) queue.add(keyOf(owner))
    })
    pods.subscribe(({ object, deleted }) => {
      if (!deleted) return
      const owner = ownerOfPodsSet(object)
      if (owner?.spec.strategy.type === 'Recreate') queue.add(keyOf(owner))
    })

    /** With the strategy Recreate, the new set's pods wait for the last old one. */
    function ownerOfPodsSet(pod: Parameters<typeof controllerOf>[0]): Frozen<Deployment> | undefined {
      const set = controllerOf(pod)
      const namespace = pod.metadata.namespace ?? ''
      const owner = set?.kind === 'ReplicaSet' ? sets.get(joinKey(namespace, set.name)) : undefined
      const reference = owner && controllerOf(owner)
      return reference && owners.get(joinKey(namespace, reference.name))
    }
  },
}

function selectorOf({ spec }: SomeDeployment): ReturnType<typeof labelSelectorFromObject> {
  return labelSelectorFromObject(spec.selector)
}

/** A rollout that makes no progress gets a turn when its deadline has passed. */
function nextTurn(deployment: SomeDeployment, nowMs: number): TurnResult {
  if (!hasDeadline(deployment) || deployment.spec.paused) return {}
  const known = deployment.status.conditions?.find(({ type }) => type === 'Progressing')
  const dueMs = deadlineMs(deployment, known)
  return { againAfterMs: dueMs === undefined ? undefined : Math.max(1000, dueMs - nowMs + 1000) }
}
