import type { Pod } from '../../../../api/gen/core/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import type { Client, ResourceClient } from '../../../client/index.ts'
import { type EventRecorder, isConflict, isNamespaceTerminating } from '../../../controller/index.ts'
import type { ApiObject, Frozen } from '../../../object/index.ts'
import { performClaim } from '../claim.ts'
import { messageOf } from '../messageof.ts'
import { createPodControl, podFromTemplate } from '../podcontrol.ts'
import { settleConcurrently } from '../settleconcurrently.ts'
import { slowStart } from '../slowstart.ts'
import type { Observed } from './observe.ts'
import { type Failure, isSettled, type Plan, statusAfter } from './plan.ts'

interface Dependencies {
  readonly client: Client
  readonly owners: ResourceClient<ApiObject>
  readonly events: EventRecorder
  now(): number
}

/** A deferred status is written after this time even if the informers never show the pods that were created. */
const deferralMs = 1000

/**
 * Rejects with the failure of a pod's creation or deletion, once the status shows it. Returns the milliseconds until the
 * next turn, unless a change causes one before.
 */
export async function perform(seen: Observed, plan: Plan, dependencies: Dependencies): Promise<number | undefined> {
  const pods = dependencies.client.resource(resources.core.v1.pods)
  await performClaim(seen.object, seen.claim, dependencies.owners, pods)
  const { created, failed } = await manage(seen, plan, pods, dependencies)
  if (created > 0 && !failed && isSettled(seen, dependencies.now()))
    return Math.min(deferralMs, plan.againAfterMs ?? deferralMs)
  const failure = failed && { reason: failed.reason, message: messageOf(failed.error) }
  await writeStatus(seen, failure, dependencies)
  if (failed) throw failed.error
  return plan.againAfterMs
}

interface Managed {
  /** Number of pods created. */
  readonly created: number
  readonly failed?: { readonly reason: Failure['reason']; readonly error: unknown } | undefined
}

async function manage(
  { object, template, selector }: Observed,
  plan: Plan,
  pods: ResourceClient<Pod>,
  { events }: Dependencies,
): Promise<Managed> {
  const control = createPodControl(pods, events, selector)
  if (plan.create > 0) {
    const pod = podFromTemplate(object, template)
    const { error, succeeded: created } = await slowStart(
      plan.create,
      async () => void (await control.create(object, pod)),
    )
    // Nothing can be created in a terminating namespace, which is no failure.
    if (error === undefined || isNamespaceTerminating(error)) return { created }
    return { created, failed: { reason: 'FailedCreate', error } }
  }
  const results = await settleConcurrently(plan.delete, (pod) => control.delete(object, pod))
  const failure = results.find((result) => result.status === 'rejected')
  return { created: 0, failed: failure && { reason: 'FailedDelete', error: failure.reason } }
}

async function writeStatus(seen: Observed, failure: Failure | undefined, { owners, now }: Dependencies): Promise<void> {
  const status = statusAfter(seen, failure, now())
  if (!status) return
  try {
    await owners.updateStatus({ ...seen.object, status })
  } catch (error) {
    if (!isConflict(error)) throw error
    // This controller is the only writer of the status.
    const { namespace, name } = seen.object.metadata
    const live: Frozen<ApiObject> = await owners.get({ namespace, name })
    if (live.metadata.uid === seen.object.metadata.uid) await owners.updateStatus({ ...live, status })
  }
}
