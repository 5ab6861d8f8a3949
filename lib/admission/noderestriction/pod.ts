import type * as core from '../../../api/gen/core/v1.ts'
import { mirrorAnnotation, podReferences } from '../../kinds/index.ts'
import { deepEqual, quote, semanticEqual, statusErrors } from '../../object/index.ts'
import { findPod, type NodeWrite } from './write.ts'

/** A node may create and delete its mirror pods only. */
export async function checkPod(write: NodeWrite): Promise<void> {
  const { node, attributes, refuse } = write
  const who = `node ${quote(node)}`
  const { operation } = attributes
  if (operation === 'DELETE') {
    const pod = await findPod(write, attributes.name)
    if (pod.spec.nodeName !== node) throw refuse(`${who} can only delete pods with spec.nodeName set to itself`)
    return
  }
  if (operation !== 'CREATE')
    throw refuse(`unexpected operation ${quote(operation)}, ${who} can only create and delete mirror pods`)
  const pod = attributes.object as core.Pod
  if (pod.metadata.annotations?.[mirrorAnnotation] === undefined)
    throw refuse(`pod does not have ${quote(mirrorAnnotation)} annotation, ${who} can only create mirror pods`)
  if (pod.spec.nodeName !== node) throw refuse(`${who} can only create pods with spec.nodeName set to itself`)
  await checkOwner(write, pod)
  const problem = mentioned(pod)
  if (problem !== undefined) throw refuse(`${who} can not create pods that reference ${problem}`)
}

async function checkOwner(
  { node, attributes, dependencies, refuse }: NodeWrite,
  { metadata }: core.Pod,
): Promise<void> {
  const who = `node ${quote(node)}`
  const owners = metadata.ownerReferences ?? []
  const [owner] = owners
  if (owners.length > 1) throw refuse(`${who} can only create pods with a single owner reference set to itself`)
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    throw refuse(`${who} can only create pods with an owner reference set to itself`)
  if (!owner.controller) throw refuse(`${who} can only create pods with a controller owner reference set to itself`)
  if (owner.blockOwnerDeletion) throw refuse(`${who} must not set blockOwnerDeletion on an owner reference`)
  const found = await dependencies.find('nodes', '', node, attributes.signal)
  if (!found) throw statusErrors.notFound({ group: '', resource: 'node' }, node)
  const uid = found.metadata.uid ?? ''
  if (owner.uid !== uid) throw refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${uid}`)
}

/** The kind of API object that a mirror pod refers to, which must not give its node access. */
function mentioned(pod: core.Pod): string | undefined {
  const { secrets, configMaps, claims, resourceClaims, serviceAccount } = podReferences(pod)
  if (serviceAccount !== '') return 'a service account'
  if (secrets.size > 0) return 'secrets'
  if (configMaps.size > 0) return 'configmaps'
  if (claims.size > 0) return 'persistentvolumeclaims'
  const trust = pod.spec.volumes?.some((volume) =>
    volume.projected?.sources?.some((source) => source.clusterTrustBundle),
  )
  if (trust) return 'clustertrustbundles'
  const certificates = pod.spec.volumes?.some((volume) =>
    volume.projected?.sources?.some((source) => source.podCertificate),
  )
  if (certificates) return 'podcertificates'
  return resourceClaims.size > 0 || pod.spec.resourceClaims?.length ? 'resourceclaims' : undefined
}

export function checkPodStatus({ node, attributes, refuse }: NodeWrite): void {
  const { operation, object, oldObject } = attributes
  if (operation !== 'UPDATE') throw refuse(`unexpected operation ${quote(operation)}`)
  const [next, old] = [object, oldObject] as [core.Pod, core.Pod]
  const who = `node ${quote(node)}`
  if (old.spec.nodeName !== node)
    throw refuse(`${who} can only update pod status for pods with spec.nodeName set to itself`)
  if (!deepEqual(next.metadata.labels ?? {}, old.metadata.labels ?? {}))
    throw refuse(`${who} cannot update labels through pod status`)
  const claims = ({ status }: core.Pod) => status?.resourceClaimStatuses ?? []
  if (!semanticEqual(claims(next), claims(old))) throw refuse(`${who} cannot update resource claim statues`)
}

export async function checkEviction(write: NodeWrite): Promise<void> {
  const { node, attributes, refuse } = write
  if (attributes.operation !== 'CREATE') throw refuse(`unexpected operation ${attributes.operation}`)
  const name = attributes.name || (attributes.object?.metadata.name ?? '')
  if (name === '') throw refuse('could not determine pod from request data')
  const pod = await findPod(write, name)
  if (pod.spec.nodeName !== node) throw refuse(`node ${node} can only evict pods with spec.nodeName set to itself`)
}
