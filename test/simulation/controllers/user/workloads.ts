import { keyOf } from '../../../../lib/controller/index.ts'
import type { ApiObject, Frozen, OwnerReference, ResourceType } from '../../../../lib/object/index.ts'
import { fate, quietly } from '../nodes.ts'
import * as objects from '../objects.ts'
import type { Hand } from './hand.ts'
import {
  configmaps,
  controllers,
  cronjobs,
  daemonsets,
  deployments,
  jobs,
  pods,
  replicasets,
  statefulsets,
} from './kinds.ts'

export async function deploy(hand: Hand): Promise<boolean> {
  const strategy = hand.pick([
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: '50%' } },
    { type: 'Recreate' },
  ])
  const name = hand.name('d')
  return await hand.create(
    deployments,
    objects.deployment(hand.namespace(), name, hand.random.below(5), hand.template(), { strategy }),
  )
}

export async function rollOut(hand: Hand): Promise<boolean> {
  return await changeImage(hand, deployments)
}

export async function changeImage(hand: Hand, type: ResourceType<ApiObject>): Promise<boolean> {
  const { image, annotations = {} } = hand.template()
  const never = annotations[fate.neverReady] ?? null
  return await hand.change(type, {
    spec: {
      template: {
        metadata: { annotations: { [fate.neverReady]: never } },
        spec: { containers: [{ name: 'c', image }] },
      },
    },
  })
}

export async function pause(hand: Hand): Promise<boolean> {
  return await hand.change(deployments, { spec: { paused: hand.random.below(2) === 0 } })
}

export async function replicate(hand: Hand): Promise<boolean> {
  const of = [hand.namespace(), hand.name('r'), hand.random.below(5), { image: 'one' }] as const
  if (hand.random.below(2) === 0) return await hand.create(replicasets, objects.replicaset(...of))
  return await hand.create(controllers, objects.replicationcontroller(of[0], `${of[1]}c`, of[2], of[3]))
}

export async function scale(hand: Hand, type: ResourceType<ApiObject>): Promise<boolean> {
  return await hand.change(type, { spec: { replicas: hand.random.below(5) } })
}

export async function makeSet(hand: Hand): Promise<boolean> {
  const claims = { volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: objects.claimSpec() }] }
  const kept = hand.pick(['Retain', 'Delete'])
  const spec = {
    podManagementPolicy: hand.pick(['OrderedReady', 'Parallel']),
    ...(hand.random.below(3) === 0 ? claims : {}),
    persistentVolumeClaimRetentionPolicy: { whenDeleted: kept, whenScaled: hand.pick(['Retain', 'Delete']) },
  }
  const name = hand.name('s')
  return await hand.create(
    statefulsets,
    objects.statefulset(hand.namespace(), name, hand.random.below(4), hand.template(), spec),
  )
}

export async function rollOutSet(hand: Hand): Promise<boolean> {
  return await changeImage(hand, statefulsets)
}

export async function movePartition(hand: Hand): Promise<boolean> {
  const partition = hand.random.below(4)
  return await hand.change(statefulsets, {
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } },
  })
}

export async function makeDaemon(hand: Hand): Promise<boolean> {
  const rollingUpdate = hand.pick([{ maxUnavailable: 1 }, { maxUnavailable: 0, maxSurge: 1 }, { maxUnavailable: 2 }])
  const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate } }
  return await hand.create(daemonsets, objects.daemonset(hand.namespace(), hand.name('n'), hand.template(), spec))
}

export async function chooseNodes(hand: Hand): Promise<boolean> {
  const pool = hand.pick(['one', 'more', null])
  return await hand.change(daemonsets, { spec: { template: { spec: { nodeSelector: { pool } } } } })
}

export async function runJob(hand: Hand): Promise<boolean> {
  const completions = 1 + hand.random.below(4)
  const template = { image: 'one', annotations: hand.work() }
  const spec = {
    parallelism: 1 + hand.random.below(3),
    completions,
    completionMode: hand.pick(['Indexed', 'NonIndexed']),
    backoffLimit: hand.random.below(4),
    ...(hand.random.below(3) === 0 ? { ttlSecondsAfterFinished: hand.random.below(60) } : {}),
    ...(hand.random.below(4) === 0 ? { suspend: true } : {}),
    ...(hand.random.below(6) === 0 ? { activeDeadlineSeconds: 20 } : {}),
    ...(hand.random.below(4) === 0 ? { podReplacementPolicy: 'Failed' } : {}),
  }
  return await hand.create(jobs, objects.job(hand.namespace(), hand.name('j'), template, spec))
}

export async function widen(hand: Hand): Promise<boolean> {
  return await hand.change(jobs, { spec: { parallelism: hand.random.below(4) } })
}

export async function schedule(hand: Hand): Promise<boolean> {
  const spec = {
    concurrencyPolicy: hand.pick(['Allow', 'Forbid', 'Replace']),
    ...(hand.random.below(3) === 0 ? { startingDeadlineSeconds: 30 } : {}),
  }
  const template = { image: 'one', annotations: { ...hand.work(), [fate.runs]: String(hand.random.below(100)) } }
  return await hand.create(cronjobs, objects.cronjob(hand.namespace(), hand.name('c'), template, spec))
}

export async function suspend(hand: Hand, type: ResourceType<ApiObject>): Promise<boolean> {
  return await hand.change(type, { spec: { suspend: hand.random.below(2) === 0 } })
}

export async function own(hand: Hand): Promise<boolean> {
  const namespace = hand.namespace()
  const candidates = [...hand.ours(configmaps), ...hand.ours(deployments), ...hand.ours(pods)]
  const count = hand.random.below(3)
  const owners: OwnerReference[] = []
  for (let index = 0; index < count; index++) {
    const owner = hand.pick(candidates)
    if (owner && !owners.some(({ uid }) => uid === owner.metadata.uid)) owners.push(reference(hand, owner))
  }
  if (hand.random.below(8) === 0)
    owners.push({ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: hand.random.uuid() })
  const name = `${hand.prefix}-o${hand.random.below(6)}`
  return await hand.create(configmaps, objects.configmap(namespace, name, owners))
}

function reference(hand: Hand, owner: Frozen<ApiObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner
  const blocks = hand.random.below(2) === 0 ? { blockOwnerDeletion: true } : {}
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...blocks }
}

/** Takes owners away, or makes a circle of one or two. */
export async function disown(hand: Hand): Promise<boolean> {
  const map = hand.pick(hand.ours(configmaps))
  const other = hand.pick(hand.ours(configmaps))
  if (!map || !other) return false
  const inCircle = hand.random.below(3) === 0 && map.metadata.namespace === other.metadata.namespace
  const ownerReferences = inCircle ? [reference(hand, other)] : []
  return await hand.patch(configmaps, map, 'merge', { metadata: { ownerReferences } })
}

export async function deleteOne(hand: Hand, type: ResourceType<ApiObject>): Promise<boolean> {
  const object = hand.pick(hand.ours(type))
  if (!object) return false
  const propagationPolicy = hand.pick(['Background', 'Foreground', 'Orphan'] as const)
  if (!propagationPolicy) return false
  hand.trace.note('user', `DELETE ${propagationPolicy}`, `${type.resource} ${keyOf(object)}`, '')
  hand.rules.deleting(object, propagationPolicy)
  await quietly(
    hand.world.client.resource(type).delete(object.metadata, { propagationPolicy, uid: object.metadata.uid }),
  )
  return true
}
