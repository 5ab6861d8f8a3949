import type { Node } from '../../../api/gen/core/v1.ts'
import type { Closable } from '../../base/index.ts'
import { hostPort, type ServiceAddress } from '../../client/index.ts'
import { StatusError } from '../../object/index.ts'
import { createServers, type ForwardTarget } from '../../proxy/index.ts'
import type { NodeProxyDependencies, NodeProxyOptions } from '../contract.ts'
import { isAllowed } from '../guard.ts'
import { findObject } from '../objects.ts'

/** A node's kubelet, and how to connect to it. */
export interface Kubelet {
  readonly address: ServiceAddress
  /** `https://host:port`, for error messages. */
  readonly origin: string
  /** It declares that it serves WebSockets of commands, terminals and ports itself. */
  readonly servesWebSockets: boolean
  readonly verified: ForwardTarget
  /** As `verified`, but only at allowed addresses. */
  readonly guarded: ForwardTarget
  /** Its certificate is not verified. */
  readonly unverified: ForwardTarget
}

export interface Kubelets extends Closable {
  /** Throws 404 when there is no such node, 500 when it has no address. */
  of(nodeName: string): Promise<Kubelet>
  close(): void
}

export function createKubelets(
  { clock, registry, credentials, authorities, dialer }: NodeProxyDependencies,
  { preferredAddressTypes, kubeletPort, connectTimeoutMs }: NodeProxyOptions,
): Kubelets {
  const options = { clock, scheme: 'https', credentials, connectTimeoutMs, dialer } as const
  const verified = createServers({ ...options, authorities })
  const guarded = createServers({ ...options, authorities, isAllowed })
  const unverified = createServers(options)
  return {
    async of(nodeName) {
      // The registry's nodes have been decoded by their table.
      const node = (await findObject(registry, { group: '', resource: 'nodes' }, '', nodeName)) as Node
      const published = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0
      const address = {
        host: preferredAddress(node, preferredAddressTypes),
        port: published > 0 ? published : kubeletPort,
      }
      return {
        address,
        origin: `https://${hostPort(address)}`,
        servesWebSockets: node.status?.declaredFeatures?.includes('ExtendWebSocketsToKubelet') === true,
        verified: verified.at(address),
        guarded: guarded.at(address),
        unverified: unverified.at(address),
      }
    },
    close() {
      verified.close()
      guarded.close()
      unverified.close()
    },
  }
}

function preferredAddress({ status }: Node, types: readonly string[]): string {
  const known = status?.addresses ?? []
  for (const type of types)
    for (const { type: of, address } of known) if (of === type && address !== undefined) return address
  const list = known.map(({ type, address }) => `{${type} ${address}}`).join(' ')
  throw new StatusError(500, '', `no preferred addresses found; known addresses: [${list}]`)
}
