import type { Secret } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'

export const bootstrapTokenType = 'bootstrap.kubernetes.io/token'
export const systemNamespace = 'kube-system'

/** When a bootstrap token expires. Undefined: never. An invalid time counts as long past. */
export function expirationMs({ data }: Frozen<Secret>): number | undefined {
  const text = dataText(data, 'expiration')
  if (text === '') return undefined
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs
}

/** A value of a secret as text; '' for none. */
export function dataText(data: Frozen<Secret>['data'], key: string): string {
  if (data === undefined || !Object.hasOwn(data, key)) return ''
  const value: unknown = data[key]
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString()
  return value instanceof Uint8Array ? Buffer.from(value).toString() : ''
}
