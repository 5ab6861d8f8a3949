import type { Pod } from '../../../../api/gen/core/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import { keyOf } from '../../../../lib/controller/index.ts'
import type { Frozen } from '../../../../lib/object/index.ts'
import { quietly } from '../nodes.ts'
import * as objects from '../objects.ts'
import type { Hand } from './hand.ts'
import { budgets, deployments, namespaces, pods, quotas, replicasets, services, statefulsets } from './kinds.ts'

const { core } = resources

export async function protect(hand: Hand): Promise<boolean> {
  const spec = hand.pick([
    { minAvailable: 1 },
    { minAvailable: '50%' },
    { maxUnavailable: 1 },
    { maxUnavailable: 0 },
    { minAvailable: 2 },
  ])
  const of = hand.pick([...hand.ours(deployments), ...hand.ours(statefulsets)])
  if (!of || !spec) return false
  const { namespace = '', name = '' } = of.metadata
  if (hand.random.below(4) === 0) return await hand.change(budgets, { spec })
  return await hand.create(budgets, objects.budget(namespace, `${name}-p`, name, spec))
}

export async function evict(hand: Hand): Promise<boolean> {
  const pod = hand.pick(hand.ours(pods).filter(({ metadata }) => metadata.deletionTimestamp === undefined))
  if (!pod) return false
  const { namespace, name, uid } = pod.metadata
  const granted = hand.rules.evicting(pod as Frozen<Pod>)
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    deleteOptions: { preconditions: { uid } },
  }
  const answer = await quietly(
    hand.world.client
      .resource(core.v1.pods)
      .subresource('eviction')
      .create(pod.metadata, eviction as never),
  )
  hand.trace.note('user', 'EVICT', keyOf(pod), answer ? '' : 'refused')
  if (answer) granted()
  return true
}

export async function serve(hand: Hand): Promise<boolean> {
  const of = hand.pick([...hand.ours(deployments), ...hand.ours(replicasets), ...hand.ours(statefulsets)])
  if (!of) return false
  const { namespace = '', name = '' } = of.metadata
  return await hand.create(services, objects.service(namespace, name))
}

export async function limit(hand: Hand): Promise<boolean> {
  const hard = { pods: String(2 + hand.random.below(6)), 'count/configmaps': String(2 + hand.random.below(6)) }
  return await hand.create(quotas, objects.quota(hand.namespace(), `${hand.prefix}-q`, hard))
}

export async function nodeTrouble(hand: Hand): Promise<boolean> {
  const nodes = hand.world.client.resource(core.v1.nodes)
  const node = hand.pick(hand.world.truth.all(core.v1.nodes))
  const dice = hand.random.below(5)
  if (!node || dice === 0) {
    const name = `${hand.prefix}-${1 + hand.random.below(4)}`
    if (hand.world.truth.get(core.v1.nodes, name)) return false
    await quietly(hand.nodes.add(name))
    return true
  }
  if (dice === 1) {
    hand.nodes.kill(node.metadata.name ?? '')
    return true
  }
  if (dice === 2) {
    if (!hand.nodes.hasDead) return false
    await hand.nodes.revive()
    return true
  }
  if (dice === 3) {
    const unschedulable = node.spec.unschedulable !== true
    hand.trace.note('user', unschedulable ? 'CORDON' : 'UNCORDON', keyOf(node), '')
    await quietly(nodes.patch(node.metadata, 'merge', { spec: { unschedulable } }))
    return true
  }
  hand.trace.note('user', 'DELETE', `nodes ${keyOf(node)}`, '')
  await quietly(nodes.delete(node.metadata))
  return true
}

export async function dropNamespace(hand: Hand): Promise<boolean> {
  if (hand.random.below(3) !== 0) return false
  const name = `${hand.prefix}-b`
  if (!hand.world.truth.get(namespaces, name)) return await hand.create(namespaces, objects.namespaceOf(name))
  hand.trace.note('user', 'DELETE', `namespaces ${name}`, '')
  await quietly(hand.world.client.resource(namespaces).delete({ name }))
  return true
}

export async function deletePod(hand: Hand): Promise<boolean> {
  const pod = hand.pick(hand.ours(pods))
  if (!pod) return false
  hand.trace.note('user', 'DELETE', `pods ${keyOf(pod)}`, '')
  await quietly(hand.world.client.resource(core.v1.pods).delete(pod.metadata, { uid: pod.metadata.uid }))
  return true
}

export async function endPod(hand: Hand): Promise<boolean> {
  const running = hand.world.truth
    .all(core.v1.pods)
    .filter(({ status, metadata }) => status.phase === 'Running' && hand.isOurs(metadata))
  const pod = hand.pick(running)
  if (!pod) return false
  await quietly(hand.nodes.end(pod, 'Failed'))
  return true
}

/** The label of pods that were taken out of their sets, to be looked at. */
export const takenOut = 'taken-out'

export async function release(hand: Hand): Promise<boolean> {
  const pod = hand.pick(hand.ours(pods))
  return pod !== undefined && (await hand.patch(pods, pod, 'merge', { metadata: { labels: { app: takenOut } } }))
}
