import type { PodCertificateRequest } from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import type * as core from '../../../api/gen/core/v1.ts'
import { mirrorAnnotation } from '../../kinds/index.ts'
import { type ApiObject, quote, StatusError } from '../../object/index.ts'
import type { NodeResource, NodeWrite } from './write.ts'

/**
 * A kubelet may request certificates for the pods that run on its node, as their service accounts. A difference that a
 * cache which is behind could cause is answered with 500, so that the kubelet tries again.
 */
export async function checkPodCertificateRequest(write: NodeWrite): Promise<void> {
  const { node, attributes, options, refuse } = write
  const { operation, subresource, object, namespace } = attributes
  if (!options.podCertificates) throw refuse('PodCertificateRequest feature gate is disabled')
  if (operation !== 'CREATE' || !object) throw refuse(`unexpected operation ${operation}`)
  if (subresource !== '') throw refuse(`unexpected subresource ${subresource}`)
  const { spec } = object as PodCertificateRequest
  if (spec.nodeName !== node) {
    const named = `PodCertificateRequest.Spec.NodeName=${quote(spec.nodeName)}`
    throw refuse(`${named}, which is not the requesting node ${quote(node)}`)
  }
  const pod = quote(`${namespace}/${spec.podName}`)
  const about = `PodCertificateRequest for pod ${pod}`
  const own = await findNamed(write, 'nodes', '', spec.nodeName, `node ${quote(spec.nodeName)}`)
  if (own.metadata.uid !== spec.nodeUID) {
    const uid = quote(own.metadata.uid ?? '')
    throw retryable(`${about} names node UID ${quote(spec.nodeUID)}, inconsistent with the running node (${uid})`)
  }
  const running = await findNamed(write, 'pods', namespace, spec.podName, `pod ${pod}`)
  checkRunningPod(write, running as core.Pod, spec, { pod, about })
  const account = `${namespace}/${spec.serviceAccountName}`
  const found = await findNamed(
    write,
    'serviceaccounts',
    namespace,
    spec.serviceAccountName,
    `service account ${quote(account)}`,
  )
  if (found.metadata.uid !== spec.serviceAccountUID) {
    const named = `${about} names service account UID ${quote(spec.serviceAccountUID)}`
    throw retryable(`${named}, which differs from the running service account (${quote(found.metadata.uid ?? '')})`)
  }
}

function checkRunningPod(
  { refuse }: NodeWrite,
  { metadata, spec: running }: core.Pod,
  spec: PodCertificateRequest['spec'],
  { pod, about }: { pod: string; about: string },
): void {
  if (metadata.uid !== spec.podUID) {
    const uid = quote(metadata.uid ?? '')
    throw retryable(`${about} contains pod UID (${quote(spec.podUID)}) which differs from running pod ${uid}`)
  }
  if (running.nodeName !== spec.nodeName)
    throw refuse(`pod ${pod} is not running on node ${quote(spec.nodeName)} named in the PodCertificateRequest`)
  if (metadata.annotations?.[mirrorAnnotation] !== undefined) throw refuse(`pod ${pod} is a mirror pod`)
  const account = running.serviceAccountName ?? ''
  if (spec.serviceAccountName !== account) {
    const named = `${about} contains serviceAccountName (${quote(spec.serviceAccountName)})`
    throw refuse(`${named} that differs from running pod (${quote(account)})`)
  }
}

async function findNamed(
  { attributes, dependencies }: NodeWrite,
  resource: NodeResource,
  namespace: string,
  name: string,
  shown: string,
): Promise<ApiObject> {
  const found = await dependencies.find(resource, namespace, name, attributes.signal)
  if (found) return found
  const missing = `${resource.slice(0, -1)} ${quote(name)} not found`
  throw retryable(`while retrieving ${shown} named in the PodCertificateRequest: ${missing}`)
}

function retryable(message: string): StatusError {
  return new StatusError(500, '', message)
}
