import type { Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Client } from '../client/index.ts'
import { isNotFound, type SeriesRecorder } from '../controller/index.ts'
import { deepEqual, type Frozen, formatTime } from '../object/index.ts'
import type { PodInfo } from './podinfo.ts'
import type { Preemption } from './preempt.ts'
import { type ClaimPlan, selectedNodeAnnotation } from './volumes.ts'

interface Dependencies {
  readonly client: Client
  readonly events: SeriesRecorder
  now(): number
}

/** Gives a pod to a node. */
export async function bind({ metadata }: Frozen<Pod>, node: string, { client }: Dependencies): Promise<void> {
  const { namespace, name, uid } = metadata
  await client
    .resource(resources.core.v1.pods)
    .subresource('binding')
    .create(metadata, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { namespace, name, uid },
      target: { kind: 'Node', name: node },
    } as never)
}

/** Asks for the volumes of a pod's claims on a node; the binder and provisioners do the rest. */
export async function askForVolumes(
  { bind: binds, provision }: ClaimPlan,
  node: string,
  { client }: Dependencies,
): Promise<void> {
  for (const { claim, volume } of binds) {
    const { namespace, name, uid, resourceVersion } = claim.metadata
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion }
    await client.resource(resources.core.v1.persistentvolumes).patch(volume.metadata, 'merge', {
      metadata: { resourceVersion: volume.metadata.resourceVersion },
      spec: { claimRef },
    })
  }
  for (const claim of provision)
    await client
      .resource(resources.core.v1.persistentvolumeclaims)
      .patch(claim.metadata, 'merge', { metadata: { annotations: { [selectedNodeAnnotation]: node } } })
}

/** Reports to the user why the pod waits. */
export async function reportUnschedulable(
  { pod }: PodInfo,
  message: string,
  nominatedNodeName: string | undefined,
  { client, events, now }: Dependencies,
): Promise<void> {
  events.record(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: message })
  const known = pod.status.conditions?.find(({ type }) => type === 'PodScheduled')
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
  const isSame = deepEqual(
    { ...known, lastTransitionTime: '', lastProbeTime: '', observedGeneration: 0 },
    { ...condition, lastTransitionTime: '', lastProbeTime: '', observedGeneration: 0 },
  )
  if (isSame && (nominatedNodeName === undefined || nominatedNodeName === pod.status.nominatedNodeName)) return
  const lastTransitionTime = known?.status === 'False' ? known.lastTransitionTime : formatTime(now())
  const status = {
    conditions: [{ ...condition, lastTransitionTime, observedGeneration: pod.metadata.generation }],
    ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
  }
  await client
    .resource(resources.core.v1.pods)
    .patchStatus(pod.metadata, 'strategic', { metadata: { uid: pod.metadata.uid }, status })
}

/** Ends the victims for the sake of a pod. */
export async function endVictims(
  preemptor: PodInfo,
  { node, victims }: Preemption,
  schedulerName: string,
  { client, events, now }: Dependencies,
): Promise<void> {
  const pods = client.resource(resources.core.v1.pods)
  await Promise.all(
    victims.map(async ({ pod }) => {
      if (pod.metadata.deletionTimestamp !== undefined) return
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: `${schedulerName}: preempting to accommodate a higher priority pod`,
        lastTransitionTime: formatTime(now()),
        observedGeneration: pod.metadata.generation,
      }
      const { uid } = pod.metadata
      try {
        await pods.patchStatus(pod.metadata, 'strategic', { metadata: { uid }, status: { conditions: [condition] } })
        await pods.delete(pod.metadata, { uid })
      } catch (error) {
        if (!isNotFound(error)) throw error
        return
      }
      const { pod: related } = preemptor
      const note = `Preempted by pod ${related.metadata.uid ?? ''} on node ${node}`
      events.record(pod, { type: 'Normal', reason: 'Preempted', action: 'Preempting', note, related })
    }),
  )
}
