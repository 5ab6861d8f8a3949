import type { Secret, ServiceAccount } from '../../../api/gen/core/v1.ts'
import { serviceAccountName } from '../../authn/index.ts'
import type { Frozen } from '../../object/index.ts'

const tokenType = 'kubernetes.io/service-account-token'
export const nameAnnotation = 'kubernetes.io/service-account.name'
export const uidAnnotation = 'kubernetes.io/service-account.uid'
const claimPrefix = 'kubernetes.io/serviceaccount/'

/** Name of the account of a token secret; undefined for other secrets. */
export function accountOf({ metadata, type }: Frozen<Secret>): string | undefined {
  const name = metadata.annotations?.[nameAnnotation] ?? ''
  return type === tokenType && name !== '' ? name : undefined
}

/** True: the secret is for this account, and not for an earlier one of its name. */
export function isFor({ metadata }: Frozen<Secret>, account: Frozen<ServiceAccount>): boolean {
  const uid = metadata.annotations?.[uidAnnotation] ?? ''
  return uid === '' || uid === account.metadata.uid
}

/** The token's claims. It never expires. */
export function claimsOf(secret: Frozen<Secret>, { metadata }: Frozen<ServiceAccount>): Record<string, string> {
  const { namespace = '', name = '', uid = '' } = metadata
  return {
    iss: 'kubernetes/serviceaccount',
    [`${claimPrefix}namespace`]: namespace,
    [`${claimPrefix}secret.name`]: secret.metadata.name ?? '',
    [`${claimPrefix}service-account.name`]: name,
    [`${claimPrefix}service-account.uid`]: uid,
    sub: serviceAccountName(namespace, name),
  }
}

/** The values that a secret lacks; undefined: none. An existing token stays. */
export function missing(
  { metadata, data = {} }: Frozen<Secret>,
  account: Frozen<ServiceAccount>,
  rootCa: string,
): { readonly token: boolean; readonly data: Readonly<Record<string, string>> } | undefined {
  const isMissing = (key: string): boolean => !Object.hasOwn(data, key) || lengthOf(data[key]) === 0
  const token = isMissing('token')
  const authority = Buffer.from(rootCa).toString('base64')
  const wrongCa = rootCa !== '' && textOf(data['ca.crt']) !== rootCa
  const wrongUid = metadata.annotations?.[uidAnnotation] !== account.metadata.uid
  if (!token && !wrongCa && !isMissing('namespace') && !wrongUid) return undefined
  return {
    token,
    data: {
      ...(wrongCa ? { 'ca.crt': authority } : {}),
      ...(isMissing('namespace') ? { namespace: Buffer.from(metadata.namespace ?? '').toString('base64') } : {}),
    },
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString()
  return value instanceof Uint8Array ? Buffer.from(value).toString() : ''
}
