import type { ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { isConflict, isNotFound } from '../../controller/index.ts'
import type { PodInfo } from '../podinfo.ts'
import type { Claim } from './contract.ts'
import type { Reservation } from './state.ts'

/** Keeps a claim until its devices are deallocated. */
const protection = 'resource.kubernetes.io/delete-protection'
/** Attempts to write the reservation of a claim that others change at the same time. */
const triesMax = 5

/** Stores the claim of a pod's extended resources, without its allocation. */
export async function storeClaim({ claim }: Reservation, client: Client): Promise<Claim> {
  const { name: _, ...metadata } = claim.metadata
  return await client.resource(resources.resource.v1.resourceclaims).create({ ...claim, metadata } as ResourceClaim)
}

/** Deletes the claim of a pod's extended resources, whose pod is not bound. */
export async function deleteClaim({ metadata }: Claim, client: Client): Promise<void> {
  const claims = client.resource(resources.resource.v1.resourceclaims)
  try {
    const { uid } = metadata
    await claims.patch(metadata, 'merge', { metadata: { uid, finalizers: null } })
    await claims.delete(metadata, uid === undefined ? {} : { uid })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Writes the allocation and the reservation of a pod's claims. Rejects where a claim has changed meanwhile. */
export async function writeReservations(
  reservations: readonly Reservation[],
  { pod }: PodInfo,
  client: Client,
): Promise<void> {
  const { name = '', uid = '' } = pod.metadata
  const consumer = { resource: 'pods', name, uid }
  for (const { claim, allocation, mappings } of reservations) {
    if (allocation) {
      const kept = await protect(claim, client)
      await patchStatus(kept, { allocation, reservedFor: [...(kept.status.reservedFor ?? []), consumer] }, client)
    } else await addConsumer(claim, consumer, client)
    if (mappings) {
      const extendedResourceClaimStatus = { resourceClaimName: claim.metadata.name, requestMappings: mappings }
      await client
        .resource(resources.core.v1.pods)
        .patchStatus(pod.metadata, 'merge', { metadata: { uid }, status: { extendedResourceClaimStatus } })
    }
  }
}

/** Deallocates claims that no other pod uses. */
export async function deallocate(claims: readonly Claim[], client: Client): Promise<void> {
  for (const claim of claims) await patchStatus(claim, { allocation: null, reservedFor: null, devices: null }, client)
}

/** Ends the reservation of a pod that goes to no node; the claims keep their devices. */
export async function removeConsumer(claims: readonly Claim[], { pod }: PodInfo, client: Client): Promise<void> {
  for (const claim of claims) {
    const latest = await client.resource(resources.resource.v1.resourceclaims).get(claim.metadata)
    const before = latest.status.reservedFor ?? []
    const reservedFor = before.filter(({ uid }) => uid !== pod.metadata.uid)
    if (reservedFor.length < before.length) await patchStatus(latest, { reservedFor }, client)
  }
}

async function protect(claim: Claim, client: Client): Promise<Claim> {
  const { finalizers = [], uid, resourceVersion } = claim.metadata
  if (finalizers.includes(protection)) return claim
  return await client
    .resource(resources.resource.v1.resourceclaims)
    .patch(claim.metadata, 'merge', { metadata: { uid, resourceVersion, finalizers: [...finalizers, protection] } })
}

interface Consumer {
  readonly resource: string
  readonly name: string
  readonly uid: string
}

async function addConsumer(claim: Claim, consumer: Consumer, client: Client): Promise<void> {
  let latest = claim
  for (let attempt = 1; ; attempt++) {
    const { reservedFor = [], allocation } = latest.status
    if (reservedFor.some(({ uid }) => uid === consumer.uid)) return
    if (!allocation) throw new Error(`resource claim ${claim.metadata.name} was deallocated`)
    try {
      await patchStatus(latest, { reservedFor: [...reservedFor, consumer] }, client)
      return
    } catch (error) {
      if (!isConflict(error) || attempt === triesMax) throw error
      latest = await client.resource(resources.resource.v1.resourceclaims).get(claim.metadata)
    }
  }
}

async function patchStatus({ metadata }: Claim, status: object, client: Client): Promise<void> {
  const { uid, resourceVersion } = metadata
  await client
    .resource(resources.resource.v1.resourceclaims)
    .patchStatus(metadata, 'merge', { metadata: { uid, resourceVersion }, status })
}
