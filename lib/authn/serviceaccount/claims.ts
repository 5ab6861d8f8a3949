import type { ApiObject } from '../../object/index.ts'

/** Name and uid of an object that a token refers to. */
export interface ObjectClaim {
  readonly name: string
  readonly uid?: string
}

/** The claim `kubernetes.io` of tokens that are issued on request. */
export interface BoundClaims {
  readonly namespace: string
  readonly node?: ObjectClaim
  readonly pod?: ObjectClaim
  readonly secret?: ObjectClaim
  readonly serviceaccount: ObjectClaim
  /** In seconds since the epoch; afterwards the token is only accepted for old clients. */
  readonly warnafter?: number
}

/** All claims of a token that is issued on request. */
export interface TokenClaims {
  readonly aud: readonly string[]
  readonly exp: number
  readonly iat: number
  readonly iss: string
  readonly jti: string
  readonly 'kubernetes.io': BoundClaims
  readonly nbf: number
  readonly sub: string
}

/** The issuer of legacy tokens. */
export const legacyIssuer = 'kubernetes/serviceaccount'

export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`
}

/** The groups of a namespace's service accounts. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** Namespace and name of a service account by its user name; undefined for other users. */
export function splitServiceAccountName(user: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] =
    /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?):([a-z0-9][-a-z0-9.]*)$/.exec(user) ?? []
  return namespace === undefined || name === undefined || name.length > 253 ? undefined : { namespace, name }
}

interface ClaimsOptions {
  readonly issuer: string
  readonly id: string
  readonly nowSeconds: number
  readonly lifetimeSeconds: number
  /** Lifetime after which its use is only tolerated. */
  readonly warnAfterSeconds?: number | undefined
  readonly audiences: readonly string[]
  readonly pod?: ApiObject | undefined
  readonly secret?: ApiObject | undefined
  readonly node?: ObjectClaim | undefined
}

/** The claims of a token for `account`. */
export function claimsFor(account: ApiObject, options: ClaimsOptions): TokenClaims {
  const { name = '', namespace = '' } = account.metadata
  const { nowSeconds, pod, secret, node, warnAfterSeconds } = options
  return {
    aud: options.audiences,
    exp: nowSeconds + options.lifetimeSeconds,
    iat: nowSeconds,
    iss: options.issuer,
    jti: options.id,
    'kubernetes.io': {
      namespace,
      node,
      pod: pod && claimOf(pod),
      secret: secret && claimOf(secret),
      serviceaccount: claimOf(account),
      warnafter: warnAfterSeconds === undefined ? undefined : nowSeconds + warnAfterSeconds,
    },
    nbf: nowSeconds,
    sub: serviceAccountName(namespace, name),
  }
}

/** Name and uid of an object. */
export function claimOf({ metadata: { name = '', uid } }: ApiObject): ObjectClaim {
  return { name, uid }
}
