import { assert } from '../../base/index.ts'
import { type Cidr, formatCidr, type IpFamily, ipWidths, parseCidr } from '../../object/index.ts'
import { BitSet } from './bitset.ts'

/** The longest difference between the prefixes of a range and of its blocks: 65,536 blocks. */
const differenceMax = 16

/** Counts allocations, each with the number of occupied blocks that the search passed, and releases. */
export interface BlockMeasure {
  allocated(count: number, tries?: number): void
  released(count: number): void
}

/**
 * A range divided into blocks of one size, and which of them are allocated. The search for a free block continues
 * after the last allocated one, so that a released block is reused as late as possible. Example: 10.0.0.0/16 with
 * blocks of /24 has 256 blocks, the first one 10.0.0.0/24.
 */
export class BlockSet {
  readonly range: Cidr
  readonly count: number
  readonly #blockBits: number
  readonly #taken: BitSet
  #measure: BlockMeasure = { allocated() {}, released() {} }
  #next = 0

  /** Throws RangeError for blocks that are larger than the range, or too many. */
  constructor(range: Cidr, blockBits: number) {
    const difference = blockBits - range.bits
    if (difference < 0 || blockBits > ipWidths[range.family])
      throw new RangeError(
        `the node mask /${blockBits} must be at least as long as that of the range ${formatCidr(range)}`,
      )
    if (difference > differenceMax) throw new RangeError('new CIDR set failed; the node CIDR size is too big')
    this.range = range
    this.count = 2 ** difference
    this.#blockBits = blockBits
    this.#taken = new BitSet(this.count)
  }

  get family(): IpFamily {
    return this.range.family
  }
  get taken(): number {
    return this.#taken.ones
  }

  measureBy(measure: BlockMeasure): void {
    this.#measure = measure
  }

  /** Marks all blocks that overlap the given one as allocated; ignores what is outside of the range. */
  occupy(block: Cidr): void {
    const count = this.#taken.set(this.#first(block), this.#last(block))
    if (count > 0) this.#measure.allocated(count)
  }

  release(block: Cidr): void {
    const count = this.#taken.clear(this.#first(block), this.#last(block))
    if (count > 0) this.#measure.released(count)
  }

  /** Allocates a free block; undefined: there is none. */
  allocate(): Cidr | undefined {
    const index = this.#taken.firstZero(this.#next) ?? this.#taken.firstZero(0)
    if (index === undefined) return undefined
    const tries = (index - this.#next + this.count) % this.count
    this.#taken.set(index, index)
    this.#next = (index + 1) % this.count
    this.#measure.allocated(1, tries)
    return this.#block(index)
  }

  get #size(): bigint {
    return 1n << BigInt(ipWidths[this.family] - this.#blockBits)
  }

  #block(index: number): Cidr {
    const size = this.#size
    return { family: this.family, base: this.range.base + BigInt(index) * size, bits: this.#blockBits, size }
  }

  #first({ family, base }: Cidr): number {
    if (family !== this.family || base >= this.range.base + this.range.size) return this.count
    return base <= this.range.base ? 0 : Number((base - this.range.base) / this.#size)
  }

  #last({ family, base, size }: Cidr): number {
    const end = base + size
    if (family !== this.family || end <= this.range.base) return -1
    const last = Number((end - 1n - this.range.base) / this.#size)
    return Math.min(last, this.count - 1)
  }
}

interface IpamSettings {
  readonly clusterCidr: readonly string[]
  readonly serviceClusterIpRange: readonly string[]
  readonly nodeCidrMaskSize: number
  readonly nodeCidrMaskSizeIpv4: number
  readonly nodeCidrMaskSizeIpv6: number
}

/** One set per range, at most one per family. Throws RangeError for invalid ranges. */
export function blockSetsOf(settings: IpamSettings): BlockSet[] {
  const ranges = settings.clusterCidr.map((text) => rangeOf(text, 'cluster-cidr'))
  if (ranges.length === 0) throw new RangeError('--allocate-node-cidrs needs --cluster-cidr')
  if (ranges.length > 2 || (ranges.length === 2 && ranges[0]?.family === ranges[1]?.family))
    throw new RangeError('--cluster-cidr takes one range of each family at most')
  const isDual = ranges.length === 2
  if (isDual && settings.nodeCidrMaskSize > 0)
    throw new RangeError('usage of --node-cidr-mask-size is not allowed with dual-stack clusters')
  const sets = ranges.map((range) => {
    const ofFamily = range.family === 'IPv4' ? settings.nodeCidrMaskSizeIpv4 : settings.nodeCidrMaskSizeIpv6
    return new BlockSet(range, settings.nodeCidrMaskSize > 0 ? settings.nodeCidrMaskSize : ofFamily)
  })
  // Addresses of services are not given to pods.
  for (const text of settings.serviceClusterIpRange) {
    const services = rangeOf(text, 'service-cluster-ip-range')
    for (const set of sets) set.occupy(services)
  }
  return sets
}

function rangeOf(text: string, flag: string): Cidr {
  const range = parseCidr(text)
  if (!range) throw new RangeError(`--${flag}: ${JSON.stringify(text)} is no range of addresses`)
  assert(range.size > 0n, 'a range holds an address')
  return range
}
