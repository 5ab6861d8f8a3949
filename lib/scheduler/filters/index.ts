import type { Filter } from '../contract.ts'
import { interPodAffinity } from './interpodaffinity.ts'
import { nodeAffinity, nodeName, nodePorts, nodeResources, nodeUnschedulable, taintToleration } from './node.ts'
import { podTopologySpread } from './podtopologyspread.ts'
import { volumeBinding } from './volumebinding.ts'

/** In the order in which nodes are asked. */
export const filters: readonly Filter[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResources,
  volumeBinding,
  podTopologySpread,
  interPodAffinity,
]
