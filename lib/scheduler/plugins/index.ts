import type { Plugin } from '../contract.ts'
import { balancedAllocation } from './balancedallocation.ts'
import { defaultPreemption } from './defaultpreemption.ts'
import { dynamicResources } from './dynamicresources.ts'
import { imageLocality } from './imagelocality.ts'
import { interPodAffinity } from './interpodaffinity.ts'
import { nodeAffinity } from './nodeaffinity.ts'
import { nodeName } from './nodename.ts'
import { nodePorts } from './nodeports.ts'
import { nodeResourcesFit } from './noderesourcesfit.ts'
import { nodeUnschedulable } from './nodeunschedulable.ts'
import { nodeVolumeLimits } from './nodevolumelimits.ts'
import { podTopologySpread } from './podtopologyspread.ts'
import { taintToleration } from './tainttoleration.ts'
import { volumeBinding } from './volumebinding.ts'
import { volumeRestrictions } from './volumerestrictions.ts'
import { volumeZone } from './volumezone.ts'

/** Their work is that of the queue and of the binding: a profile has them, and can't be without them. */
const schedulingGates: Plugin = { name: 'SchedulingGates', points: ['preEnqueue'] }
const prioritySort: Plugin = { name: 'PrioritySort', points: ['queueSort'] }
const defaultBinder: Plugin = { name: 'DefaultBinder', points: ['bind'] }

/** The plugins of the default profile, in the order in which nodes are asked. */
export const plugins: readonly Plugin<never>[] = [
  schedulingGates,
  prioritySort,
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
  dynamicResources,
  defaultPreemption,
  balancedAllocation,
  imageLocality,
  defaultBinder,
]
