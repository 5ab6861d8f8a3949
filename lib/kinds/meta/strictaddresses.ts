import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateCidr,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from '../../object/index.ts'
import type { KindContext } from '../definition.ts'

/** An address or a block of addresses in a field that once took more forms than today. */
export interface LocatedAddress {
  readonly path: FieldPath
  readonly value: string
  readonly form: 'ip' | 'cidr'
}

/**
 * Refuses forms that programs read in different ways: leading zeros, IPv4 within IPv6, bits behind the prefix. Values that
 * the object had before stay valid, as its users may not be able to change them. Other checks refuse invalid addresses.
 */
export function checkStrictAddresses(
  errors: FieldError[],
  now: Iterable<LocatedAddress>,
  before: Iterable<LocatedAddress>,
  { gate }: KindContext,
): void {
  if (!gate('StrictIPCIDRValidation')) return
  let kept: ReadonlySet<string> | undefined
  for (const { path, value, form } of now) {
    const [strict, legacy] = form === 'ip' ? [validateIp, validateLegacyIp] : [validateCidr, validateLegacyCidr]
    const findings = strict(value)
    if (findings.length === 0 || legacy(value).length > 0) continue
    kept ??= new Set(Array.from(before, (address) => address.value))
    if (!kept.has(value)) for (const finding of findings) errors.push(fieldErrors.invalid(path, value, finding))
  }
}

export function locateIps(values: readonly string[] | undefined, path: FieldPath): LocatedAddress[] {
  return (values ?? []).map((value, index) => ({ path: path.index(index), value, form: 'ip' }))
}

export function locateCidrs(values: readonly string[] | undefined, path: FieldPath): LocatedAddress[] {
  return (values ?? []).map((value, index) => ({ path: path.index(index), value, form: 'cidr' }))
}
