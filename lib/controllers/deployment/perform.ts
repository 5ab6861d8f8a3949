import type { ReplicaSet } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  controllerOf,
  type EventRecorder,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
  keyOf,
} from '../../controller/index.ts'
import { type Claim, performClaim } from '../shared/claim.ts'
import { messageOf } from '../shared/messageof.ts'
import { type FirstStatuses, isWithoutStatus } from './firststatuses.ts'
import type { Plan } from './plan.ts'
import type { Rollback } from './rollback.ts'
import { isSameTemplate, type SetChange, type SomeDeployment, type SomeSet, wanted } from './sets.ts'
import { statusAfter } from './status.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  /** Whether the status has a number of pods that are being deleted. */
  readonly reportsTerminating: boolean
  readonly first: FirstStatuses
  now(): number
}

const { deployments, replicasets } = resources.apps.v1

/** Returns the milliseconds until a deferred status is due; undefined: none is deferred. */
export async function perform(
  deployment: SomeDeployment,
  claim: Claim<ReplicaSet>,
  plan: Plan,
  dependencies: Dependencies,
): Promise<number | undefined> {
  const sets = dependencies.client.resource(replicasets)
  await performClaim(deployment, claim, dependencies.client.resource(deployments), sets)
  if (plan.rollback) {
    await rollBack(plan.rollback, dependencies)
    return undefined
  }
  let step = plan
  if (plan.create) step = { ...plan, newSet: await create(deployment, plan, plan.create, dependencies) }
  for (const change of plan.change) await resize(deployment, change, dependencies)
  for (const { metadata } of plan.remove) {
    try {
      await sets.delete(metadata, { uid: metadata.uid })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  return await writeStatus(deployment, step, dependencies)
}

async function rollBack({ deployment, event }: Rollback, { client, events }: Dependencies): Promise<void> {
  await client.resource(deployments).update(deployment)
  events.event(deployment, event.type, event.reason, event.message)
}

async function create(
  deployment: SomeDeployment,
  plan: Plan,
  set: SomeSet,
  dependencies: Dependencies,
): Promise<SomeSet> {
  const sets = dependencies.client.resource(replicasets)
  const name = set.metadata.name ?? ''
  try {
    const made = await sets.create(set)
    if (wanted(made) > 0)
      dependencies.events.event(
        deployment,
        'Normal',
        'ScalingReplicaSet',
        `Scaled up replica set ${name} from 0 to ${wanted(made)}`,
      )
    return made
  } catch (error) {
    if (isNamespaceTerminating(error)) throw error
    if (isAlreadyExists(error)) {
      const found = await sets.get(set.metadata)
      const isOwn = controllerOf(found)?.uid === deployment.metadata.uid
      if (isOwn && isSameTemplate(found.spec.template, set.spec.template)) return found
      const collisionCount = (deployment.status.collisionCount ?? 0) + 1
      await dependencies.client
        .resource(deployments)
        .updateStatus({ ...deployment, status: { ...deployment.status, collisionCount } })
      throw error
    }
    const message = `Failed to create new replica set "${name}": ${messageOf(error)}`
    const failure = { reason: 'ReplicaSetCreateError', message }
    dependencies.events.event(deployment, 'Warning', failure.reason, message)
    const after = statusAfter(
      deployment,
      { ...plan, create: undefined, newSet: undefined },
      dependencies.now(),
      dependencies.reportsTerminating,
      failure,
    )
    if (after) await dependencies.client.resource(deployments).updateStatus(after)
    throw error
  }
}

async function resize(
  deployment: SomeDeployment,
  { set, from, to }: SetChange,
  { client, events }: Dependencies,
): Promise<void> {
  await client.resource(replicasets).update(set)
  if (from === to) return
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${set.metadata.name ?? ''} from ${from} to ${to}`
  events.event(deployment, 'Normal', 'ScalingReplicaSet', message)
}

/**
 * Writes the status, and the annotation of the revision with it. That of a new deployment is deferred. Returns the
 * milliseconds until it is due.
 */
async function writeStatus(
  deployment: SomeDeployment,
  plan: Plan,
  { client, now, reportsTerminating, first }: Dependencies,
): Promise<number | undefined> {
  const key = keyOf(deployment)
  const nowMs = now()
  const after = statusAfter(deployment, plan, nowMs, reportsTerminating)
  if (plan.create && after && isWithoutStatus(deployment)) return first.defer(key, after, nowMs)
  const waitMs = first.waitMs(key, plan.newSet, nowMs)
  if (!after && waitMs !== 0) return waitMs
  await client.resource(deployments).updateStatus(after ?? deployment)
  first.forget(key)
  return undefined
}
