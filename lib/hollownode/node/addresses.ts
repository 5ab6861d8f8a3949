import { createHash } from 'node:crypto'
import { formatIp } from '../../object/index.ts'

/** The first address of pods: 10.128.0.0/10 is theirs. */
const base = 0x0a_80_00_00
const addressesMax = 2 ** 22

/**
 * Gives every pod of this process an address. Processes with different prefixes of node names begin at different ones;
 * addresses that others have given are kept by who sees them.
 */
export class PodAddresses {
  readonly #used = new Set<number>()
  #next: number

  constructor(prefix = 'hollow') {
    const isDefault = prefix === 'hollow'
    this.#next = isDefault ? 1 : (createHash('sha256').update(prefix).digest().readUInt32BE() % (addressesMax - 2)) + 1
  }

  take(): string {
    if (this.#used.size >= addressesMax - 2) throw new Error('no address is left for a pod')
    while (this.#used.has(this.#next)) this.#next = (this.#next % (addressesMax - 2)) + 1
    const taken = this.#next
    this.#used.add(taken)
    this.#next = (taken % (addressesMax - 2)) + 1
    return textOf(taken)
  }

  /** Keeps the address of a pod that has one. */
  keep(address: string): void {
    const offset = offsetOf(address)
    if (offset !== undefined) this.#used.add(offset)
  }

  release(address: string): void {
    const offset = offsetOf(address)
    if (offset !== undefined) this.#used.delete(offset)
  }
}

function textOf(offset: number): string {
  return formatIp({ family: 'IPv4', value: BigInt(base + offset) })
}

function offsetOf(address: string): number | undefined {
  const parts = address.split('.').map(Number)
  if (parts.length !== 4) return undefined
  const value = parts.reduce((total, part) => total * 256 + part, 0)
  return value > base && value < base + addressesMax ? value - base : undefined
}
