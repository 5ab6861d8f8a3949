import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../../../api/gen/core/v1.ts'
import type { Frozen } from '../../../object/index.ts'

/** The node matches the node selector and the required node affinity of a pod. */
export function fitsNode(spec: Frozen<PodSpec>, node: Frozen<Node>): boolean {
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => matchesNodeTerm(term, node))
}

/** A term without requirements matches nothing. */
export function matchesNodeTerm(
  { matchExpressions = [], matchFields = [] }: Frozen<NodeSelectorTerm>,
  node: Frozen<Node>,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false
  const { name = '', labels = {} } = node.metadata
  return (
    matchExpressions.every((each) => matches(each, Object.hasOwn(labels, each.key) ? labels[each.key] : undefined)) &&
    matchFields.every((each) => each.key === 'metadata.name' && matches(each, name))
  )
}

function matches({ operator, values = [] }: Frozen<NodeSelectorRequirement>, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
    case 'Lt': {
      const [left, right] = [integerOf(value), integerOf(values[0])]
      if (left === undefined || right === undefined) return false
      return operator === 'Gt' ? left > right : left < right
    }
    default:
      return false
  }
}

function integerOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : undefined
}
