import { quote, statusErrors } from '../../object/index.ts'
import { nodeOf } from '../../request/index.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { checkCsiNode, checkLease, checkResourceSlice, checkSigningRequest } from './belongings.ts'
import { checkClaimStatus } from './claim.ts'
import { checkNode } from './node.ts'
import { checkEviction, checkPod, checkPodStatus } from './pod.ts'
import { checkPodCertificateRequest } from './podcertificate.ts'
import { checkTokenRequest } from './token.ts'
import type { NodeRestrictionDependencies, NodeRestrictionOptions, NodeWrite } from './write.ts'

type Check = (write: NodeWrite) => void | Promise<void>

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['/pods', checkPods],
  ['/nodes', checkNode],
  ['/persistentvolumeclaims', checkClaims],
  ['/serviceaccounts', checkTokenRequest],
  ['coordination.k8s.io/leases', checkLease],
  ['storage.k8s.io/csinodes', checkCsiNode],
  ['resource.k8s.io/resourceslices', checkResourceSlice],
  ['certificates.k8s.io/certificatesigningrequests', checkSigningRequest],
  ['certificates.k8s.io/podcertificaterequests', checkPodCertificateRequest],
])

/** Restricts kubelets to their own node and its pods. Other users are not restricted. */
export function createNodeRestriction(
  dependencies: NodeRestrictionDependencies,
  options: NodeRestrictionOptions,
): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    handles: (operation) => operation !== 'CONNECT',
    mutate(attributes) {
      const node = nodeOf(attributes.user)
      if (node === undefined) return undefined
      const { resource, name, user } = attributes
      const refuse = (why: string): Error => statusErrors.forbidden(resource, name, why)
      if (node === '') throw refuse(`could not determine node from user ${quote(user.name)}`)
      return checks.get(`${resource.group}/${resource.resource}`)?.({ node, attributes, dependencies, options, refuse })
    },
  }
}

function checkPods(write: NodeWrite): void | Promise<void> {
  const { subresource } = write.attributes
  if (subresource === '') return checkPod(write)
  if (subresource === 'status') return checkPodStatus(write)
  if (subresource === 'eviction') return checkEviction(write)
  throw write.refuse(`unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`)
}

function checkClaims(write: NodeWrite): void {
  if (write.attributes.subresource !== 'status') throw write.refuse('may only update PVC status')
  checkClaimStatus(write)
}
