import type * as core from '../../../../api/gen/core/v1.ts'
import { deepEqual, type FieldError, fieldErrors, type IpFamily } from '../../../object/index.ts'
import { familyOf, isHeadless, needsClusterIp } from './shape.ts'
import { checkClusterIps, serviceFieldPath } from './validateips.ts'

/**
 * Decides `ipFamilies` and `ipFamilyPolicy` of a service with addresses, in place, from the client's choice, the
 * earlier decision (`before`: its old spec) and the families of the cluster (primary first). Returns what is wrong with
 * the client's choice; then nothing was changed.
 */
export function chooseFamilies(
  spec: core.ServiceSpec,
  before: core.ServiceSpec | undefined,
  configured: readonly IpFamily[],
): FieldError[] {
  if (!needsClusterIp(spec)) return []
  const errors: FieldError[] = []
  checkClusterIps(errors, spec)
  if (errors.length > 0) return errors
  if (before && needsClusterIp(before)) continueFrom(spec, before)
  const wished = familiesOf(spec)
  checkPolicy(errors, spec, wished, configured)
  if (errors.length > 0) return errors

  const policy = (spec.ipFamilyPolicy ??= defaultPolicy(spec, wished))
  const [primary = 'IPv4'] = configured
  const families = wished.length > 0 ? wished : [primary]
  const other: IpFamily = families[0] === 'IPv4' ? 'IPv6' : 'IPv4'
  const isOpen = isHeadless(spec) && !hasSelector(spec)
  const isDual = policy !== 'SingleStack' && (configured.length > 1 || (isOpen && policy === 'RequireDualStack'))
  spec.ipFamilies = isDual && families.length === 1 ? [families[0] ?? primary, other] : families
  return []
}

/** Keeps fields that a client leaves out; the second address is released when the client requests a single family. */
function continueFrom(spec: core.ServiceSpec, before: core.ServiceSpec): void {
  if (before.ipFamilyPolicy !== undefined) spec.ipFamilyPolicy ??= before.ipFamilyPolicy
  if (!spec.ipFamilies?.length && before.ipFamilies) spec.ipFamilies = [...before.ipFamilies]
  if (spec.ipFamilyPolicy !== 'SingleStack' || before.ipFamilyPolicy === 'SingleStack') return
  if (deepEqual(spec.clusterIPs, before.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1) ?? []
  if (deepEqual(spec.ipFamilies, before.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1) ?? []
}

/** The named families, else those of the addresses. */
function familiesOf({ ipFamilies = [], clusterIPs = [] }: core.ServiceSpec): IpFamily[] {
  const families = [...ipFamilies] as IpFamily[]
  for (const [index, address] of clusterIPs.entries()) {
    const family = familyOf(address)
    if (family && index >= families.length) families.push(family)
  }
  return families
}

function hasSelector({ selector }: core.ServiceSpec): boolean {
  return Object.keys(selector ?? {}).length > 0
}

function defaultPolicy(spec: core.ServiceSpec, families: readonly IpFamily[]): string {
  // Users may give a headless service without a selector endpoints of any family.
  if (isHeadless(spec) && !hasSelector(spec)) return 'RequireDualStack'
  return families.length > 1 ? 'RequireDualStack' : 'SingleStack'
}

function checkPolicy(
  errors: FieldError[],
  spec: core.ServiceSpec,
  families: readonly IpFamily[],
  configured: readonly IpFamily[],
): void {
  const policy = spec.ipFamilyPolicy
  const at = serviceFieldPath.child('ipFamilyPolicy')
  if (policy === 'SingleStack')
    for (const name of ['clusterIPs', 'ipFamilies'] as const)
      if ((spec[name]?.length ?? 0) > 1) {
        const why = `must be 'RequireDualStack' or 'PreferDualStack' when multiple '${name}' are specified`
        errors.push(fieldErrors.invalid(at, policy, why))
      }
  // No traffic is routed to a headless service without a selector: it may name any family.
  if (isHeadless(spec) && !hasSelector(spec)) return
  const wantsBoth = policy === 'RequireDualStack' || (policy === undefined && families.length > 1)
  if (wantsBoth && configured.length < 2)
    errors.push(fieldErrors.invalid(at, policy, 'this cluster is not configured for dual-stack services'))
  for (const [index, family] of families.entries())
    if (!configured.includes(family) && !(wantsBoth && configured.length < 2)) {
      const why = 'not configured on this cluster'
      errors.push(fieldErrors.invalid(serviceFieldPath.child('ipFamilies').index(index), family, why))
    }
}
