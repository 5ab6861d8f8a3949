import type { Random } from '../base/index.ts'
import type { Scheme } from '../scheme/index.ts'
import type { Store } from '../storage/index.ts'
import type { AllocationScope, PortMetrics } from './metrics.ts'
import { lowerBand, offsets } from './offsets.ts'
import { PlaceSet } from './placeset.ts'
import { countBits, createRangeMap, hasBit } from './rangemap.ts'

/** `size` ports from `base` on. Printed `30000-32767`. */
interface PortRange {
  readonly base: number
  readonly size: number
}

/** Ports of all nodes, each for one service. All replicas share one stored bitmap. */
export interface NodePorts {
  readonly range: PortRange
  /** Allocates `port`. */
  take(port: number): Promise<'taken' | 'outside' | 'ok'>
  /** Allocates any free port; undefined: there is none. */
  takeAny(): Promise<number | undefined>
  /** For a dry run: a port that is free now. */
  peekAny(): Promise<number | undefined>
  /** For a dry run: whether `port` is taken now. */
  isTaken(port: number): Promise<boolean>
  /** Ports outside the range are ignored. */
  release(ports: readonly number[]): Promise<void>
  /**
   * Updates the map from the services: adds their ports, drops ports that had no service for `dropAfter` calls. The
   * first call of a replica only adds. Resolves with the numbers of added and dropped ports.
   */
  repair(used: ReadonlySet<number>): Promise<{ readonly added: number; readonly dropped: number }>
}

const dropAfter = 3

export function createNodePorts(
  { store, scheme, random, metrics }: { store: Store; scheme: Scheme; random: Random; metrics: PortMetrics },
  { range, key }: { range: PortRange; key: string },
): NodePorts {
  const map = createRangeMap(
    { store, scheme, random },
    {
      key,
      range: `${range.base}-${range.base + range.size - 1}`,
      base: BigInt(range.base),
      size: range.size,
      baseOf: (text) => (/^\d+-/.test(text) ? BigInt(text.slice(0, text.indexOf('-'))) : undefined),
    },
  )
  const lower = lowerBand(range.size, 32, 16, 128)
  /** Ports without a service, and how many repairs have seen them so. */
  const leaks = new Map<number, number>()

  function freeIn(bits: bigint): number | undefined {
    const taken = new PlaceSet(range.size, bits)
    for (const offset of offsets(range.size, lower, random, range.size)) if (!taken.has(offset)) return offset
    return undefined
  }

  /** Changes the map, and updates the counts. */
  async function change<Result>(next: Parameters<typeof map.change<Result>>[0]): Promise<Result> {
    let left = 0n
    const result = await map.change((bits) => {
      const wanted = next(bits)
      left = wanted.bits ?? bits
      return wanted
    })
    const allocated = countBits(left)
    metrics.seen(allocated, range.size - allocated)
    return result
  }

  async function counted<Result>(
    scope: AllocationScope,
    isTaken: (result: Result) => boolean,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    let taken = false
    try {
      const result = await attempt()
      taken = isTaken(result)
      return result
    } finally {
      if (taken) metrics.taken(scope)
      else metrics.failed(scope)
    }
  }

  async function takeOne(port: number): Promise<'taken' | 'outside' | 'ok'> {
    const offset = port - range.base
    if (offset < 0 || offset >= range.size) return 'outside'
    return change((bits) =>
      hasBit(bits, offset) ? { result: 'taken' } : { bits: bits | (1n << BigInt(offset)), result: 'ok' },
    )
  }

  const takeFree = (): Promise<number | undefined> =>
    change((bits) => {
      const offset = freeIn(bits)
      if (offset === undefined) return { result: undefined }
      return { bits: bits | (1n << BigInt(offset)), result: range.base + offset }
    })

  return {
    range,
    take: (port) =>
      counted(
        'static',
        (outcome) => outcome === 'ok',
        () => takeOne(port),
      ),
    takeAny: () => counted('dynamic', (port) => port !== undefined, takeFree),
    async peekAny() {
      const offset = freeIn(await map.read())
      return offset === undefined ? undefined : range.base + offset
    },
    async isTaken(port) {
      const offset = port - range.base
      return offset >= 0 && offset < range.size && hasBit(await map.read(), offset)
    },
    async release(ports) {
      const within = ports.map((port) => port - range.base).filter((offset) => offset >= 0 && offset < range.size)
      if (within.length === 0) return
      await change((bits) => {
        const taken = new PlaceSet(range.size, bits)
        for (const offset of within) taken.delete(offset)
        return { bits: taken.bits, result: undefined }
      })
    },
    async repair(used) {
      return change((bits) => {
        const taken = new PlaceSet(range.size, bits)
        let added = 0
        let dropped = 0
        for (let offset = 0; offset < range.size; offset++) {
          const port = range.base + offset
          if (used.has(port)) {
            if (!taken.has(offset)) added++
            taken.add(offset)
            leaks.delete(port)
          } else if (taken.has(offset)) {
            const seen = (leaks.get(port) ?? 0) + 1
            leaks.set(port, seen)
            if (seen <= dropAfter) continue
            dropped++
            taken.delete(offset)
          } else leaks.delete(port)
        }
        return { bits: taken.bits, result: { added, dropped } }
      })
    },
  }
}
