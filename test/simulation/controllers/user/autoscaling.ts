import type { HorizontalPodAutoscaler } from '../../../../api/gen/autoscaling/v2.ts'
import type { Frozen } from '../../../../lib/object/index.ts'
import * as objects from '../objects.ts'
import type { Hand } from './hand.ts'
import { autoscalers, deployments } from './kinds.ts'
import { deploy } from './workloads.ts'

const loadMilliMax = 700

export async function autoscale(hand: Hand): Promise<boolean> {
  const of = hand.pick(hand.ours(deployments))
  if (!of) return await deploy(hand)
  const { namespace = '', name = '' } = of.metadata
  await hand.create(autoscalers, objects.autoscaler(namespace, name, bounds(hand)))
  load(hand, namespace, name)
  return true
}

export async function rebound(hand: Hand): Promise<boolean> {
  return await hand.change(autoscalers, { spec: bounds(hand) })
}

/** More or less comes in. */
export async function changeLoad(hand: Hand): Promise<boolean> {
  const autoscaler = hand.pick(hand.ours(autoscalers)) as Frozen<HorizontalPodAutoscaler> | undefined
  if (autoscaler) load(hand, autoscaler.metadata.namespace ?? '', autoscaler.spec.scaleTargetRef.name)
  return await Promise.resolve(autoscaler !== undefined)
}

function load(hand: Hand, namespace: string, name: string): void {
  const milli = hand.random.below(loadMilliMax)
  hand.metrics.loads.set(`${namespace}/${name}`, milli)
  hand.trace.note('user', 'LOAD', `${namespace}/${name} ${milli}m`, '')
}

function bounds(hand: Hand): { readonly minReplicas: number; readonly maxReplicas: number } {
  const minReplicas = 1 + hand.random.below(2)
  return { minReplicas, maxReplicas: minReplicas + hand.random.below(4) }
}
