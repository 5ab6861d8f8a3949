import type { CapacityRequestPolicy, Device } from '../../../api/gen/resource.k8s.io/v1.ts'
import { type Frozen, quantityMilliValue } from '../../object/index.ts'

/**
 * The amounts, in thousandths, that an allocation consumes of each capacity of a device. Undefined: the device does not
 * have as much, or not such a capacity at all.
 */
export function consumedOf(
  { capacity = {} }: Frozen<Device>,
  wanted: Readonly<Record<string, string>>,
  qualify: (name: string) => string,
): Map<string, bigint> | undefined {
  const known = new Map(Object.keys(capacity).map((name) => [qualify(name), name]))
  const asked = new Map(Object.entries(wanted).map(([name, amount]) => [qualify(name), quantityMilliValue(amount)]))
  for (const name of asked.keys()) if (!known.has(name)) return undefined
  const consumed = new Map<string, bigint>()
  for (const [name, { value, requestPolicy }] of Object.entries(capacity)) {
    const most = quantityMilliValue(value)
    const amount = byPolicy(requestPolicy, asked.get(qualify(name)), most)
    if (amount === undefined || amount > most) return undefined
    consumed.set(name, amount)
  }
  return consumed
}

/** Rounded up to what the policy allows; without a policy the amount itself, and without an amount everything. */
function byPolicy(
  policy: Frozen<CapacityRequestPolicy> | undefined,
  asked: bigint | undefined,
  whole: bigint,
): bigint | undefined {
  if (asked === undefined) return policy?.default === undefined ? whole : quantityMilliValue(policy.default)
  if (policy?.validValues?.length) {
    const values = policy.validValues.map((value) => quantityMilliValue(value))
    return values.filter((value) => value >= asked).sort((left, right) => (left < right ? -1 : 1))[0]
  }
  if (!policy?.validRange) return asked
  const { min, max, step } = policy.validRange
  const least = min === undefined ? 0n : quantityMilliValue(min)
  const most = max === undefined ? undefined : quantityMilliValue(max)
  const size = step === undefined ? 0n : quantityMilliValue(step)
  const above = asked <= least ? 0n : asked - least
  const rounded = size === 0n ? above : ((above + size - 1n) / size) * size
  const amount = least + rounded
  return most !== undefined && amount > most ? undefined : amount
}
