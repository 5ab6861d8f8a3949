import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, fieldErrors, validateLegacyIp, validatePortNumber } from '../../../object/index.ts'
import { checkFormat, checkNumber, checkRequiredChoice, checkSupported } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkReachableAddress } from '../../meta/addresses.ts'
import { familyOf, isExternallyAccessible, isInternallyAccessible, needsHealthCheckPort } from './shape.ts'
import { serviceFieldPath as path } from './validateips.ts'

const timeoutSecondsMax = 86_400
const policies = ['Cluster', 'Local']

/** External traffic, load balancing and session affinity of a Service. */
export function checkTraffic(errors: FieldError[], spec: core.ServiceSpec, context: KindContext): void {
  checkAffinity(errors, spec)
  spec.externalIPs?.forEach((address, index) => {
    const at = path.child('externalIPs').index(index)
    if (familyOf(address) === undefined) checkFormat(errors, address, at, validateLegacyIp)
    else checkReachableAddress(errors, address, at)
  })
  checkExternal(errors, spec)
  if (isInternallyAccessible(spec)) {
    const at = path.child('internalTrafficPolicy')
    if (spec.internalTrafficPolicy === undefined) errors.push(fieldErrors.required(at))
    else checkSupported(errors, spec.internalTrafficPolicy, at, policies)
  }
  if (spec.trafficDistribution === undefined) return
  const further = context.gate('PreferSameTrafficDistribution') ? ['PreferSameZone', 'PreferSameNode'] : []
  checkSupported(errors, spec.trafficDistribution, path.child('trafficDistribution'), ['PreferClose', ...further])
}

function checkAffinity(errors: FieldError[], { sessionAffinity, sessionAffinityConfig }: core.ServiceSpec): void {
  checkRequiredChoice(errors, sessionAffinity, path.child('sessionAffinity'), ['ClientIP', 'None'])
  const at = path.child('sessionAffinityConfig')
  if (sessionAffinity === 'None' && sessionAffinityConfig)
    errors.push(fieldErrors.forbidden(at, 'must not be set when session affinity is None'))
  if (sessionAffinity !== 'ClientIP') return
  const missing = 'when session affinity type is ClientIP'
  const clientIp = sessionAffinityConfig?.clientIP
  const seconds = clientIp?.timeoutSeconds
  if (!sessionAffinityConfig) errors.push(fieldErrors.required(at, missing))
  else if (!clientIp) errors.push(fieldErrors.required(at.child('clientIP'), missing))
  else if (seconds === undefined)
    errors.push(fieldErrors.required(at.child('clientIP').child('timeoutSeconds'), missing))
  else if (seconds <= 0 || seconds > timeoutSecondsMax) {
    const why = `must be greater than 0 and less than ${timeoutSecondsMax}`
    errors.push(fieldErrors.invalid(at.child('clientIP').child('timeoutSeconds'), seconds, why))
  }
}

function checkExternal(errors: FieldError[], spec: core.ServiceSpec): void {
  const { externalTrafficPolicy = '', healthCheckNodePort = 0 } = spec
  const at = path.child('externalTrafficPolicy')
  if (isExternallyAccessible(spec)) checkRequiredChoice(errors, externalTrafficPolicy, at, policies)
  else if (externalTrafficPolicy !== '')
    errors.push(fieldErrors.invalid(at, externalTrafficPolicy, 'may only be set for externally-accessible services'))
  const port = path.child('healthCheckNodePort')
  if (needsHealthCheckPort(spec)) {
    if (healthCheckNodePort === 0) errors.push(fieldErrors.required(port))
    else checkNumber(errors, healthCheckNodePort, port, validatePortNumber)
  } else if (healthCheckNodePort !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    errors.push(fieldErrors.invalid(port, healthCheckNodePort, why))
  }
}

export function checkTrafficUpdate(errors: FieldError[], now: core.ServiceSpec, before: core.ServiceSpec): void {
  if (!needsHealthCheckPort(now) || !needsHealthCheckPort(before)) return
  if ((now.healthCheckNodePort ?? 0) !== (before.healthCheckNodePort ?? 0))
    errors.push(fieldErrors.forbidden(path.child('healthCheckNodePort'), 'field is immutable'))
}
