import type { IPAddress, ServiceCIDR } from '../../../api/gen/networking.k8s.io/v1.ts'
import { type Cidr, cidrContains, type Frozen, type Ip, parseCidr, parseIp, parseTime } from '../../object/index.ts'

export const finalizer = 'networking.k8s.io/service-cidr-finalizer'
/** A terminating range is kept at least so long, so that allocators see its deletion. */
const graceMs = 10_000

type SomeCidr = Frozen<ServiceCIDR>

export type Intention =
  | { readonly do: 'protect' }
  | { readonly do: 'keep' }
  | { readonly do: 'release'; readonly afterMs: number }

export function plan(
  cidr: SomeCidr,
  others: Iterable<SomeCidr>,
  addresses: Iterable<Frozen<IPAddress>>,
  nowMs: number,
): Intention {
  const { deletionTimestamp } = cidr.metadata
  if (deletionTimestamp === undefined || deletionTimestamp === null) return { do: 'protect' }
  const covering = [...others]
    .filter(({ metadata }) => metadata.name !== cidr.metadata.name && metadata.deletionTimestamp === undefined)
    .flatMap(rangesOf)
  const uncovered = rangesOf(cidr).filter((range) => !covering.some((other) => isWithin(range, other)))
  if (uncovered.length > 0 && isUsed(uncovered, covering, addresses)) return { do: 'keep' }
  return { do: 'release', afterMs: Math.max(0, parseTime(deletionTimestamp) + graceMs - nowMs) }
}

export function rangesOf({ spec }: SomeCidr): readonly Cidr[] {
  return (spec?.cidrs ?? []).map(parseCidr).filter((range) => range !== undefined)
}

export function addressOf({ metadata }: Frozen<IPAddress>): Ip | undefined {
  return parseIp(metadata.name ?? '')
}

function isWithin(range: Cidr, other: Cidr): boolean {
  return range.family === other.family && other.base <= range.base && range.base + range.size <= other.base + other.size
}

/** An address belongs to these ranges and to no other range. */
function isUsed(ranges: readonly Cidr[], covering: readonly Cidr[], addresses: Iterable<Frozen<IPAddress>>): boolean {
  for (const each of addresses) {
    const ip = addressOf(each)
    const isIn = (range: Cidr): boolean => ip !== undefined && cidrContains(range, ip)
    if (ranges.some(isIn) && !covering.some(isIn)) return true
  }
  return false
}
