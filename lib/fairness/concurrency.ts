/** A level's part of the server's seats (spec.limited or spec.exempt of a PriorityLevelConfiguration). */
export interface LevelShares {
  readonly name: string
  readonly exempt: boolean
  readonly nominalConcurrencyShares: number
  readonly lendablePercent: number
  /** Undefined: limited by the server's seats only. */
  readonly borrowingLimitPercent: number | undefined
}

/** All in seats. */
export interface LevelLimits {
  readonly nominal: number
  /** Seats that the level never lends. */
  readonly min: number
  /** Maximum number of seats, borrowed ones included. */
  readonly max: number
  /** Seats at the start: the nominal ones without half of the lendable ones. */
  readonly initial: number
}

/** Divides the server's seats among all levels. */
export function limitsOf(levels: readonly LevelShares[], serverSeats: number): Map<string, LevelLimits> {
  let shareSum = 0
  for (const level of levels) shareSum += level.nominalConcurrencyShares
  const limits = new Map<string, LevelLimits>()
  for (const level of levels) {
    const nominal = shareSum === 0 ? 0 : Math.ceil((serverSeats * level.nominalConcurrencyShares) / shareSum)
    const lendable = Math.round((nominal * level.lendablePercent) / 100)
    const borrowing =
      level.borrowingLimitPercent === undefined
        ? serverSeats
        : Math.round((nominal * level.borrowingLimitPercent) / 100)
    limits.set(level.name, {
      nominal,
      min: nominal - lendable,
      max: nominal + borrowing,
      initial: nominal - Math.trunc(lendable / 2),
    })
  }
  return limits
}

/** A level's demand in the last period. */
export interface LevelDemand extends LevelLimits {
  readonly name: string
  readonly exempt: boolean
  /** Maximum number of seats in use and waited for. */
  readonly highSeatDemand: number
  readonly smoothedSeatDemand: number
}

interface Allocation {
  /** Seats of each level for the next period. */
  readonly current: ReadonlyMap<string, number>
  /** Target of each level, for metrics. */
  readonly targets: ReadonlyMap<string, number>
  /** The part of its target that every level got whose bounds didn't apply. */
  readonly fairFraction: number
}

/**
 * Lends seats of levels that don't need them to levels that do. All levels get the same fraction of their target,
 * between their lower and upper bound.
 */
export function allocateSeats(levels: readonly LevelDemand[]): Allocation {
  const current = new Map<string, number>()
  const targets = new Map<string, number>()
  let remaining = sum(levels, ({ nominal }) => nominal)
  const nominalSum = sum(levels, ({ exempt, nominal }) => (exempt ? 0 : nominal))
  const bounded: Bounded[] = []
  for (const level of levels) {
    if (level.exempt) {
      const seats = Math.max(level.min, level.highSeatDemand)
      current.set(level.name, seats)
      remaining -= seats
      continue
    }
    const guaranteed = Math.max(level.min, Math.min(level.nominal, level.highSeatDemand))
    const target = Math.max(guaranteed, level.smoothedSeatDemand, leastTarget)
    targets.set(level.name, target)
    bounded.push({ name: level.name, min: level.min, low: guaranteed, high: Math.max(level.max, guaranteed), target })
  }
  const minSum = sum(bounded, ({ min }) => min)
  const lowSum = sum(bounded, ({ low }) => low)
  if (remaining <= minSum) {
    for (const { name, min } of bounded) current.set(name, min)
    return { current, targets, fairFraction: 0 }
  }
  if (remaining <= lowSum) {
    const share = (remaining - minSum) / (lowSum - minSum)
    for (const { name, min, low } of bounded) current.set(name, min + Math.round((low - min) * share))
    return { current, targets, fairFraction: 0 }
  }
  // As on the stock server, seats in use by exempt levels are not subtracted from the others' nominal seats here.
  const total = Math.min(
    nominalSum,
    sum(bounded, ({ high }) => high),
  )
  const fairFraction = fractionFor(bounded, total)
  for (const each of bounded) current.set(each.name, Math.round(clamp(fairFraction * each.target, each)))
  return { current, targets, fairFraction }
}

interface Bounded {
  readonly name: string
  readonly min: number
  readonly low: number
  readonly high: number
  readonly target: number
}

const leastTarget = 0.001

/**
 * The fraction at which the clamped targets add up to `total`, which lies between the sums of the bounds. The sum grows
 * with the fraction, in straight lines between the fractions at which a target reaches a bound.
 */
function fractionFor(levels: readonly Bounded[], total: number): number {
  const bends = levels.flatMap(({ low, high, target }) => [low / target, high / target]).sort((a, b) => a - b)
  const sumAt = (fraction: number): number => sum(levels, (level) => clamp(fraction * level.target, level))
  let from = 0
  for (const bend of bends) {
    const reached = sumAt(bend)
    if (reached < total) {
      from = bend
      continue
    }
    const before = sumAt(from)
    return reached === before ? bend : from + ((total - before) / (reached - before)) * (bend - from)
  }
  return from
}

function clamp(value: number, { low, high }: Bounded): number {
  return Math.min(high, Math.max(low, value))
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}
