import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat } from '../../check.ts'

/** The kernel's limit. */
const hostNameBytesMax = 64

export function checkHostName(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  if (spec.hostname) checkFormat(errors, spec.hostname, path.child('hostname'), validateDns1123Label)
  if (spec.subdomain) checkFormat(errors, spec.subdomain, path.child('subdomain'), validateDns1123Label)
  const { hostnameOverride } = spec
  if (hostnameOverride === undefined) return
  const at = path.child('hostnameOverride')
  const rival = (field: string): string => `may not be specified when ${field} is true`
  if (spec.setHostnameAsFQDN === true) errors.push(fieldErrors.forbidden(at, rival('setHostnameAsFQDN')))
  if (spec.hostNetwork === true) errors.push(fieldErrors.forbidden(at, rival('hostNetwork')))
  if (hostnameOverride.length > hostNameBytesMax) errors.push(fieldErrors.tooLong(at, hostNameBytesMax))
  checkFormat(errors, hostnameOverride, at, validateDns1123Subdomain)
}
