import type { TokenRequest } from '../../../api/gen/authentication.k8s.io/v1.ts'
import type * as core from '../../../api/gen/core/v1.ts'
import type { CSIDriver } from '../../../api/gen/storage.k8s.io/v1.ts'
import { quote } from '../../object/index.ts'
import { findPod, type NodeWrite } from './write.ts'

/** Restricts the tokens that a node requests to its pods and the audiences of their volumes. */
export async function checkTokenRequest(write: NodeWrite): Promise<void> {
  const { node, attributes, options, refuse } = write
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return
  const { spec } = attributes.object as TokenRequest
  const { apiVersion, kind, name, uid } = spec.boundObjectRef ?? {}
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) throw refuse('node requested token not bound to a pod')
  if (!uid) throw refuse('node requested token with a pod binding without a uid')
  const pod = await findPod(write, name)
  if (pod.metadata.uid !== uid) {
    const why = 'does not match the UID in record. The object might have been deleted and then recreated'
    throw refuse(`the UID in the bound object reference (${uid}) ${why}`)
  }
  if (pod.spec.nodeName !== node) throw refuse('node requested token bound to a pod scheduled on a different node')
  if (options.restrictAudiences) await checkAudience(write, pod, spec.audiences ?? [])
}

async function checkAudience(write: NodeWrite, pod: core.Pod, requested: readonly string[]): Promise<void> {
  const { attributes, dependencies, options, refuse } = write
  // Tokens for the API itself name no audience.
  const others = requested.filter((audience) => !options.apiAudiences.includes(audience))
  if (others.length > 1 || (others.length === 1 && requested.length > 1))
    throw refuse('node may only request 0 or 1 audiences')
  const [audience = ''] = others
  const wanted = new Set(audience === '' ? ['', ...options.apiAudiences] : [audience])
  for await (const used of audiencesOf(write, pod)) if (wanted.has(used)) return
  const { namespace, name, user } = attributes
  const question = { verb: 'request-serviceaccounts-token-audience', resource: audience, namespace, name }
  if (await dependencies.isAllowed(attributes, question)) return
  const why = `${user.name} is not authorized to request tokens for this audience`
  throw refuse(`audience ${quote(audience)} not found in pod spec volume, ${why}`)
}

/** The token audiences that the pod's volumes request. */
async function* audiencesOf(write: NodeWrite, pod: core.Pod): AsyncIterable<string> {
  const { attributes, dependencies } = write
  const drivers = new Set<string>()
  for (const volume of pod.spec.volumes ?? []) {
    for (const { serviceAccountToken } of volume.projected?.sources ?? [])
      if (serviceAccountToken) yield serviceAccountToken.audience ?? ''
    const driver = volume.csi?.driver ?? (await claimedDriver(write, pod, volume))
    if (driver) drivers.add(driver)
  }
  for (const driver of drivers) {
    const found = await dependencies.find('csidrivers', '', driver, attributes.signal)
    for (const { audience } of (found as CSIDriver | undefined)?.spec.tokenRequests ?? []) yield audience
  }
}

/** The driver of a claim's volume. */
async function claimedDriver(write: NodeWrite, pod: core.Pod, volume: core.Volume): Promise<string | undefined> {
  const { attributes, dependencies } = write
  const own = volume.ephemeral ? `${pod.metadata.name ?? ''}-${volume.name}` : undefined
  const name = volume.persistentVolumeClaim?.claimName ?? own
  if (!name) return undefined
  const claim = await dependencies.find('persistentvolumeclaims', attributes.namespace, name, attributes.signal)
  const bound = (claim as core.PersistentVolumeClaim | undefined)?.spec.volumeName
  if (!bound) return undefined
  const found = await dependencies.find('persistentvolumes', '', bound, attributes.signal)
  return (found as core.PersistentVolume | undefined)?.spec.csi?.driver
}
