import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import type { Endpoint, EndpointHints, EndpointPort } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { type Frozen, type IpFamily, ipFamilyOf } from '../../object/index.ts'
import { hostnameOf } from '../shared/headless.ts'
import { addressesOf } from '../shared/podaddresses.ts'
import type { PodPort } from '../shared/podports.ts'
import { isReady } from '../shared/podstate.ts'

/** The address families of a service's endpoints. */
export function familiesOf({ spec }: Frozen<Service>): readonly string[] {
  if (spec.ipFamilies !== undefined && spec.ipFamilies.length > 0) return spec.ipFamilies
  const family = ipFamilyOf(spec.clusterIP ?? '')
  return family ? [family] : ['IPv4', 'IPv6']
}

/** The endpoint of a pod in one family; undefined where it has no address of that family. */
export function endpointOf(
  pod: Frozen<Pod>,
  service: Frozen<Service>,
  family: string,
  zone: string | undefined,
): Endpoint | undefined {
  const addresses = addressesOf(pod).filter((address) => ipFamilyOf(address) === (family as IpFamily))
  if (addresses.length === 0) return undefined
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const { nodeName } = pod.spec
  const serving = isReady(pod)
  const terminating = pod.metadata.deletionTimestamp !== undefined
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating)
  const hostname = hostnameOf(pod, service)
  const hints = ready ? hintsOf(service, zone, nodeName) : undefined
  return {
    addresses,
    conditions: { ready, serving, terminating },
    hostname,
    targetRef: { kind: 'Pod', namespace, name, uid },
    nodeName: nodeName || undefined,
    zone: zone || undefined,
    hints,
  }
}

function hintsOf(
  { spec }: Frozen<Service>,
  zone: string | undefined,
  node: string | undefined,
): EndpointHints | undefined {
  const isNear = ['PreferClose', 'PreferSameZone', 'PreferSameNode'].includes(spec.trafficDistribution ?? '')
  if (!isNear || zone === undefined || zone === '') return undefined
  const forZones = [{ name: zone }]
  if (spec.trafficDistribution !== 'PreferSameNode' || node === undefined) return { forZones }
  return { forZones, forNodes: [{ name: node }] }
}

/** Identifies an endpoint across changes of its state. */
export function identityOf({ addresses = [], hostname = '', targetRef }: Frozen<Endpoint>): string {
  return JSON.stringify([addresses, hostname, targetRef?.namespace ?? '', targetRef?.name ?? ''])
}

/** The ports of an endpoint slice for a service's ports on a pod. */
export function portsOf(ports: readonly PodPort[]): EndpointPort[] {
  return ports.map(({ of: { name = '', protocol = 'TCP', appProtocol }, number }) => ({
    name,
    protocol,
    port: number,
    appProtocol,
  }))
}
