import type * as core from '../../../../api/gen/core/v1.ts'

/** The addresses of one port: ready or not. */
interface PortAddresses {
  /** Undefined: addresses without any port. */
  readonly port: core.EndpointPort | undefined
  readonly ready: Map<string, boolean>
}

/**
 * The same endpoints in their one form: every address once per port, ports with the same addresses together, all in
 * order. An address that is both ready and not ready is not. Two subsets `{a: 80}`, `{a: 81}` become `{a: 80, 81}`.
 */
export function repackSubsets(subsets: readonly core.EndpointSubset[]): core.EndpointSubset[] {
  const addresses = new Map<string, core.EndpointAddress>()
  const byPort = new Map<string, PortAddresses>()
  for (const { addresses: ready = [], notReadyAddresses: notReady = [], ports = [] } of subsets)
    for (const port of ports.length > 0 ? ports : [undefined]) {
      const name = JSON.stringify(port ? [port.name ?? '', port.port, port.protocol, port.appProtocol] : [])
      const group = byPort.get(name) ?? { port, ready: new Map<string, boolean>() }
      byPort.set(name, group)
      for (const address of ready) add(addresses, group, address, true)
      for (const address of notReady) add(addresses, group, address, false)
    }
  return regroup(addresses, byPort)
}

function add(
  addresses: Map<string, core.EndpointAddress>,
  { ready }: PortAddresses,
  address: core.EndpointAddress,
  isReady: boolean,
): void {
  // The same address of two pods counts as two.
  const key = `${address.ip} ${address.targetRef?.uid ?? ''}`
  if (!addresses.has(key)) addresses.set(key, address)
  if (ready.get(key) !== false) ready.set(key, isReady)
}

function regroup(
  addresses: ReadonlyMap<string, core.EndpointAddress>,
  byPort: ReadonlyMap<string, PortAddresses>,
): core.EndpointSubset[] {
  const bySet = new Map<string, { keys: readonly (readonly [string, boolean])[]; ports: core.EndpointPort[] }>()
  for (const { port, ready } of byPort.values()) {
    const keys = [...ready].sort(([left], [right]) => (left < right ? -1 : 1))
    // What has no port stays apart from what has one.
    const name = JSON.stringify([port === undefined, keys])
    const group = bySet.get(name) ?? { keys, ports: [] }
    bySet.set(name, group)
    if (port) group.ports.push(port)
  }
  return [...bySet.values()].map(({ keys, ports }) => {
    const pick = (wanted: boolean): core.EndpointAddress[] =>
      keys.flatMap(([key, ready]) => (ready === wanted ? (addresses.get(key) ?? []) : []))
    const ready = pick(true)
    const notReady = pick(false)
    ports.sort((left, right) => left.port - right.port || compare(left.name, right.name))
    return {
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
      ...(ports.length > 0 ? { ports } : {}),
    }
  })
}

function compare(left = '', right = ''): number {
  return left < right ? -1 : left > right ? 1 : 0
}
