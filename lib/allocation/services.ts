import type { Logger } from '../base/index.ts'
import { appendAll } from '../base/index.ts'
import {
  allocatesNodePorts,
  chooseFamilies,
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  serviceSpec,
} from '../kinds/index.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  type IpFamily,
  StatusError,
  statusErrors,
} from '../object/index.ts'
import type { EndAllocation, Registry, ResourceHooks, WriteContext } from '../registry/index.ts'
import { plainDeletion } from '../request/index.ts'
import { type ClusterIps, type OwningService, resourceOf } from './clusterips.ts'
import type { NodePorts } from './nodeports.ts'

type ServiceSpec = ReturnType<typeof serviceSpec>

const serviceKind = { group: '', kind: 'Service' }
const path = FieldPath.root('spec')

/**
 * The addresses and ports of one write: those it takes are released when it fails, those it gives up when it succeeds.
 */
class Transaction {
  readonly owner: OwningService
  readonly dryRun: boolean
  readonly taken = { addresses: [] as string[], ports: [] as number[] }
  readonly given = { addresses: [] as string[], ports: [] as number[] }
  readonly #name: string

  constructor({ metadata }: ApiObject, { dryRun }: WriteContext) {
    this.#name = metadata.name ?? ''
    this.owner = { namespace: metadata.namespace ?? '', name: this.#name }
    this.dryRun = dryRun
  }

  get isEmpty(): boolean {
    return [this.taken, this.given].every(({ addresses, ports }) => addresses.length === 0 && ports.length === 0)
  }

  invalid(errors: readonly FieldError[]): StatusError {
    return statusErrors.invalid(serviceKind, this.#name, errors)
  }
}

/** Allocates addresses and ports when services are written, and releases them when services are deleted. */
export function createServiceHooks({
  registry,
  clusterIps,
  nodePorts,
  context,
  log,
}: {
  registry: Registry
  clusterIps: ClusterIps
  nodePorts: NodePorts
  /** The context of deleting the endpoints of a deleted service. */
  context: WriteContext
  log: Logger
}): ResourceHooks {
  /** The preceding write has succeeded, so errors here are only logged: repairs find what is left behind. */
  async function afterwards(owner: OwningService, what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn(`could not ${what} of a service`, { ...owner, error: String(error) })
    }
  }

  async function giveBack(owner: OwningService, { addresses, ports }: Transaction['taken']): Promise<void> {
    await afterwards(owner, 'give back addresses', () => clusterIps.release(addresses, owner))
    await afterwards(owner, 'give back ports', () => nodePorts.release(ports))
  }

  return {
    async allocate(object, old, write): Promise<EndAllocation | undefined> {
      const spec = serviceSpec(object)
      const before = old && serviceSpec(old)
      const transaction = new Transaction(object, write)
      try {
        await allocateAddresses(spec, before, transaction, clusterIps)
        await allocatePorts(spec, before, transaction, nodePorts)
        await allocateHealthCheckPort(spec, before, transaction, nodePorts)
      } catch (error) {
        if (!transaction.dryRun) await giveBack(transaction.owner, transaction.taken)
        throw error
      }
      if (transaction.dryRun || transaction.isEmpty) return undefined
      return (isStored) => giveBack(transaction.owner, isStored ? transaction.given : transaction.taken)
    },
    async afterDelete(object) {
      const spec = serviceSpec(object)
      const { name = '', namespace = '' } = object.metadata
      const owner = { name, namespace }
      await giveBack(owner, { addresses: addressesOf(spec), ports: portsOf(spec) })
      await afterwards(owner, 'delete the endpoints', () => deleteEndpoints(registry, owner, context))
    },
  }
}

/** A service's Endpoints object is deleted together with it. */
async function deleteEndpoints(
  registry: Registry,
  { namespace, name }: OwningService,
  context: WriteContext,
): Promise<void> {
  const endpoints = resourceOf(registry, 'endpoints', '')
  try {
    await endpoints.delete(endpoints.target(namespace, name), plainDeletion, context)
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'NotFound')) throw error
  }
}

/** The service's own addresses: none when it is headless. */
export function addressesOf(spec: ServiceSpec): string[] {
  if (!needsClusterIp(spec) || isHeadless(spec)) return []
  return (spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : [])).filter((address) => address !== 'None')
}

export function portsOf(spec: ServiceSpec): number[] {
  const ports = needsNodePort(spec) ? (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort) : []
  if (needsHealthCheckPort(spec)) ports.push(spec.healthCheckNodePort ?? 0)
  return [...new Set(ports)].filter((port) => port !== 0)
}

async function allocateAddresses(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  transaction: Transaction,
  clusterIps: ClusterIps,
): Promise<void> {
  const errors = chooseFamilies(spec, before, clusterIps.families)
  if (errors.length > 0) throw transaction.invalid(errors)
  const had = before ? addressesOf(before) : []
  if (!needsClusterIp(spec)) {
    appendAll(transaction.given.addresses, had)
    return
  }
  if (isHeadless(spec)) {
    spec.clusterIP = 'None'
    return
  }
  // The primary address can't change, but a secondary one can be added or removed; validation refuses all other
  // changes.
  const wanted = spec.clusterIPs ?? []
  const changesFirst = had.length > 0 && wanted.length > 0 && wanted[0] !== had[0]
  if (changesFirst || (before && isHeadless(before))) return
  const families = spec.ipFamilies ?? []
  const chosen: string[] = []
  for (const [index, family] of families.entries()) {
    const asked = wanted[index]
    if (asked !== undefined && had.includes(asked)) chosen.push(asked)
    else chosen.push(await takeAddress(asked, family as IpFamily, wanted, transaction, clusterIps))
  }
  spec.clusterIPs = chosen
  spec.clusterIP = chosen[0] ?? ''
  appendAll(
    transaction.given.addresses,
    had.filter((address) => !chosen.includes(address)),
  )
}

async function takeAddress(
  asked: string | undefined,
  family: IpFamily,
  wanted: readonly string[],
  transaction: Transaction,
  clusterIps: ClusterIps,
): Promise<string> {
  const { owner, dryRun, taken } = transaction
  if (asked === undefined) {
    const address = await clusterIps.takeAny(family, owner, dryRun)
    if (address === undefined) throw statusErrors.internal('failed to allocate a serviceIP: range is full')
    taken.addresses.push(address)
    return address
  }
  const why = await clusterIps.take(asked, owner, dryRun)
  if (why !== undefined) {
    const error = fieldErrors.invalid(path.child('clusterIPs'), wanted, `failed to allocate IP ${asked}: ${why}`)
    throw transaction.invalid([error])
  }
  taken.addresses.push(asked)
  return asked
}

async function allocatePorts(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  transaction: Transaction,
  nodePorts: NodePorts,
): Promise<void> {
  const had = new Set(before && needsNodePort(before) ? before.ports?.map(({ nodePort = 0 }) => nodePort) : [])
  had.delete(0)
  const kept = new Set<number>()
  if (needsNodePort(spec)) {
    const ports = spec.ports ?? []
    /** The node port by port number, whatever the protocol: TCP 53 and UDP 53 of a new service share one node port. */
    const byPort = new Map<number, number>()
    for (const { port, nodePort = 0 } of ports) if (nodePort !== 0 && !byPort.has(port)) byPort.set(port, nodePort)
    const taken = new Map<number, number>()
    for (const [index, port] of ports.entries()) {
      if (!port.nodePort && !allocatesNodePorts(spec)) continue
      const shared = before ? 0 : (byPort.get(port.port) ?? 0)
      const asked = port.nodePort || shared
      const isOurs = before ? had.has(asked) || kept.has(asked) : taken.get(port.port) === asked
      const number = asked !== 0 && isOurs ? asked : await takePort(asked, index, transaction, nodePorts)
      if (number !== 0) port.nodePort = number
      byPort.set(port.port, number)
      if (!taken.has(port.port)) taken.set(port.port, number)
      kept.add(number)
    }
  }
  appendAll(
    transaction.given.ports,
    [...had].filter((port) => !kept.has(port)),
  )
}

/** `asked` 0: any. */
async function takePort(asked: number, index: number, transaction: Transaction, nodePorts: NodePorts): Promise<number> {
  if (asked === 0) {
    if (transaction.dryRun) return (await nodePorts.peekAny()) ?? 0
    const port = await nodePorts.takeAny()
    if (port === undefined) throw statusErrors.internal('failed to allocate a nodePort: range is full')
    transaction.taken.ports.push(port)
    return port
  }
  const why = await claimPort(asked, transaction, nodePorts)
  if (why !== undefined)
    throw transaction.invalid([fieldErrors.invalid(path.child('ports').index(index).child('nodePort'), asked, why)])
  return asked
}

/**
 * Why a port is not available; undefined: it is allocated now. A dry run allocates nothing, but reports taken ports.
 */
async function claimPort(port: number, transaction: Transaction, nodePorts: NodePorts): Promise<string | undefined> {
  const { dryRun, taken } = transaction
  if (dryRun && (taken.ports.includes(port) || (await nodePorts.isTaken(port)))) return alreadyTaken
  const outcome = dryRun ? 'ok' : await nodePorts.take(port)
  if (outcome === 'taken') return alreadyTaken
  if (outcome === 'ok') {
    taken.ports.push(port)
    return undefined
  }
  const { base, size } = nodePorts.range
  return `provided port is not in the valid range. The range of valid ports is ${base}-${base + size - 1}`
}

const alreadyTaken = 'provided port is already allocated'

async function allocateHealthCheckPort(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  transaction: Transaction,
  nodePorts: NodePorts,
): Promise<void> {
  const needed = before !== undefined && needsHealthCheckPort(before)
  if (needed && !needsHealthCheckPort(spec)) {
    transaction.given.ports.push(before.healthCheckNodePort ?? 0)
    delete spec.healthCheckNodePort
  }
  if (needed || !needsHealthCheckPort(spec)) return
  const asked = spec.healthCheckNodePort ?? 0
  if (asked === 0) {
    const port = transaction.dryRun ? await nodePorts.peekAny() : await nodePorts.takeAny()
    if (port === undefined) throw statusErrors.internal('failed to allocate a HealthCheck NodePort: range is full')
    transaction.taken.ports.push(port)
    spec.healthCheckNodePort = port
  } else if (asked > 0) {
    const why = await claimPort(asked, transaction, nodePorts)
    if (why !== undefined)
      throw statusErrors.internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`)
  }
}
