import type { Random } from '../base/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { Scheme } from '../scheme/index.ts'
import type { Store, StoredValue } from '../storage/index.ts'
import { lowerBand, offsets } from './offsets.ts'

/** From `base`, so many. Printed `30000-32767`. */
export interface PortRange {
  readonly base: number
  readonly size: number
}

/** Ports of all nodes, each for one service. All replicas share one stored map of bits. */
export interface NodePorts {
  readonly range: PortRange
  /** Sets `port` aside. */
  take(port: number): Promise<'taken' | 'outside' | 'ok'>
  /** Sets any free port aside; undefined: there is none. */
  takeAny(): Promise<number | undefined>
  /** For a dry run: a port that is free now. */
  peekAny(): Promise<number | undefined>
  /** Ports outside the range don't matter. */
  release(ports: readonly number[]): Promise<void>
  /**
   * Makes the map what the services say: adds what they have, drops what has had no service for `dropAfter` calls. The
   * first call of a replica only adds.
   */
  repair(used: ReadonlySet<number>): Promise<void>
}

const triesMax = 64
const dropAfter = 3
const rangeGvk = { group: '', version: 'v1', kind: 'RangeAllocation' }

export function createNodePorts(
  { store, scheme, random }: { store: Store; scheme: Scheme; random: Random },
  { range, key }: { range: PortRange; key: string },
): NodePorts {
  const rangeText = `${range.base}-${range.base + range.size - 1}`
  const lower = lowerBand(range.size, 32, 16, 128)
  /** Ports without a service, and how often they were seen so. */
  const leaks = new Map<number, number>()

  async function read(): Promise<{ stored: StoredValue | undefined; bits: bigint }> {
    const { value } = await store.get(key)
    return { stored: value, bits: value ? readBits(value.value) : 0n }
  }

  function readBits(stored: Uint8Array): bigint {
    const isProtobuf = Buffer.from(stored.subarray(0, 4)).toString('latin1') === 'k8s\0'
    const mediaType = isProtobuf ? 'application/vnd.kubernetes.protobuf' : 'application/json'
    const { object } = scheme.decodeObject(stored, { mediaType, expected: rangeGvk })
    if (object['range'] !== rangeText) return shifted(object)
    const hex = Buffer.from(String(object['data'] ?? ''), 'base64').toString('hex')
    return hex === '' ? 0n : BigInt(`0x${hex}`)
  }

  /** The operator has changed the range: what is in both stays taken. */
  function shifted(object: ApiObject): bigint {
    const base = Number(String(object['range'] ?? '').split('-')[0])
    const hex = Buffer.from(String(object['data'] ?? ''), 'base64').toString('hex')
    if (!Number.isInteger(base) || hex === '') return 0n
    const bits = BigInt(`0x${hex}`)
    const moved = base >= range.base ? bits << BigInt(base - range.base) : bits >> BigInt(range.base - base)
    return moved & ((1n << BigInt(range.size)) - 1n)
  }

  async function write(stored: StoredValue | undefined, bits: bigint): Promise<boolean> {
    const hex = bits.toString(16)
    const data = bits === 0n ? '' : Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64')
    const object: ApiObject = { apiVersion: 'v1', kind: 'RangeAllocation', metadata: {}, range: rangeText, data }
    const bytes = scheme.encodeForStorage(object)
    const result = stored ? await store.update(key, bytes, stored.modRevision) : await store.create(key, bytes)
    return result.ok
  }

  /** Changes the map until nobody else's change came between; `undefined` from `change`: leave it. */
  async function change<Result>(next: (bits: bigint) => { bits?: bigint; result: Result }): Promise<Result> {
    for (let tries = 0; tries < triesMax; tries++) {
      const { stored, bits } = await read()
      const wanted = next(bits)
      if (wanted.bits === undefined || (stored && wanted.bits === bits)) return wanted.result
      if (await write(stored, wanted.bits)) return wanted.result
    }
    throw new Error(`node ports: others changed the map ${triesMax} times in a row`)
  }

  function freeIn(bits: bigint): number | undefined {
    for (const offset of offsets(range.size, lower, random, range.size)) if (!has(bits, offset)) return offset
    return undefined
  }

  return {
    range,
    take(port) {
      const offset = port - range.base
      if (offset < 0 || offset >= range.size) return Promise.resolve('outside')
      return change((bits) =>
        has(bits, offset) ? { result: 'taken' } : { bits: bits | (1n << BigInt(offset)), result: 'ok' },
      )
    },
    takeAny: () =>
      change((bits) => {
        const offset = freeIn(bits)
        if (offset === undefined) return { result: undefined }
        return { bits: bits | (1n << BigInt(offset)), result: range.base + offset }
      }),
    async peekAny() {
      const offset = freeIn((await read()).bits)
      return offset === undefined ? undefined : range.base + offset
    },
    async release(ports) {
      const within = ports.map((port) => port - range.base).filter((offset) => offset >= 0 && offset < range.size)
      if (within.length === 0) return
      await change((bits) => ({
        bits: within.reduce((left, offset) => left & ~(1n << BigInt(offset)), bits),
        result: undefined,
      }))
    },
    async repair(used) {
      await change((bits) => {
        let next = bits
        for (let offset = 0; offset < range.size; offset++) {
          const port = range.base + offset
          if (used.has(port)) {
            next |= 1n << BigInt(offset)
            leaks.delete(port)
          } else if (has(bits, offset)) {
            const seen = (leaks.get(port) ?? 0) + 1
            leaks.set(port, seen)
            if (seen > dropAfter) next &= ~(1n << BigInt(offset))
          } else leaks.delete(port)
        }
        return { bits: next, result: undefined }
      })
    },
  }
}

function has(bits: bigint, offset: number): boolean {
  return (bits & (1n << BigInt(offset))) !== 0n
}
