import type { Taint } from '../../../api/gen/core/v1.ts'
import { fitsNode, tolerates } from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Filter, Refusal } from '../contract.ts'

const unschedulableTaint: Frozen<Taint> = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

export const nodeUnschedulable: Filter = {
  name: 'NodeUnschedulable',
  prepare({ pod }) {
    if (tolerates(pod.spec.tolerations ?? [], unschedulableTaint)) return undefined
    const refusal: Refusal = { reason: 'node(s) were unschedulable', isFinal: true }
    return ({ node }) => (node.spec.unschedulable === true ? refusal : undefined)
  },
}

/** The node that the pod names itself. */
export const nodeName: Filter = {
  name: 'NodeName',
  prepare({ pod }) {
    const { nodeName: wanted } = pod.spec
    if (!wanted) return undefined
    return ({ name }) =>
      name === wanted ? undefined : { reason: "node(s) didn't match the requested node name", isFinal: true }
  },
}

export const taintToleration: Filter = {
  name: 'TaintToleration',
  prepare({ pod }) {
    const tolerations = pod.spec.tolerations ?? []
    return ({ node }) => {
      const taint = node.spec.taints?.find(({ effect, ...rest }) => {
        const counts = effect === 'NoSchedule' || effect === 'NoExecute'
        return counts && !tolerates(tolerations, { effect, ...rest })
      })
      if (!taint) return undefined
      return { reason: `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`, isFinal: true }
    }
  },
}

export const nodeAffinity: Filter = {
  name: 'NodeAffinity',
  prepare({ pod: { spec } }) {
    const { nodeSelector = {}, affinity } = spec
    const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    if (required === undefined && Object.keys(nodeSelector).length === 0) return undefined
    return ({ node }) =>
      fitsNode(spec, node) ? undefined : { reason: "node(s) didn't match Pod's node affinity/selector", isFinal: true }
  },
}

export const nodePorts: Filter = {
  name: 'NodePorts',
  prepare({ ports }) {
    if (ports.length === 0) return undefined
    return (node) =>
      node.conflictsWith(ports)
        ? { reason: "node(s) didn't have free ports for the requested pod ports", isFinal: false }
        : undefined
  },
}

export const nodeResources: Filter = {
  name: 'NodeResourcesFit',
  prepare({ requests }) {
    const wanted = [...requests].filter(([, amount]) => amount > 0)
    return ({ allocatable, requested, pods }) => {
      const refusals: Refusal[] = []
      if (pods.size + 1 > (allocatable.get('pods') ?? 0)) refusals.push({ reason: 'Too many pods', isFinal: false })
      for (const [name, amount] of wanted) {
        const most = allocatable.get(name) ?? 0
        if (amount <= most - (requested.get(name) ?? 0)) continue
        refusals.push({ reason: `Insufficient ${name}`, isFinal: amount > most })
      }
      return refusals.length === 0 ? undefined : refusals
    }
  },
}
