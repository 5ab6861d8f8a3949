import type { Pod, PodResourceClaim } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim, ResourceClaimConsumerReference } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { isTerminal } from '../shared/podstate.ts'

type SomePod = Frozen<Pod>
type SomeClaim = Frozen<ResourceClaim>

/** Names the pod's entry for which a claim was created. */
export const claimAnnotation = 'resource.kubernetes.io/pod-claim-name'
/** `true`: the scheduler created the claim for a pod's extended resources. */
export const extendedAnnotation = 'resource.kubernetes.io/extended-resource-claim'
export const protection = 'resource.kubernetes.io/delete-protection'
/** Maximum number of consumers of a claim. */
const consumersMax = 256
/** Maximum length of `<pod>-<claim>` before the random end of a name, in bytes. */
const baseMax = 57

/** The pod has finished, or will never run. */
export function isDone(pod: SomePod): boolean {
  return isTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && (pod.spec.nodeName ?? '') === '')
}

/** Names of all claims in a pod's spec and status. */
export function claimNamesOf({ spec, status }: SomePod): string[] {
  const extended = status.extendedResourceClaimStatus
  return [...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? []), ...(extended ? [extended] : [])]
    .map(({ resourceClaimName }) => resourceClaimName ?? '')
    .filter((name) => name !== '')
}

export interface PodPlan {
  /** Names of the pod's existing claims by entry; entries with templates only. */
  readonly known: ReadonlyMap<string, string>
  /** Entries whose claims are to be created from their templates. */
  readonly make: readonly Frozen<PodResourceClaim>[]
  /** Claims to be reserved for the pod, which is scheduled. */
  readonly reserve: readonly SomeClaim[]
}

/** `claims`: those of the pod's namespace by name; `owned`: those whose controller is the pod. */
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

/** `none`: the entry needs no claim. Undefined: its claim is to be created. */
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
  // A claim of another pod is never used: the pod gets its own claim instead, as in the stock controller.
  if (claim && isOf(claim, pod)) return claim
  // The claim was created, but its name was not written into the pod.
  return owned.find(({ metadata }) => metadata.annotations?.[claimAnnotation] === name)
}

function isOf({ metadata }: SomeClaim, pod: SomePod): boolean {
  return (
    metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid) ?? false
  )
}

/** The server accepts no new consumers of a claim that is being deleted. */
function mayReserve({ metadata: { deletionTimestamp }, status }: SomeClaim, { metadata }: SomePod): boolean {
  const { allocation, reservedFor = [] } = status
  return (
    allocation !== undefined &&
    deletionTimestamp === undefined &&
    reservedFor.length < consumersMax &&
    !reservedFor.some(({ uid }) => uid === metadata.uid)
  )
}

/** The prefix of a claim's name; of long names both parts are shortened in proportion. */
export function generateNameOf(pod: string, claim: string): string {
  const whole = `${pod}-${claim}-`
  if (whole.length <= baseMax) return whole
  // A part of a name must not end with a dot, as the shortened name of a pod might.
  const cut = (text: string): string =>
    text.slice(0, Math.floor((text.length * baseMax) / whole.length)).replace(/\.+$/, '')
  return `${cut(pod)}-${cut(claim)}-`
}

export interface ClaimPlan {
  /** The consumers that stay; undefined: all. */
  readonly reservedFor: readonly Frozen<ResourceClaimConsumerReference>[] | undefined
  /** Its devices are deallocated, and its finalizer is removed. */
  readonly deallocate: boolean
  /** It was created for a pod that has finished. */
  readonly remove: boolean
}

/** `podAt`: the present pod of that name; undefined: none. */
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

/** Consumers other than pods are left to other controllers. */
function uses(consumer: Frozen<ResourceClaimConsumerReference>, podAt: (name: string) => SomePod | undefined): boolean {
  if (!isPod(consumer)) return true
  const pod = podAt(consumer.name)
  return pod !== undefined && pod.metadata.uid === consumer.uid && !isDone(pod)
}

function isPod({ apiGroup = '', resource }: Frozen<ResourceClaimConsumerReference>): boolean {
  return apiGroup === '' && resource === 'pods'
}

/** Pods that the plan of a claim needs: its consumers, and the pod for which it was created. */
export function podsOfClaim({ metadata, status }: SomeClaim): { readonly name: string; readonly uid: string }[] {
  const owner = podOwner(metadata)
  return [...(status.reservedFor ?? []).filter(isPod), ...(owner ? [owner] : [])]
}

/** The garbage collector deletes the claims of deleted pods. */
function isLeft({ metadata }: SomeClaim, podAt: (name: string) => SomePod | undefined): boolean {
  const owner = podOwner(metadata)
  const pod = owner && podAt(owner.name)
  return pod !== undefined && (pod.metadata.uid !== owner?.uid || isDone(pod))
}

/** The pod for which a claim was created. */
export function podOwner({
  ownerReferences,
}: SomeClaim['metadata']): { readonly name: string; readonly uid: string } | undefined {
  return ownerReferences?.find(
    ({ controller, kind, apiVersion }) => controller === true && kind === 'Pod' && apiVersion === 'v1',
  )
}
