import type { Client } from '../../client/index.ts'
import type { PodInfo } from '../podinfo.ts'
import type { DeviceSnapshot } from './contract.ts'
import { leftClaimOf } from './extended.ts'
import { deallocate, deleteClaim } from './perform.ts'
import { podClaims } from './podclaims.ts'

/**
 * Gives the devices of one of the pod's claims back that no other pod uses: the pod fits nowhere, and other devices may
 * be on nodes where it does. Resolves with a text for the message about the pod; undefined: there is no such claim.
 */
export async function deallocateIdle(
  { pod }: PodInfo,
  snapshot: DeviceSnapshot,
  client: Client,
): Promise<string | undefined> {
  const left = leftClaimOf(pod, snapshot)
  if (left && snapshot.extendedClasses().size > 0) {
    await deleteClaim(left, client)
    return 'deletion of ResourceClaim completed'
  }
  const claims = podClaims(pod, snapshot)
  if (claims === undefined || typeof claims === 'string') return undefined
  const idle = claims.allocated.find(({ status: { reservedFor = [] } }) =>
    reservedFor.every(({ uid }) => uid === pod.metadata.uid),
  )
  if (!idle) return undefined
  await deallocate([idle], client)
  return 'deallocation of ResourceClaim completed'
}
