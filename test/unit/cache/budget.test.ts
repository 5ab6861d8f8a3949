import { deepEqual, equal } from 'node:assert/strict'
import { Budget, type Held } from '../../../lib/cache/state/budget.ts'

interface Thing extends Held {
  readonly name: number
}

/** A holder of things of ten bytes, which makes what it lacks. */
function createHolder(budget: Budget) {
  const kept = new Map<number, Thing>()
  let made = 0
  return {
    kept,
    made: () => made,
    use(name: number): void {
      const known = kept.get(name)
      if (known) {
        known.used = true
        return
      }
      made++
      const thing: Thing = { name, weightBytes: 10, used: false, slot: -1, drop: () => void kept.delete(name) }
      if (budget.admit(thing)) kept.set(name, thing)
    },
    release(name: number): void {
      const thing = kept.get(name)
      if (thing) budget.release(thing)
      kept.delete(name)
    },
  }
}

describe('budget', () => {
  it('evicts values beyond a smaller size, and admits more in a larger one', () => {
    const budget = new Budget(100, 1)
    const holder = createHolder(budget)
    for (let name = 0; name < 10; name++) holder.use(name)
    budget.resize(35)
    deepEqual([budget.usedBytes, holder.kept.size], [30, 3])
    budget.resize(60)
    for (let name = 20; name < 30; name++) holder.use(name)
    deepEqual([budget.usedBytes, holder.kept.size], [60, 6])
  })

  it('never keeps more than its bytes, and evicts values that were not used recently', () => {
    const budget = new Budget(100, 1)
    const holder = createHolder(budget)
    for (let name = 0; name < 10; name++) holder.use(name)
    for (const name of [1, 3, 5]) holder.use(name)
    for (let name = 10; name < 17; name++) holder.use(name)
    deepEqual([budget.usedBytes, holder.kept.size], [100, 10])
    for (const name of [1, 3, 5, 16]) equal(holder.kept.has(name), true, `${name} is kept`)
    // What was used once, long ago, goes in the end.
    for (let name = 20; name < 60; name++) holder.use(name)
    equal(
      [...holder.kept.keys()].every((name) => name > 16),
      true,
    )
  })

  it('frees bytes on release, in any order', () => {
    const budget = new Budget(100, 1)
    const holder = createHolder(budget)
    for (let name = 0; name < 10; name++) holder.use(name)
    for (const name of [9, 0, 4, 8]) holder.release(name)
    equal(budget.usedBytes, 60)
    for (let name = 20; name < 24; name++) holder.use(name)
    deepEqual([budget.usedBytes, holder.kept.size], [100, 10])
    for (const name of holder.kept.keys()) holder.release(name)
    equal(budget.usedBytes, 0)
  })

  it('refuses values that are larger than the whole budget', () => {
    const budget = new Budget(100, 1)
    equal(budget.admit({ weightBytes: 101, used: false, slot: -1, drop() {} }), false)
  })

  it('keeps most of its use through scans that are larger than it', () => {
    const hits = (admitOneOf: number): number => {
      const holder = createHolder(new Budget(1_000, admitOneOf))
      for (let scan = 0; scan < 10; scan++) for (let name = 0; name < 120; name++) holder.use(name)
      return 1_200 - holder.made()
    }
    equal(hits(4) > 400 && hits(4) > 2 * hits(1), true, `${hits(1)} and ${hits(4)} of 1200`)
  })
})
