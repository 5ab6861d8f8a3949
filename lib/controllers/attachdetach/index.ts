import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type ControllerDefinition, type InformerEvent, keyOf } from '../../controller/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { createMetrics } from './metrics.ts'
import {
  attachmentsByNode,
  attachmentsByVolume,
  claimKeysOf,
  type Listers,
  managedAnnotation,
  podsByNode,
  wantedNodes,
} from './observe.ts'
import { attach, detach, type Parts, writeAttached } from './perform.ts'
import { type attachmentFor, plan, uniqueName, volumesAttached } from './plan.ts'
import { createReports } from './reports.ts'

const { nodes: nodesType } = resources.core.v1
const { volumeattachments } = resources.storage.v1

/** Creates and deletes the attachments by which drivers attach volumes to the nodes of the pods that use them. */
export const attachdetach: ControllerDefinition = {
  name: 'persistentvolume-attach-detach-controller',
  aliases: ['attachdetach'],
  account: 'attachdetach-controller',
  component: 'attachdetach-controller',
  start(context) {
    const listers: Listers = listersOf(context)
    const forced = createMetrics(context.metrics, listers)
    const parts: Parts = { context, listers, forced, reports: createReports(context.events), unwantedSince: new Map() }
    const volumeQueue = context.reconcile({
      name: 'attachdetach_volumes',
      workers: 5,
      turn: async (name, { client }) => await reconcileVolume(parts, client, name),
    })
    const nodeQueue = context.reconcile({
      name: 'attachdetach_nodes',
      workers: 5,
      turn: async (name, { client }) => await reconcileNode(parts, client, name),
    })
    const addVolume = (name = '') => {
      if (name !== '') volumeQueue.add(name)
    }
    const volumesOf = (pod: Frozen<Pod>) => {
      for (const key of claimKeysOf(pod)) addVolume(listers.claims.get(key)?.spec.volumeName)
    }
    follow(context, parts, {
      pod({ object, before, deleted }) {
        if ((object.spec.nodeName ?? '') !== '' && (deleted || !before || isDifferent(before, object)))
          volumesOf(object)
      },
      node({ object, before, deleted }) {
        if (!deleted && before && !isNodeDifferent(before, object)) return
        nodeQueue.add(keyOf(object))
        for (const { spec } of listers.attachments.by(attachmentsByNode, keyOf(object)))
          addVolume(spec.source.persistentVolumeName)
        for (const pod of listers.pods.by(podsByNode, keyOf(object))) volumesOf(pod)
      },
      volume: addVolume,
      attachment({ spec }) {
        nodeQueue.add(spec.nodeName)
        addVolume(spec.source.persistentVolumeName)
      },
    })
  },
}

function listersOf(context: ControllerContext): Listers {
  const { pods, persistentvolumeclaims, persistentvolumes } = resources.core.v1
  return {
    pods: context.informer(pods),
    nodes: context.informer(nodesType),
    claims: context.informer(persistentvolumeclaims),
    volumes: context.informer(persistentvolumes),
    attachments: context.informer(volumeattachments),
    drivers: context.informer(resources.storage.v1.csidrivers),
  }
}

interface Followers {
  pod(change: InformerEvent<Pod>): void
  node(change: InformerEvent<Node>): void
  volume(name: string): void
  attachment(attachment: ReturnType<typeof attachmentFor>): void
}

function follow(context: ControllerContext, { listers, unwantedSince }: Parts, to: Followers): void {
  const { persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1
  context.informer(pods).subscribe((change) => to.pod(change))
  context.informer(nodesType).subscribe((change) => to.node(change))
  context.informer(persistentvolumeclaims).subscribe(({ object }) => to.volume(object.spec.volumeName ?? ''))
  context.informer(persistentvolumes).subscribe(({ object }) => to.volume(keyOf(object)))
  context.informer(volumeattachments).subscribe(({ object, deleted }) => {
    if (deleted) unwantedSince.delete(keyOf(object))
    to.attachment(object)
  })
  context.informer(resources.storage.v1.csidrivers).subscribe(({ object }) => {
    for (const volume of listers.volumes.all())
      if (volume.spec.csi?.driver === object.metadata.name) to.volume(keyOf(volume))
  })
  if (context.settings.disableAttachDetachReconcileSync) return
  context.every(context.settings.attachDetachReconcileSyncPeriod, () => {
    for (const attachment of listers.attachments.all()) to.attachment(attachment)
  })
}

function isDifferent(one: Frozen<Pod>, other: Frozen<Pod>): boolean {
  return (
    one.spec.nodeName !== other.spec.nodeName ||
    one.status.phase !== other.status.phase ||
    other.metadata.deletionTimestamp !== undefined
  )
}

function isNodeDifferent(one: Frozen<Node>, other: Frozen<Node>): boolean {
  const seen = ({ metadata, spec, status }: Frozen<Node>): unknown => [
    metadata.annotations?.[managedAnnotation],
    spec.taints,
    status.volumesInUse,
    status.volumesAttached,
    status.conditions?.find(({ type }) => type === 'Ready')?.status,
  ]
  return !deepEqual(seen(one), seen(other))
}

async function reconcileVolume(
  parts: Parts,
  client: Client,
  name: string,
): Promise<{ againAfterMs?: number | undefined }> {
  const { context, listers, unwantedSince } = parts
  const volume = listers.volumes.get(name)
  if (!volume?.spec.csi) return {}
  const attachments = listers.attachments.by(attachmentsByVolume, name)
  const wanted = wantedNodes(volume, listers)
  const forces = !context.settings.disableForceDetachOnTimeout
  const node = (nodeName: string) => listers.nodes.get(nodeName)
  const nowMs = context.clock.monotonicMs()
  const planned = plan({ volume, wanted, attachments, node, unwantedSince, forces }, nowMs)
  for (const { metadata } of attachments) {
    const attachmentName = metadata.name ?? ''
    if (!planned.unwanted.includes(attachmentName)) unwantedSince.delete(attachmentName)
    else if (!unwantedSince.has(attachmentName)) unwantedSince.set(attachmentName, nowMs)
  }
  for (const { pod, message } of planned.refused) parts.reports.failed(pod, name, message)
  for (const each of attachments) {
    const { attachError } = each.status ?? {}
    if (attachError?.message === undefined) continue
    const message = `AttachVolume.Attach failed for volume "${name}" : ${attachError.message}`
    for (const pod of wanted.get(each.spec.nodeName) ?? []) parts.reports.failed(pod, name, message)
  }
  for (const each of planned.detach) await detach(parts, client, volume, each)
  for (const nodeName of planned.attach) await attach(client, volume, nodeName)
  return { againAfterMs: planned.againAfterMs }
}

async function reconcileNode({ listers, reports }: Parts, client: Client, name: string): Promise<void> {
  const node = listers.nodes.get(name)
  if (!node) return
  const attachments = listers.attachments.by(attachmentsByNode, name)
  const present = attachments.flatMap((attachment) => {
    const volume = listers.volumes.get(attachment.spec.source.persistentVolumeName ?? '')
    if (!volume?.spec.csi) return []
    const pods = wantedNodes(volume, listers).get(name) ?? []
    const attached = attachment.status?.attached === true && attachment.metadata.deletionTimestamp === undefined
    return [{ name: uniqueName(volume), attached, wanted: pods.length > 0, pods, volume }]
  })
  const list = volumesAttached(node, present)
  if (!list) return
  await writeAttached(client, node, list)
  const before = new Set(node.status.volumesAttached?.map((each) => each.name))
  for (const { name: unique, attached, pods, volume } of present)
    if (attached && !before.has(unique)) for (const pod of pods) reports.attached(pod, volume.metadata.name ?? '')
}
