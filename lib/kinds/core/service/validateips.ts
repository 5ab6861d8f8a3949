import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, FieldPath, fieldErrors, validateLegacyIp } from '../../../object/index.ts'
import { checkFormat, checkSupported } from '../../check.ts'
import { familyOf, isHeadless } from './shape.ts'

export const serviceFieldPath = FieldPath.root('spec')
const ipsPath = serviceFieldPath.child('clusterIPs')
const familiesPath = serviceFieldPath.child('ipFamilies')
const policyPath = serviceFieldPath.child('ipFamilyPolicy')

/** Checks addresses, families and policy, each alone and all together. */
export function checkClusterIps(errors: FieldError[], spec: core.ServiceSpec): void {
  if (spec.type === 'ExternalName') return
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec
  const invalid = (why: string): void => void errors.push(fieldErrors.invalid(ipsPath, clusterIPs, why))
  let isClean = true
  if (clusterIP !== '' && clusterIPs.length === 0) errors.push(fieldErrors.required(ipsPath))
  if (clusterIP === '' && clusterIPs.length > 0) {
    invalid('must be empty when `clusterIP` is not specified')
    isClean = false
  } else if (clusterIPs.length > 0 && clusterIPs[0] !== clusterIP) invalid('first value must match `clusterIP`')

  const seen = new Set<string>()
  ipFamilies.forEach((family, index) => {
    checkSupported(errors, family, familiesPath.index(index), ['IPv4', 'IPv6'])
    if (seen.has(family)) errors.push(fieldErrors.duplicate(familiesPath.index(index), family))
    seen.add(family)
  })
  if (ipFamilyPolicy !== undefined)
    checkSupported(errors, ipFamilyPolicy, policyPath, ['PreferDualStack', 'RequireDualStack', 'SingleStack'])
  clusterIPs.forEach((address, index) => {
    if (index === 0 && address === 'None') {
      if (clusterIPs.length === 1) return
      invalid("'None' must be the first and only value")
      isClean = false
    } else {
      checkFormat(errors, address, ipsPath.index(index), validateLegacyIp)
      if (familyOf(address) === undefined) isClean = false
    }
  })
  if (clusterIPs.length > 2) invalid('may only hold up to 2 values')
  else if (isClean) checkMatch(errors, spec)
}

function checkMatch(errors: FieldError[], spec: core.ServiceSpec): void {
  const { clusterIPs = [], ipFamilies = [] } = spec
  const [first = '', second] = clusterIPs
  if (second !== undefined && familyOf(first) === familyOf(second))
    errors.push(fieldErrors.invalid(ipsPath, clusterIPs, 'may specify no more than one IP for each IP family'))
  if (isHeadless(spec)) return
  clusterIPs.forEach((address, index) => {
    const expected = ipFamilies[index]
    if ((expected !== 'IPv4' && expected !== 'IPv6') || familyOf(address) === expected) return
    const why = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``
    errors.push(fieldErrors.invalid(ipsPath.index(index), address, why))
  })
}

/** Allocated addresses stay; the second of two may be added and removed, with a policy that allows it. */
export function checkIpsUpdate(errors: FieldError[], now: core.ServiceSpec, before: core.ServiceSpec): void {
  if (now.type === 'ExternalName' || before.type === 'ExternalName') return
  const bothHeadless = isHeadless(now) && isHeadless(before)
  if (!bothHeadless) checkListUpdate(errors, now, before, 'clusterIPs', 'clusterIP')
  checkListUpdate(errors, now, before, 'ipFamilies', 'ipFamily')
}

function checkListUpdate(
  errors: FieldError[],
  spec: core.ServiceSpec,
  before: core.ServiceSpec,
  list: 'clusterIPs' | 'ipFamilies',
  singular: string,
): void {
  const now = spec[list] ?? []
  const old = before[list] ?? []
  const path = serviceFieldPath.child(list)
  const changed = (index: number): void =>
    void errors.push(fieldErrors.invalid(path.index(index), now, 'may not change once set'))
  if (now.length === old.length) {
    now.forEach((value, index) => {
      if (value !== old[index]) changed(index)
    })
    return
  }
  if (now.length === 0) {
    errors.push(fieldErrors.invalid(path.index(0), spec[list], `primary ${singular} can not be unset`))
    return
  }
  if (old.length > 0 && now[0] !== old[0]) changed(0)
  if (old.length > now.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const why = `must be set to 'SingleStack' when releasing the secondary ${singular}`
    errors.push(fieldErrors.invalid(policyPath, spec.ipFamilyPolicy, why))
  }
}
