import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseIp,
  validateDns1123Subdomain,
  validateLegacyIp,
} from '../../../object/index.ts'
import { checkFormat, checkSupported } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkStrictAddresses, type LocatedAddress } from '../../meta/strictaddresses.ts'
import { serviceSpec } from './shape.ts'

const path = FieldPath.root('status').child('loadBalancer').child('ingress')
const entriesOf = (object: ApiObject): readonly core.LoadBalancerIngress[] =>
  (object['status'] as core.ServiceStatus | undefined)?.loadBalancer?.ingress ?? []

export function validateServiceStatus(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const entries = entriesOf(object)
  const isBalancer = serviceSpec(object).type === 'LoadBalancer'
  if (!isBalancer && entries.length > 0 && !deepEqual(entries, entriesOf(old)))
    errors.push(fieldErrors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'"))
  entries.forEach(({ ip = '', hostname = '', ipMode }, index) => {
    const at = path.index(index)
    if (ip !== '') {
      checkFormat(errors, ip, at.child('ip'), validateLegacyIp)
      if (ipMode === undefined)
        errors.push(fieldErrors.required(at.child('ipMode'), 'must be specified when `ip` is set'))
    } else if (ipMode !== undefined)
      errors.push(fieldErrors.forbidden(at.child('ipMode'), 'may not be specified when `ip` is not set'))
    if (ipMode !== undefined) checkSupported(errors, ipMode, at.child('ipMode'), ['Proxy', 'VIP'])
    if (hostname === '') return
    checkFormat(errors, hostname, at.child('hostname'), validateDns1123Subdomain)
    if (parseIp(hostname))
      errors.push(fieldErrors.invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'))
  })
  checkStrictAddresses(errors, addressesOf(object), addressesOf(old), context)
  return errors
}

function addressesOf(object: ApiObject): LocatedAddress[] {
  return entriesOf(object).map(({ ip = '' }, index) => ({ path: path.index(index).child('ip'), value: ip, form: 'ip' }))
}
