import { type FamilySnapshot, isNamed, mergeFamilies } from '../../../lib/observe/index.ts'

type Families = Map<string, FamilySnapshot>

/**
 * The metrics of all children. Counters of a child that has ended or doesn't answer are kept as of its last answer: to
 * Prometheus, a sum that falls looks like counters that began again.
 */
export class MergedMetrics {
  readonly #last = new Map<number, Families>()
  readonly #past: Families = new Map()

  /** The answer of the child of this index. */
  keep(index: number, families: readonly FamilySnapshot[]): void {
    const last = this.#last.get(index) ?? new Map<string, FamilySnapshot>()
    this.#last.set(index, last)
    for (const family of families) last.set(family.name, family)
  }

  /** The child of this index has ended: its counters and histograms are kept, its gauges are not. */
  ended(index: number): void {
    for (const family of this.#last.get(index)?.values() ?? [])
      if (family.type !== 'gauge') this.#past.set(family.name, merged(this.#past.get(family.name), family))
    this.#last.delete(index)
  }

  reset(): void {
    this.#last.clear()
    this.#past.clear()
  }

  /** The metrics of all and of `more`, or those of these names, a few at a time. */
  async *read(
    more: readonly FamilySnapshot[],
    names: readonly string[] | undefined,
    pause: () => Promise<void>,
  ): AsyncGenerator<readonly FamilySnapshot[]> {
    const named = names && new Set(names)
    const sources = [...this.#last.values(), this.#past].map((families) => families.values())
    const byName = new Map<string, FamilySnapshot[]>()
    for (const source of [...sources, more])
      for (const family of source) {
        if (!isNamed(family, named)) continue
        const same = byName.get(family.name)
        if (same) same.push(family)
        else byName.set(family.name, [family])
      }
    for (const [first, ...others] of byName.values()) {
      if (first) yield [mergeFamilies([first, ...others])]
      await pause()
    }
  }
}

function merged(one: FamilySnapshot | undefined, other: FamilySnapshot): FamilySnapshot {
  return one ? mergeFamilies([one, other]) : other
}
