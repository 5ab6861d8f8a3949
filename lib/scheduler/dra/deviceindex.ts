import type { NodeSelector } from '../../../api/gen/core/v1.ts'
import type { Device, ResourceSlice } from '../../../api/gen/resource.k8s.io/v1.ts'
import { matchesNodeTerm } from '../../kinds/index.ts'
import { type Frozen, quantityMilliValue } from '../../object/index.ts'
import type { NodeInfo } from '../nodeinfo.ts'

/** The nodes that reach a device. */
export interface DevicePlace {
  readonly nodeName?: string | undefined
  readonly nodeSelector?: Frozen<NodeSelector> | undefined
  readonly allNodes?: boolean | undefined
}

/** A device of a pool. */
export interface DeviceInfo {
  /** `driver/pool/device`. */
  readonly id: string
  readonly driver: string
  readonly pool: PoolInfo
  readonly device: Frozen<Device>
  readonly place: DevicePlace
  /** Whether an expression selects it, or why that can't be said; filled as expressions are asked. */
  readonly selections: Map<string, boolean | Error>
}

/** The devices that a driver manages together, of the newest generation. */
export interface PoolInfo {
  readonly driver: string
  readonly name: string
  readonly devices: readonly DeviceInfo[]
  /** False: the driver is still publishing its slices. */
  readonly isComplete: boolean
  /** Why the pool can't be used. */
  readonly problem: string | undefined
  /** Shared counters in thousandths, by `set/counter`. */
  readonly counters: ReadonlyMap<string, bigint>
}

type Slice = Frozen<ResourceSlice>

/** All pools, ready to be asked about a node. */
export class DeviceIndex {
  readonly #byNode = new Map<string, PoolInfo[]>()
  /** Pools with devices that several nodes reach. */
  readonly #shared: PoolInfo[] = []
  readonly #devices = new Map<string, DeviceInfo>()

  constructor(slices: Iterable<Slice>) {
    for (const pool of gatherPools(slices)) {
      for (const device of pool.devices) this.#devices.set(device.id, device)
      const node = onlyNodeOf(pool)
      if (node === undefined) this.#shared.push(pool)
      else this.#byNode.set(node, [...(this.#byNode.get(node) ?? []), pool])
    }
  }

  /** The pools that have, or may get, devices for the node, in a stable order. */
  poolsOn(node: NodeInfo): readonly PoolInfo[] {
    return [...(this.#byNode.get(node.name) ?? []), ...this.#shared]
  }

  device(id: string): DeviceInfo | undefined {
    return this.#devices.get(id)
  }
}

export function deviceId(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`
}

export function reaches({ nodeName, nodeSelector, allNodes }: DevicePlace, node: NodeInfo): boolean {
  if (allNodes === true) return true
  if (nodeName) return nodeName === node.name
  return (nodeSelector?.nodeSelectorTerms ?? []).some((term) => matchesNodeTerm(term, node.node))
}

function gatherPools(slices: Iterable<Slice>): PoolInfo[] {
  const byPool = new Map<string, Slice[]>()
  for (const slice of slices) {
    const key = `${slice.spec.driver}/${slice.spec.pool.name}`
    byPool.set(key, [...(byPool.get(key) ?? []), slice])
  }
  return [...byPool].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => poolOf(each))
}

function poolOf(slices: readonly Slice[]): PoolInfo {
  const newest = newestOf(slices).toSorted((left, right) =>
    (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1,
  )
  const { driver = '', pool: { name = '', resourceSliceCount = 0 } = {} } = newest[0]?.spec ?? {}
  const devices: DeviceInfo[] = []
  const pool: PoolInfo = {
    driver,
    name,
    devices,
    isComplete: newest.length >= resourceSliceCount,
    problem: problemOf(newest),
    counters: countersOf(newest),
  }
  for (const { spec } of newest)
    for (const device of spec.devices ?? [])
      devices.push({
        id: deviceId(driver, name, device.name),
        driver,
        pool,
        device,
        place: spec.perDeviceNodeSelection === true ? device : spec,
        selections: new Map(),
      })
  return pool
}

/** Slices of older generations are about to be deleted. Generations are only compared: they may be bigints. */
function newestOf(slices: readonly Slice[]): Slice[] {
  let newest: Slice[] = []
  for (const slice of slices) {
    const [first] = newest
    if (!first || first.spec.pool.generation < slice.spec.pool.generation) newest = [slice]
    else if (!(slice.spec.pool.generation < first.spec.pool.generation)) newest.push(slice)
  }
  return newest
}

function problemOf(slices: readonly Slice[]): string | undefined {
  const names = slices.flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name))
  const known = new Set<string>()
  for (const name of names) {
    if (known.has(name)) return `duplicate device name ${name}`
    known.add(name)
  }
  return undefined
}

function countersOf(slices: readonly Slice[]): Map<string, bigint> {
  const counters = new Map<string, bigint>()
  for (const { spec } of slices)
    for (const { name, counters: own = {} } of spec.sharedCounters ?? [])
      for (const [counter, { value }] of Object.entries(own))
        counters.set(`${name}/${counter}`, quantityMilliValue(value))
  return counters
}

/** The one node that all of a pool's devices are on; undefined: several, or none is known. */
function onlyNodeOf({ devices }: PoolInfo): string | undefined {
  const [first] = devices
  const node = first?.place.nodeName
  return node && devices.every(({ place }) => place.nodeName === node) ? node : undefined
}
