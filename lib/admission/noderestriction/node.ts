import type * as core from '../../../api/gen/core/v1.ts'
import { deepEqual, quote, semanticEqual } from '../../object/index.ts'
import type { NodeWrite } from './write.ts'

/** Labels of Kubernetes' own domains that a node may set on itself. */
const nodeLabels = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
])
const nodeLabelDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io']

type Labels = Readonly<Record<string, string>>

export function checkNode({ node, attributes, refuse }: NodeWrite): void {
  const { operation, object, oldObject } = attributes
  const who = `node ${quote(node)}`
  // A kubelet may register its node with a request without a name: the object's own name counts then.
  const name = operation === 'CREATE' ? attributes.name || (object?.metadata.name ?? '') : attributes.name
  const next = object as core.Node | undefined
  const old = oldObject as core.Node | undefined
  if (name !== node) throw refuse(`${who} is not allowed to modify node ${quote(name)}`)
  if (operation === 'CREATE' && next) {
    if (next.spec.configSource) throw refuse(`${who} is not allowed to create pods with a non-nil configSource`)
    const labels = forbiddenLabels(next.metadata.labels ?? {}, {})
    if (labels.length > 0) throw refuse(`${who} is not allowed to set the following labels: ${labels.join(', ')}`)
  }
  if (operation !== 'UPDATE' || !next || !old) return
  if (next.spec.configSource && !semanticEqual(next.spec.configSource, old.spec.configSource))
    throw refuse(`${who} is not allowed to update configSource to a new non-nil configSource`)
  if (!semanticEqual(next.spec.taints ?? [], old.spec.taints ?? []))
    throw refuse(`${who} is not allowed to modify taints`)
  const labels = forbiddenLabels(next.metadata.labels ?? {}, old.metadata.labels ?? {})
  if (labels.length > 0) throw refuse(`is not allowed to modify labels: ${labels.join(', ')}`)
  if (!deepEqual(next.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []))
    throw refuse(`${who} is not allowed to modify ownerReferences`)
}

/** Labels that are set, changed or removed and that the node may not control. */
function forbiddenLabels(next: Labels, old: Labels): string[] {
  const changed = Object.keys({ ...next, ...old }).filter((key) => next[key] !== old[key])
  return changed.filter(isForbidden).sort()
}

function isForbidden(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  if (isWithin(domain, 'node-restriction.kubernetes.io')) return true
  if (!isWithin(domain, 'kubernetes.io') && !isWithin(domain, 'k8s.io')) return false
  return !nodeLabels.has(key) && !nodeLabelDomains.some((allowed) => isWithin(domain, allowed))
}

function isWithin(domain: string, of: string): boolean {
  return domain === of || domain.endsWith(`.${of}`)
}
