import type { Random } from '../base/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { Scheme } from '../scheme/index.ts'
import type { Store, StoredValue } from '../storage/index.ts'

/** The allocated places of a range: a RangeAllocation, a bit for each place, the format of servers of all releases. */
export interface RangeMap {
  /** 0n when there is none. */
  read(): Promise<bigint>
  /** Whether the map is stored. */
  exists(): Promise<boolean>
  /** Changes the bits and repeats on conflicts; `undefined` from `next`: no change. */
  change<Result>(next: (bits: bigint) => { readonly bits?: bigint; readonly result: Result }): Promise<Result>
}

interface RangeMapOptions {
  readonly key: string
  /** The range in the object: `30000-32767`, `10.0.0.0/24`. */
  readonly range: string
  /** The number (address or port) of the first bit. */
  readonly base: bigint
  readonly size: number
  /** The same for another range, which the operator configured before; undefined: unknown. */
  baseOf(range: string): bigint | undefined
}

const triesMax = 64
const rangeGvk = { group: '', version: 'v1', kind: 'RangeAllocation' }

export function createRangeMap(
  { store, scheme, random }: { store: Store; scheme: Scheme; random: Random },
  { key, range, base, size, baseOf }: RangeMapOptions,
): RangeMap {
  async function readStored(): Promise<{ stored: StoredValue | undefined; bits: bigint }> {
    const { value } = await store.get(key)
    return { stored: value, bits: value ? readBits(value.value) : 0n }
  }

  function readBits(stored: Uint8Array): bigint {
    const isProtobuf = Buffer.from(stored.subarray(0, 4)).toString('latin1') === 'k8s\0'
    const mediaType = isProtobuf ? 'application/vnd.kubernetes.protobuf' : 'application/json'
    const { object } = scheme.objects.decodeObject(stored, { mediaType, expected: rangeGvk })
    const hex = Buffer.from(String(object['data'] ?? ''), 'base64').toString('hex')
    const bits = hex === '' ? 0n : BigInt(`0x${hex}`)
    return object['range'] === range ? bits : moved(bits, baseOf(String(object['range'] ?? '')))
  }

  /** The operator has changed the range: places in both ranges stay taken. */
  function moved(bits: bigint, before: bigint | undefined): bigint {
    if (before === undefined) return 0n
    const shifted = before >= base ? bits << (before - base) : bits >> (base - before)
    return shifted & ((1n << BigInt(size)) - 1n)
  }

  async function write(stored: StoredValue | undefined, bits: bigint): Promise<boolean> {
    const hex = bits.toString(16)
    const data = bits === 0n ? '' : Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64')
    // Two replicas that take the same place at once must not write the same bytes: when an answer is lost, the store
    // takes an equal value for its own write.
    const metadata = { uid: random.uuid() }
    const object: ApiObject = { apiVersion: 'v1', kind: 'RangeAllocation', metadata, range, data }
    const bytes = scheme.objects.encodeForStorage(object)
    const result = stored ? await store.update(key, bytes, stored.modRevision) : await store.create(key, bytes)
    return result.ok
  }

  return {
    read: async () => (await readStored()).bits,
    exists: async () => (await store.get(key)).value !== undefined,
    async change(next) {
      for (let tries = 0; tries < triesMax; tries++) {
        const { stored, bits } = await readStored()
        const wanted = next(bits)
        if (wanted.bits === undefined || (stored && wanted.bits === bits)) return wanted.result
        if (await write(stored, wanted.bits)) return wanted.result
      }
      throw new Error(`${key}: others changed the map ${triesMax} times in a row`)
    },
  }
}

export function countBits(bits: bigint): number {
  let count = 0
  for (const digit of bits.toString(2)) if (digit === '1') count++
  return count
}

export function hasBit(bits: bigint, offset: number): boolean {
  return (bits & (1n << BigInt(offset))) !== 0n
}
