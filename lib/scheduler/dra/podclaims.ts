import type { Pod } from '../../../api/gen/core/v1.ts'
import { controllerOf, joinKey, keyOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Claim, DeviceSnapshot } from './contract.ts'

/** Consumers of a claim. */
const consumersMax = 256

/** The claims of a pod: with devices, and without yet. */
export interface PodClaims {
  readonly allocated: readonly Claim[]
  readonly open: readonly Claim[]
}

/** Undefined: the pod has no claims. A text: why it can't be scheduled anywhere, in stock words. */
export function podClaims(
  pod: Frozen<Pod>,
  { claims, pending }: Pick<DeviceSnapshot, 'claims' | 'pending'>,
): PodClaims | string | undefined {
  const entries = pod.spec.resourceClaims ?? []
  if (entries.length === 0) return undefined
  const { namespace = '', name: podName = '', uid = '' } = pod.metadata
  const allocated: Claim[] = []
  const open: Claim[] = []
  for (const entry of entries) {
    const made = pod.status.resourceClaimStatuses?.find(({ name }) => name === entry.name)
    if (entry.resourceClaimName === undefined && !made)
      return `pod "${namespace}/${podName}": ResourceClaim not created yet`
    const name = entry.resourceClaimName ?? made?.resourceClaimName
    // Its controller found that the entry needs no claim.
    if (name === undefined) continue
    const claim = claims.get(joinKey(namespace, name))
    if (!claim) return `resourceclaim.resource.k8s.io "${name}" not found`
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${name}" is being deleted`
    if (entry.resourceClaimName === undefined && controllerOf(claim)?.uid !== uid)
      return `ResourceClaim ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`
    if (!claim.status.allocation) {
      if (pending.has(keyOf(claim))) return `resource claim ${namespace}/${name} is in the process of being allocated`
      open.push(claim)
    } else if (canUse(claim, uid)) allocated.push(claim)
    else return 'resourceclaim in use'
  }
  return { allocated, open }
}

function canUse({ status: { reservedFor = [] } }: Claim, podUid: string): boolean {
  return reservedFor.length < consumersMax || reservedFor.some(({ uid }) => uid === podUid)
}
