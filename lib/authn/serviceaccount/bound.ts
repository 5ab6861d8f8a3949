import { isRecord } from '../../base/index.ts'
import { type ApiObject, quote } from '../../object/index.ts'
import { readSeconds } from '../jws.ts'
import type { Validation } from './authenticator.ts'
import type { BoundClaims, ObjectClaim } from './claims.ts'
import type { Lookup } from './lookup.ts'
import type { TokenMetrics } from './metrics.ts'

interface Claims {
  readonly subject: string
  readonly id: string
  readonly notAfter: number
  readonly notBefore: number
  readonly issuedAt: number
  readonly bound: BoundClaims
}

/** How long a token outlives an object that is being deleted. */
const deletionGraceMs = 60_000
/** Tolerated difference between the clocks of replicas. */
const issuedAtLeewayMs = 60_000

/** Undefined when a claim is missing or of another type. */
export function readBoundClaims(claims: Readonly<Record<string, unknown>>): Claims | undefined {
  const bound = claims['kubernetes.io']
  const { sub, jti = '' } = claims
  const notAfter = readSeconds(claims['exp'])
  const [notBefore, issuedAt] = [readSeconds(claims['nbf'] ?? 0), readSeconds(claims['iat'] ?? 0)]
  if (notAfter === undefined || notBefore === undefined || issuedAt === undefined) return undefined
  if (typeof sub !== 'string' || typeof jti !== 'string') return undefined
  if (!isRecord(bound) || typeof bound['namespace'] !== 'string') return undefined
  const { namespace, serviceaccount, pod, secret, node } = bound
  const account = readObjectClaim(serviceaccount)
  const warnafter = readSeconds(bound['warnafter'] ?? 0)
  if (account === undefined || warnafter === undefined) return undefined
  const references = { pod, secret, node }
  const objects: Partial<Record<keyof typeof references, ObjectClaim>> = {}
  for (const [name, value] of Object.entries(references) as [keyof typeof references, unknown][]) {
    if (value === undefined || value === null) continue
    const object = readObjectClaim(value)
    if (object === undefined) return undefined
    objects[name] = object
  }
  return {
    subject: sub,
    id: jti,
    notAfter,
    notBefore,
    issuedAt,
    bound: { namespace, serviceaccount: account, ...objects, ...(warnafter === 0 ? {} : { warnafter }) },
  }
}

function readObjectClaim(value: unknown): ObjectClaim | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined
  const { name, uid } = value
  if (uid === undefined || uid === null) return { name }
  return typeof uid === 'string' ? { name, uid } : undefined
}

/** Checks that the token is valid now, and that the objects it is bound to still exist. */
export async function validateBound(
  claims: Claims,
  { nowMs, lookup, signal, record }: { nowMs: number; lookup: Lookup; signal: AbortSignal; record: TokenMetrics },
): Promise<Validation> {
  const { bound, id } = claims
  if (nowMs >= claims.notAfter * 1000) return { reason: 'service account token has expired' }
  if (nowMs < claims.notBefore * 1000) return { reason: 'service account token is not valid yet' }
  if (nowMs + issuedAtLeewayMs < claims.issuedAt * 1000)
    return { reason: 'service account token is issued in the future' }
  const { namespace, serviceaccount, secret, pod, node } = bound
  const check = async (
    resource: Parameters<Lookup>[0],
    claim: ObjectClaim | undefined,
  ): Promise<string | undefined> => {
    if (claim === undefined) return undefined
    const found = await lookup(resource, resource === 'nodes' ? '' : namespace, claim.name, signal)
    return whyGone(resource, namespace, found, claim, nowMs)
  }
  const reason =
    (await check('serviceaccounts', serviceaccount)) ??
    (await check('secrets', secret)) ??
    (await check('pods', pod)) ??
    // With a pod, the node is where the pod was when the token was made: information, not a condition.
    (pod === undefined ? await check('nodes', node) : undefined)
  if (reason !== undefined) return { reason }
  const annotations = noteAge(claims, nowMs, record)
  return { namespace, name: serviceaccount.name, uid: serviceaccount.uid ?? '', extra: extraOf(id, bound), annotations }
}

/** Objects that a token may be bound to, with their names in messages and their claims. */
const boundTo = {
  serviceaccounts: ['service account', 'claim'],
  secrets: ['secret', 'service account secret ref claim'],
  pods: ['pod', 'service account pod ref claim'],
  nodes: ['node', 'service account node ref claim'],
} as const

function whyGone(
  resource: Parameters<Lookup>[0],
  namespace: string,
  object: ApiObject | undefined,
  { name, uid = '' }: ObjectClaim,
  nowMs: number,
): string | undefined {
  if (object === undefined || isLongDeleted(object, nowMs)) {
    if (resource !== 'serviceaccounts') return 'service account token has been invalidated'
    return whyNoAccount(namespace, name, object)
  }
  const actual = object.metadata.uid ?? ''
  const [kind, claim] = boundTo[resource]
  return actual === uid ? undefined : `${kind} UID (${actual}) does not match ${claim} (${uid})`
}

/** The reason to refuse a token whose account no longer exists. */
export function whyNoAccount(namespace: string, name: string, account: ApiObject | undefined): string {
  return account === undefined
    ? `serviceaccounts ${quote(name)} not found`
    : `service account ${namespace}/${name} has been deleted`
}

/** Deleted for so long that tokens bound to it are refused. */
export function isLongDeleted({ metadata: { deletionTimestamp } }: ApiObject, nowMs: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - deletionGraceMs
}

function noteAge({ bound, subject }: Claims, nowMs: number, record: TokenMetrics): Record<string, string> {
  const nowSeconds = nowMs / 1000
  const { warnafter } = bound
  if (warnafter === undefined || warnafter === 0 || nowSeconds <= warnafter) {
    record.valid()
    return {}
  }
  record.stale()
  const overdue = Math.round(nowSeconds - warnafter)
  return { 'authentication.k8s.io/stale-token': `subject: ${subject}, seconds after warning threshold: ${overdue}` }
}

function extraOf(id: string, { pod, node }: BoundClaims): Record<string, readonly string[]> {
  const prefix = 'authentication.kubernetes.io'
  return {
    ...(id === '' ? {} : { [`${prefix}/credential-id`]: [`JTI=${id}`] }),
    ...(node && { [`${prefix}/node-name`]: [node.name] }),
    ...(node?.uid === undefined ? {} : { [`${prefix}/node-uid`]: [node.uid] }),
    ...(pod && { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid ?? ''] }),
  }
}
