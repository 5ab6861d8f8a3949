import { isIP } from 'node:net'
import type { EndpointAddress, Endpoints, Pod, Service } from '../../../api/gen/core/v1.ts'
import type { ServiceAddress } from '../../client/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'
import type { NodeProxyDependencies } from '../contract.ts'
import { isAllowed, requireAllowed } from '../guard.ts'
import type { Kubelets } from '../kubelet/kubelets.ts'
import { findObject } from '../objects.ts'
import { type ProxyId, parseProxyId, portNumber } from '../proxyid.ts'
import type { ProxyTarget } from '../target.ts'
import type { ProxyKind } from './proxies.ts'

/** Connects to a server that is not a kubelet; its certificate is not verified. */
type Connect = (scheme: ProxyId['scheme'], address: ServiceAddress) => ProxyTarget

const core = (resource: string) => ({ group: '', version: 'v1', resource })
const defaultPorts = { http: 80, https: 443 } as const

export function proxyKinds(dependencies: NodeProxyDependencies, kubelets: Kubelets, connect: Connect): ProxyKind[] {
  const { registry } = dependencies
  return [
    {
      gvr: core('pods'),
      namespaced: true,
      optionsKind: 'PodProxyOptions',
      async locate(namespace, id) {
        const { scheme, name, port } = parseProxyId(id, 'pod')
        // The registry's objects have been decoded by their tables.
        const pod = (await findObject(registry, core('pods'), namespace, name)) as Pod
        const host = pod.status?.podIP ?? ''
        requireAllowed(host)
        const chosen = port === '' ? (firstPort(pod) ?? defaultPorts[scheme]) : portNumber(port, id, 'pod')
        return connect(scheme, { host, port: chosen })
      },
    },
    {
      gvr: core('services'),
      namespaced: true,
      optionsKind: 'ServiceProxyOptions',
      async locate(namespace, id) {
        const asked = parseProxyId(id, 'service')
        return connect(asked.scheme, await endpointOf(dependencies, namespace, id, asked))
      },
    },
    {
      gvr: core('nodes'),
      namespaced: false,
      optionsKind: 'NodeProxyOptions',
      async locate(_namespace, id) {
        const { scheme, name, port } = parseProxyId(id, 'node')
        const kubelet = await kubelets.of(name)
        const { host } = kubelet.address
        // The addresses of a name are checked when it is connected to.
        if (isIP(host) !== 0) requireAllowed(host)
        if (port === '' || port === String(kubelet.address.port))
          return { address: kubelet.address, server: kubelet.guarded }
        return connect(scheme, { host, port: portNumber(port, id, 'node') })
      },
    },
  ]
}

function firstPort({ spec }: Pod): number | undefined {
  return spec?.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort
}

/** One of the service's ready endpoints that is a pod of its namespace, at random. */
async function endpointOf(
  { registry, random }: NodeProxyDependencies,
  namespace: string,
  id: string,
  { name, port }: ProxyId,
): Promise<ServiceAddress> {
  const portName = /^-?\d+$/.test(port) ? await nameOfPort(registry, namespace, name, port) : port
  const { subsets = [] } = (await findObject(registry, core('endpoints'), namespace, name)) as Endpoints
  if (subsets.length === 0) throw statusErrors.unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
  for (const { addresses = [], ports = [] } of fromAnywhere(subsets, random)) {
    const number = ports.find((one) => (one.name ?? '') === portName)?.port
    if (number === undefined) continue
    for (const address of fromAnywhere(addresses, random))
      if (await isOwnPod(registry, namespace, address)) return { host: address.ip ?? '', port: number }
  }
  throw statusErrors.unavailable(`no endpoints available for service ${JSON.stringify(id)}`)
}

async function nameOfPort(
  registry: NodeProxyDependencies['registry'],
  namespace: string,
  name: string,
  port: string,
): Promise<string> {
  const { spec } = (await findObject(registry, core('services'), namespace, name)) as Service
  const known = spec?.ports?.find((one) => one.port === Number(port))
  if (known) return known.name ?? ''
  throw statusErrors.unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`)
}

/** All items, beginning with a random one. */
function fromAnywhere<Item>(items: readonly Item[], random: NodeProxyDependencies['random']): Item[] {
  const start = items.length === 0 ? 0 : random.below(items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}

/** Users can write endpoints: only those of pods of the same namespace are used. */
async function isOwnPod(
  registry: NodeProxyDependencies['registry'],
  namespace: string,
  { ip, targetRef }: EndpointAddress,
): Promise<boolean> {
  if (!targetRef || targetRef.namespace !== namespace || !isAllowed(ip)) return false
  try {
    const pod = (await findObject(registry, core('pods'), namespace, targetRef.name ?? '')) as Pod
    return (pod.status?.podIPs ?? []).some((one) => one.ip === ip)
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return false
    throw error
  }
}
