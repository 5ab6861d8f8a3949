interface Range {
  readonly first: number
  readonly last: number
}

/**
 * Completion indexes as ranges: a set of two billion takes no more space and time than its text. The status has the
 * form `1,3-5,7`: two neighbours are `1,2`, three or more a range.
 */
export class IndexSet {
  /** In order, with a gap between each two. */
  readonly #ranges: readonly Range[]
  readonly size: number

  private constructor(ranges: readonly Range[]) {
    this.#ranges = joined(ranges)
    this.size = this.#ranges.reduce((size, { first, last }) => size + last - first + 1, 0)
  }

  /** The indexes below `below`; invalid parts are ignored. */
  static parse(text: string | undefined, below: number): IndexSet {
    const ranges: Range[] = []
    for (const part of (text ?? '').split(',')) {
      const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part)
      if (!match) continue
      const first = Number(match[1])
      const last = Math.min(Number(match[2] ?? match[1]), below - 1)
      if (first <= last) ranges.push({ first, last })
    }
    return new IndexSet(ranges)
  }

  plus(indexes: Iterable<number>): IndexSet {
    const more = Array.from(indexes, (index) => ({ first: index, last: index }))
    return more.length === 0 ? this : new IndexSet([...this.#ranges, ...more])
  }

  union(other: IndexSet): IndexSet {
    return new IndexSet([...this.#ranges, ...other.#ranges])
  }

  minus(other: IndexSet): IndexSet {
    const left: Range[] = []
    for (const { first, last } of this.#ranges) {
      let next = first
      for (let at = other.#indexFrom(first); next <= last; at++) {
        const taken = other.#ranges[at]
        const end = Math.min(last, (taken?.first ?? Number.POSITIVE_INFINITY) - 1)
        if (next <= end) left.push({ first: next, last: end })
        next = (taken?.last ?? last) + 1
      }
    }
    return new IndexSet(left)
  }

  has(index: number): boolean {
    const range = this.#ranges[this.#indexFrom(index)]
    return range !== undefined && range.first <= index
  }

  /** Yields the missing indexes below `below`, lowest first. */
  *gaps(below: number): Generator<number, void> {
    let next = 0
    for (const { first, last } of [...this.#ranges, { first: below, last: below }]) {
      for (; next < Math.min(first, below); next++) yield next
      next = last + 1
    }
  }

  toString(): string {
    return this.#ranges.map(textOf).join(',')
  }

  /** The position of the first range that ends at the index or after it. */
  #indexFrom(index: number): number {
    let [low, high] = [0, this.#ranges.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ranges[middle]?.last ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((left, right) => left.first - right.first)
  const found: Range[] = []
  for (const range of sorted) {
    const before = found.at(-1)
    if (!before || range.first > before.last + 1) found.push(range)
    else if (range.last > before.last) found[found.length - 1] = { first: before.first, last: range.last }
  }
  return found
}

function textOf({ first, last }: Range): string {
  if (last === first) return String(first)
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`
}
