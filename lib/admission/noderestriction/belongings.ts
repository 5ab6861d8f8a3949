import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import type { ResourceSlice } from '../../../api/gen/resource.k8s.io/v1.ts'
import { quote } from '../../object/index.ts'
import type { NodeWrite } from './write.ts'

const leaseNamespace = 'kube-node-lease'
const nodeSigners = new Set(['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'])

export function checkLease(write: NodeWrite): void {
  const { node, attributes, refuse } = write
  if (attributes.namespace !== leaseNamespace)
    throw refuse(`can only access leases in the ${quote(leaseNamespace)} system namespace`)
  if (nameOf(write) !== node) throw refuse('can only access node lease with the same name as the requesting node')
}

export function checkCsiNode(write: NodeWrite): void {
  if (nameOf(write) !== write.node)
    throw write.refuse('can only access CSINode with the same name as the requesting node')
}

export function checkResourceSlice({ node, attributes, refuse }: NodeWrite): void {
  const { operation, object, oldObject } = attributes
  // For deletecollection, the authorizer has checked the field selector.
  const checked = operation === 'CREATE' ? object : oldObject
  if (!checked) return
  const { spec } = checked as ResourceSlice
  if (spec.nodeName === node) return
  const what = { CREATE: 'create', UPDATE: 'update', DELETE: 'delete', CONNECT: 'access' }[operation]
  throw refuse(`can only ${what} ResourceSlice with the same NodeName as the requesting node`)
}

/** A request for a kubelet's own certificate must name that kubelet. */
export function checkSigningRequest({ attributes, dependencies, options, refuse }: NodeWrite): void {
  const { operation, subresource, object, user } = attributes
  if (options.anySigningRequests || operation !== 'CREATE' || subresource !== '' || !object) return
  const { spec } = object as CertificateSigningRequest
  if (!nodeSigners.has(spec.signerName ?? '')) return
  let commonName: string
  try {
    commonName = dependencies.commonNameOf(Buffer.from(spec.request ?? '', 'base64').toString('latin1'))
  } catch (error) {
    throw refuse(`unable to parse csr: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (commonName !== user.name) throw refuse(`can only create a node CSR with CN=${user.name}`)
}

/** The name in the object when it is created, otherwise the one in the path. */
function nameOf({ attributes }: NodeWrite): string {
  return attributes.operation === 'CREATE' ? (attributes.object?.metadata.name ?? '') : attributes.name
}
