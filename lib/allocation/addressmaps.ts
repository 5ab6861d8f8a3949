import type { Random } from '../base/index.ts'
import { type Cidr, cidrContains, formatCidr, parseCidr, parseIp } from '../object/index.ts'
import type { Scheme } from '../scheme/index.ts'
import type { Store } from '../storage/index.ts'
import { PlaceSet } from './placeset.ts'
import { createRangeMap, hasBit, type RangeMap } from './rangemap.ts'

/**
 * The maps of addresses that servers keep in addition to the IPAddress objects until 1.34, so that older servers can
 * run on the same store at the same time. In etcd they are created and updated, as the stock server of 1.33 does; in a
 * store that no other server can share, only existing ones are: see hack/decisions/2026-11-22-maps-of-addresses.md.
 */
export interface AddressMaps {
  /** False: an older server has allocated the address. */
  take(address: string): Promise<boolean>
  release(address: string): Promise<void>
  /** Updates the maps from the services, and checks again whether there are any maps. */
  repair(used: ReadonlySet<string>): Promise<void>
}

/** The limit of those servers in IPv6; in IPv4 the whole block has a bit each. */
const addressesMax = { IPv4: 2 ** 32, IPv6: 2 ** 16 } as const

interface Block {
  readonly cidr: Cidr
  readonly map: RangeMap
  readonly size: number
  /** Undefined: the store has not been read yet. */
  exists: boolean | undefined
  /** Bits without a service, as the last repairs saw them. */
  leaks: bigint[]
}

/**
 * A bit without a service may belong to one that is being created: it is dropped after this many repairs have seen it.
 */
const dropAfter = 3

export function createAddressMaps(
  { store, scheme, random }: { store: Store; scheme: Scheme; random: Random },
  { blocks, prefix }: { readonly blocks: readonly Cidr[]; readonly prefix: string },
): AddressMaps {
  const known = blocks.slice(0, 2).map((cidr, index): Block => {
    const size = sizeOf(cidr)
    const key = `${prefix}/ranges/${index === 0 ? 'serviceips' : 'secondaryserviceips'}`
    const range = formatCidr(cidr)
    return {
      cidr,
      size,
      exists: undefined,
      leaks: [],
      map: createRangeMap({ store, scheme, random }, { key, range, base: cidr.base + 1n, size, baseOf }),
    }
  })

  /** The map with the address's bit; undefined when the store has no map, or the map has no bit for it. */
  async function placeOf(address: string): Promise<{ map: RangeMap; offset: number } | undefined> {
    const ip = parseIp(address)
    const block = ip && known.find(({ cidr }) => cidrContains(cidr, ip))
    if (!ip || !block) return undefined
    const offset = Number(ip.value - block.cidr.base) - 1
    if (offset < 0 || offset >= block.size) return undefined
    block.exists ??= store.name === 'etcd' || (await block.map.exists())
    return block.exists ? { map: block.map, offset } : undefined
  }

  return {
    async take(address) {
      const place = await placeOf(address)
      if (!place) return true
      const { map, offset } = place
      return map.change((bits) =>
        hasBit(bits, offset) ? { result: false } : { bits: bits | (1n << BigInt(offset)), result: true },
      )
    },
    async release(address) {
      const place = await placeOf(address)
      await place?.map.change((bits) => ({ bits: bits & ~(1n << BigInt(place.offset)), result: undefined }))
    },
    async repair(used) {
      for (const block of known) {
        block.exists = store.name === 'etcd' || (await block.map.exists())
        if (!block.exists) continue
        const places = new PlaceSet(block.size)
        for (const address of used) {
          const ip = parseIp(address)
          const offset = ip && cidrContains(block.cidr, ip) ? Number(ip.value - block.cidr.base) - 1 : -1
          if (offset >= 0 && offset < block.size) places.add(offset)
        }
        const wanted = places.bits
        const leaked = await block.map.change((bits) => {
          const free = bits & ~wanted
          const dropped = block.leaks.length < dropAfter ? 0n : block.leaks.reduce((all, each) => all & each, free)
          return { bits: (bits | wanted) & ~dropped, result: free & ~dropped }
        })
        block.leaks = [...block.leaks, leaked].slice(-dropAfter)
      }
    },
  }
}

/** Number of addresses without the network's, and in IPv4 without the broadcast address. */
function sizeOf({ family, size }: Cidr): number {
  return Math.min(addressesMax[family], Number(size - (family === 'IPv4' ? 2n : 1n)))
}

function baseOf(range: string): bigint | undefined {
  const cidr = parseCidr(range)
  return cidr && cidr.base + 1n
}
