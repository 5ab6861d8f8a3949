import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type EventRecorder, isConflict, isNamespaceTerminating } from '../../controller/index.ts'
import type { Release } from '../../features/index.ts'
import { labelSelectorFromObject } from '../../object/index.ts'
import { performClaim } from '../shared/claim.ts'
import { createPodControl } from '../shared/podcontrol.ts'
import { settleConcurrently } from '../shared/settleconcurrently.ts'
import { slowStart } from '../shared/slowstart.ts'
import { cleanHistory, ensureRevision, type RevisionHistory } from './history.ts'
import type { SomeSet } from './nodes.ts'
import type { Seen } from './observe.ts'
import { type Observed, type Plan, plan } from './plan.ts'
import { podFor } from './pod.ts'
import { statusAfter } from './status.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly backoff: PodBackoff
  /** The emulated release, whose text revisions have. */
  readonly release: Release
  now(): number
}

/** The backoff of failed pods, by set and node. */
export interface PodBackoff {
  pauseMs(set: SomeSet, node: string): number
  failed(set: SomeSet, node: string): void
}

export async function perform(seen: Seen, dependencies: Dependencies): Promise<Plan> {
  const { set } = seen
  const { client } = dependencies
  const sets = client.resource(resources.apps.v1.daemonsets)
  await performClaim(set, seen.claim, sets, client.resource(resources.core.v1.pods))
  await performClaim(set, seen.revisions, sets, client.resource(resources.apps.v1.controllerrevisions))
  const history = await ensureRevision(seen, client, dependencies.release)
  const observed: Observed = {
    set,
    pods: seen.claim.owned,
    nodes: seen.nodes,
    hash: history.hash,
    pause: (node) => dependencies.backoff.pauseMs(set, node),
  }
  const step = plan(observed, dependencies.now())
  const failure = await manage(observed, step, dependencies)
  if (!failure) await cleanHistory(seen, history.hash, client)
  await writeStatus(observed, history, dependencies)
  if (failure) throw failure.error
  return step
}

async function manage(
  { set, hash }: Observed,
  step: Plan,
  { client, events, backoff }: Dependencies,
): Promise<{ readonly error: unknown } | undefined> {
  for (const { pod, node } of step.over) {
    const { namespace = '', name = '' } = pod.metadata
    if (pod.status.phase === 'Failed') {
      backoff.failed(set, node)
      const text = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`
      events.event(set, 'Warning', 'FailedDaemonPod', text)
    } else {
      const text = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`
      events.event(set, 'Normal', 'SucceededDaemonPod', text)
    }
  }
  const selector = labelSelectorFromObject(set.spec.selector)
  const control = createPodControl(client.resource(resources.core.v1.pods), events, selector)
  const left = step.create.values()
  const [{ error }, deleted] = await Promise.all([
    slowStart(step.create.length, async () => {
      const { value } = left.next()
      if (value !== undefined) await control.create(set, podFor(set, hash, value))
    }),
    settleConcurrently(step.delete, (pod) => control.delete(set, pod)),
  ])
  if (error !== undefined && !isNamespaceTerminating(error)) return { error }
  const rejected = deleted.find((result) => result.status === 'rejected')
  return rejected && { error: rejected.reason }
}

async function writeStatus(
  observed: Observed,
  { collisions }: RevisionHistory,
  { client, now }: Dependencies,
): Promise<void> {
  const status = statusAfter(observed, collisions, now())
  if (!status) return
  const sets = client.resource(resources.apps.v1.daemonsets)
  const { set } = observed
  try {
    await sets.updateStatus({ ...set, status })
  } catch (error) {
    if (!isConflict(error)) throw error
    const live = await sets.get(set.metadata)
    if (live.metadata.uid === set.metadata.uid) await sets.updateStatus({ ...live, status })
  }
}
