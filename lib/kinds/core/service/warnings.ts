import { appendAll } from '../../../base/index.ts'
import { type ApiObject, quote } from '../../../object/index.ts'
import { cidrWarnings, ipWarnings } from '../../meta/addresswarnings.ts'
import { serviceSpec } from './shape.ts'

const oldHints = 'service.kubernetes.io/topology-aware-hints'
const hints = 'service.kubernetes.io/topology-mode'

/** Warns of a service's fields that are deprecated or have no effect. */
export function serviceWarnings(object: ApiObject): string[] {
  const { annotations } = object.metadata
  const spec = serviceSpec(object)
  const { type, clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '', externalName = '' } = spec
  const found: string[] = []
  if (annotations?.[oldHints] !== undefined)
    found.push(`annotation ${oldHints} is deprecated, please use ${hints} instead`)
  if (clusterIP !== '' && clusterIP !== 'None')
    clusterIPs.forEach((ip, index) => appendAll(found, ipWarnings(`spec.clusterIPs[${index}]`, ip)))
  if (type === 'ClusterIP' && clusterIP === 'None') {
    if (loadBalancerIP !== '') found.push('spec.loadBalancerIP is ignored for headless services')
    if (externalIPs.length > 0) found.push('spec.externalIPs is ignored for headless services')
    if (spec.sessionAffinity !== 'None') found.push('spec.SessionAffinity is ignored for headless services')
  }
  externalIPs.forEach((ip, index) => appendAll(found, ipWarnings(`spec.externalIPs[${index}]`, ip)))
  if (loadBalancerIP !== '') appendAll(found, ipWarnings('spec.loadBalancerIP', loadBalancerIP))
  spec.loadBalancerSourceRanges?.forEach((cidr, index) =>
    appendAll(found, cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, cidr)),
  )
  if (type === 'ExternalName' && externalIPs.length > 0)
    found.push(`spec.externalIPs is ignored when spec.type is ${quote('ExternalName')}`)
  if (type !== 'ExternalName' && externalName !== '')
    found.push(`spec.externalName is ignored when spec.type is not ${quote('ExternalName')}`)
  return found
}
