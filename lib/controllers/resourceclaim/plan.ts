import type { Pod, PodResourceClaim } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim, ResourceClaimConsumerReference } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { isTerminal } from '../shared/podstate.ts'

type SomePod = Frozen<Pod>
type SomeClaim = Frozen<ResourceClaim>

/** Names the entry of a pod that a claim was made for. */
export const claimAnnotation = 'resource.kubernetes.io/pod-claim-name'
/** `true`: the scheduler made the claim, for extended resources of a pod. */
export const extendedAnnotation = 'resource.kubernetes.io/extended-resource-claim'
export const protection = 'resource.kubernetes.io/delete-protection'
/** Consumers that a claim may have. */
const consumersMax = 256
/** Bytes of `<pod>-<claim>` before the random end of a name. */
const baseMax = 57

/** The pod runs no more, or never will. */
export function isDone(pod: SomePod): boolean {
  return isTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && (pod.spec.nodeName ?? '') === '')
}

/** Names of all claims that a pod is known to use. */
export function claimNamesOf({ spec, status }: SomePod): string[] {
  const extended = status.extendedResourceClaimStatus
  return [...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? []), ...(extended ? [extended] : [])]
    .map(({ resourceClaimName }) => resourceClaimName ?? '')
    .filter((name) => name !== '')
}

export interface PodPlan {
  /** Names of the pod's claims by its entries, those that are there; entries of templates only. */
  readonly known: ReadonlyMap<string, string>
  /** Entries whose claims are to be made of their templates. */
  readonly make: readonly Frozen<PodResourceClaim>[]
  /** Claims that the pod, which has its node, is to be noted in. */
  readonly reserve: readonly SomeClaim[]
}

/** `claims`: all of the pod's namespace, by name; `owned`: those of which the pod is the controller. */
export function planPod(
  pod: SomePod,
  claims: (name: string) => SomeClaim | undefined,
  owned: readonly SomeClaim[],
): PodPlan {
  const known = new Map<string, string>()
  const make: Frozen<PodResourceClaim>[] = []
  const reserve: SomeClaim[] = []
  const isBound = (pod.spec.nodeName ?? '') !== ''
  if (pod.metadata.deletionTimestamp !== undefined || isDone(pod)) return { known, make, reserve }
  for (const entry of pod.spec.resourceClaims ?? []) {
    const found = claimOf(pod, entry, claims, owned)
    if (found === 'none') continue
    if (entry.resourceClaimTemplateName !== undefined) {
      if (found) known.set(entry.name, found.metadata.name ?? '')
      else make.push(entry)
    }
    if (found && isBound && mayReserve(found, pod)) reserve.push(found)
  }
  return { known, make, reserve }
}

/** `none`: the entry needs no claim. Undefined: its claim is to be made. */
function claimOf(
  pod: SomePod,
  { name, resourceClaimName }: Frozen<PodResourceClaim>,
  claims: (name: string) => SomeClaim | undefined,
  owned: readonly SomeClaim[],
): SomeClaim | 'none' | undefined {
  if (resourceClaimName !== undefined) return claims(resourceClaimName) ?? 'none'
  const noted = pod.status.resourceClaimStatuses?.find((each) => each.name === name)
  if (noted && noted.resourceClaimName === undefined) return 'none'
  const claim = noted?.resourceClaimName === undefined ? undefined : claims(noted.resourceClaimName)
  // A claim of another pod is never used: the pod gets one of its own in that place, as in the stock controller.
  if (claim && isOf(claim, pod)) return claim
  // It was made, and its name could not be noted.
  return owned.find(({ metadata }) => metadata.annotations?.[claimAnnotation] === name)
}

function isOf({ metadata }: SomeClaim, pod: SomePod): boolean {
  return (
    metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid) ?? false
  )
}

/** The server takes no more consumers of a claim that is being deleted. */
function mayReserve({ metadata: { deletionTimestamp }, status }: SomeClaim, { metadata }: SomePod): boolean {
  const { allocation, reservedFor = [] } = status
  return (
    allocation !== undefined &&
    deletionTimestamp === undefined &&
    reservedFor.length < consumersMax &&
    !reservedFor.some(({ uid }) => uid === metadata.uid)
  )
}

/** The beginning of a claim's name; of long ones both parts keep their share. */
export function generateNameOf(pod: string, claim: string): string {
  const whole = `${pod}-${claim}-`
  if (whole.length <= baseMax) return whole
  // No part of a name ends with a dot: cut there, the name of the pod would make one that the server refuses.
  const cut = (text: string): string =>
    text.slice(0, Math.floor((text.length * baseMax) / whole.length)).replace(/\.+$/, '')
  return `${cut(pod)}-${cut(claim)}-`
}

export interface ClaimPlan {
  /** Consumers that stay; undefined: all do. */
  readonly reservedFor: readonly Frozen<ResourceClaimConsumerReference>[] | undefined
  /** Its devices are free again, and it may go. */
  readonly deallocate: boolean
  /** It was made for a pod that is done with it. */
  readonly remove: boolean
}

/** `podAt`: the pod of that name, as it is for certain; undefined: there is none. */
export function planClaim(claim: SomeClaim, podAt: (name: string) => SomePod | undefined): ClaimPlan {
  const { metadata, status } = claim
  const before = status.reservedFor ?? []
  const kept = before.filter((consumer) => uses(consumer, podAt))
  const isUnused = kept.length === 0
  const isReleased = kept.length < before.length || metadata.deletionTimestamp !== undefined
  return {
    reservedFor: kept.length < before.length ? kept : undefined,
    deallocate: isUnused && isReleased && metadata.finalizers?.includes(protection) === true,
    remove: isUnused && metadata.deletionTimestamp === undefined && isLeft(claim, podAt),
  }
}

/** Other consumers are for others to judge. */
function uses(consumer: Frozen<ResourceClaimConsumerReference>, podAt: (name: string) => SomePod | undefined): boolean {
  if (!isPod(consumer)) return true
  const pod = podAt(consumer.name)
  return pod !== undefined && pod.metadata.uid === consumer.uid && !isDone(pod)
}

function isPod({ apiGroup = '', resource }: Frozen<ResourceClaimConsumerReference>): boolean {
  return apiGroup === '' && resource === 'pods'
}

/** Pods that the plan of a claim needs to know: those that use it, and the one that it was made for. */
export function podsOfClaim({ metadata, status }: SomeClaim): { readonly name: string; readonly uid: string }[] {
  const owner = podOwner(metadata)
  return [...(status.reservedFor ?? []).filter(isPod), ...(owner ? [owner] : [])]
}

/** Claims of pods that are gone are the garbage collector's. */
function isLeft({ metadata }: SomeClaim, podAt: (name: string) => SomePod | undefined): boolean {
  const owner = podOwner(metadata)
  const pod = owner && podAt(owner.name)
  return pod !== undefined && (pod.metadata.uid !== owner?.uid || isDone(pod))
}

/** The pod that a claim was made for. */
export function podOwner({
  ownerReferences,
}: SomeClaim['metadata']): { readonly name: string; readonly uid: string } | undefined {
  return ownerReferences?.find(
    ({ controller, kind, apiVersion }) => controller === true && kind === 'Pod' && apiVersion === 'v1',
  )
}
