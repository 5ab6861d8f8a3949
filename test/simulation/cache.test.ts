import { ok, rejects } from 'node:assert/strict'
import { canaries } from './cachecanaries.ts'
import { Violation } from './cachemodel.ts'
import { simulate, type Tally } from './cachesimulation.ts'

const steps = 400
/** Of one case: another start finds what these don't (SIMULATION_SEED=1000 SIMULATION_SEEDS=5000). */
const firstSeed = Number(process.env['SIMULATION_SEED'] ?? 1)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 150)
/** Each ends at the first that shows it. */
const canarySeeds = 40

function sum(tallies: readonly Tally[]): Tally {
  const total: Tally = { events: 0, lists: 0, restarts: 0, refused: 0, tooOld: 0 }
  for (const tally of tallies) for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += tally[name]
  return total
}

describe('simulated caches', () => {
  for (const faults of [false, true])
    it(`answer everyone correctly ${faults ? 'through breaks, compactions and failing reads' : 'in peace'}`, async () => {
      const tallies: Tally[] = []
      for (let seed = firstSeed; seed < firstSeed + seeds; seed++)
        try {
          tallies.push(await simulate({ seed, steps, faults }))
        } catch (error) {
          throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
        }
      const { events, lists, restarts, tooOld } = sum(tallies)
      ok(events > seeds * 100 && lists > seeds * 20, `only ${events} events and ${lists} lists were checked`)
      ok(tooOld > 0 && restarts > 0 === faults, `${tooOld} watches were too old, ${restarts} breaks happened`)
    }).timeout(120_000)

  for (const { what, finds, canary, brings, breaks, faults = false } of canaries)
    it(`are caught when one ${what}`, async () => {
      const run = async (): Promise<void> => {
        for (let seed = 1; seed <= canarySeeds; seed++) await simulate({ seed, steps, faults, canary, brings })
      }
      const mend = breaks?.()
      try {
        await rejects(run(), (error) => error instanceof Violation && finds.test(error.message))
      } finally {
        mend?.()
      }
    }).timeout(120_000)
})
