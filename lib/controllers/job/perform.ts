import { resources } from '../../../api/gen/resources.ts'
import type { Client, ResourceClient } from '../../client/index.ts'
import { type EventRecorder, isNamespaceTerminating, isNotFound } from '../../controller/index.ts'
import { type ApiObject, type Frozen, labelSelectorFromObject, StatusError } from '../../object/index.ts'
import { createPodControl } from '../shared/podcontrol.ts'
import { settleConcurrently } from '../shared/settleconcurrently.ts'
import { slowStart } from '../shared/slowstart.ts'
import type { Status } from './conditions.ts'
import type { JobMetrics } from './metrics.ts'
import { type Plan, sameStatus } from './plan.ts'
import { podOf, type SomeJob, type SomePod, trackingFinalizer } from './pod.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly metrics: JobMetrics
}

/**
 * Deletes and creates pods, writes the status, and only then releases the pods that it counts. True: some were
 * released, which the informer does not show yet.
 */
export async function perform(job: SomeJob, plan: Plan, { client, events, metrics }: Dependencies): Promise<boolean> {
  const selector = labelSelectorFromObject(job.spec.selector)
  const control = createPodControl(client.resource(resources.core.v1.pods), events, selector)
  await allOf(plan.drop, async (pod) => {
    // A pod that has ended meanwhile would never be counted.
    await release(pod, client, pod.metadata.resourceVersion)
    await control.delete(job, pod)
  })
  await allOf(plan.kill, (pod) => control.delete(job, pod))
  const left = plan.create.values()
  const { succeeded, failed, error } = await slowStart(plan.create.length, async () => {
    const { value } = left.next()
    if (value) await control.create(job, podOf(job, value.index, value.failures))
  })
  const status = await writeStatus(job, plan, plan.create.length - succeeded, client)
  metrics.performed(job, plan, { created: succeeded, notCreated: failed, status })
  for (const { type, reason, message } of plan.events) events.event(job, type, reason, message)
  let released = 0
  await allOf(plan.release, async (pod) => {
    if (await release(pod, client)) released++
  })
  if (error !== undefined && !isNamespaceTerminating(error)) throw error
  return released > 0
}

async function writeStatus(
  job: SomeJob,
  { status }: Plan,
  missing: number,
  client: Client,
): Promise<Status | undefined> {
  if (!status) return undefined
  const active = Math.max(0, (status.active ?? 0) - missing)
  const next = { ...status, active }
  if (sameStatus(job.status, next)) return undefined
  await client.resource(resources.batch.v1.jobs).updateStatus({ ...job, status: next })
  return status
}

/**
 * Removes the finalizer that keeps a pod until it is counted; with a version, only if the pod has not changed. False:
 * the pod does not exist.
 */
export async function release({ metadata }: SomePod, client: Client, resourceVersion?: string): Promise<boolean> {
  const pods = client.resource(resources.core.v1.pods)
  const patch = {
    metadata: { uid: metadata.uid, resourceVersion, '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] },
  }
  try {
    await pods.patch(metadata, 'strategic', patch)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    const isRefused = error instanceof StatusError && (error.code === 409 || error.code === 422)
    // Refused because another pod has the name by now, or else the finalizer is still there.
    if (!isRefused || (await isLive(pods, metadata))) throw error
    return false
  }
}

/** The server has an object of that name and uid. */
export async function isLive<T extends ApiObject>(
  all: ResourceClient<T>,
  { namespace, name, uid }: Frozen<ApiObject['metadata']>,
): Promise<boolean> {
  try {
    const live = await all.get({ namespace, name })
    return live.metadata.uid === uid
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

async function allOf(pods: readonly SomePod[], work: (pod: SomePod) => Promise<void>): Promise<void> {
  const results = await settleConcurrently(pods, work)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
