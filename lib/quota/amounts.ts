import { addQuantities, compareQuantities, subtractQuantities } from '../object/index.ts'

/** Quantities by the resource's name, as in `spec.hard` of a quota. */
export type Amounts = Readonly<Record<string, string>>

/** Clients choose the names: without a prototype none of them has another meaning. */
export function emptyAmounts(): Record<string, string> {
  return Object.create(null) as Record<string, string>
}

function copyOf(amounts: Amounts): Record<string, string> {
  return Object.assign(emptyAmounts(), amounts)
}

export function addAmounts(left: Amounts, right: Amounts): Amounts {
  const sum = copyOf(left)
  for (const [name, amount] of Object.entries(right)) addTo(sum, name, amount)
  return sum
}

export function addTo(sums: Record<string, string>, name: string, amount: string): void {
  const sum = sums[name]
  sums[name] = sum === undefined ? amount : addQuantities(sum, amount)
}

/** Subtracts `right` from `left`: never negative. */
export function subtractAmounts(left: Amounts, right: Amounts): Amounts {
  const rest = emptyAmounts()
  for (const [name, amount] of Object.entries(left)) {
    const taken = right[name]
    if (taken === undefined) rest[name] = amount
    else rest[name] = compareQuantities(amount, taken) > 0 ? subtractQuantities(amount, taken) : '0'
  }
  return rest
}

/** Only the amounts of `names`. */
export function maskAmounts(amounts: Amounts, names: Iterable<string>): Amounts {
  const masked = emptyAmounts()
  const known = copyOf(amounts)
  for (const name of names) {
    const amount = known[name]
    if (amount !== undefined) masked[name] = amount
  }
  return masked
}

export function positiveAmounts(amounts: Amounts): Amounts {
  return maskAmounts(
    amounts,
    Object.keys(amounts).filter((name) => compareQuantities(amounts[name] ?? '0', '0') > 0),
  )
}

/** Names with negative amounts, sorted. */
export function negativeAmounts(amounts: Amounts): string[] {
  return Object.keys(amounts)
    .filter((name) => compareQuantities(amounts[name] ?? '0', '0') < 0)
    .sort()
}

/** Names whose amounts exceed `most`, sorted; names without a limit never do. */
export function exceeding(amounts: Amounts, most: Amounts): string[] {
  const bounds = copyOf(most)
  return Object.keys(amounts)
    .filter((name) => {
      const bound = bounds[name]
      return bound !== undefined && compareQuantities(amounts[name] ?? '0', bound) > 0
    })
    .sort()
}

export function isSameAmounts(left: Amounts, right: Amounts): boolean {
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && compareQuantities(left[name] ?? '0', right[name] ?? '0') === 0)
  )
}

/** `cpu=1,pods=2`, sorted by name. */
export function formatAmounts(amounts: Amounts): string {
  return Object.keys(amounts)
    .sort()
    .map((name) => `${name}=${amounts[name]}`)
    .join(',')
}
