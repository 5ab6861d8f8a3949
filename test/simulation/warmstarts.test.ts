import { ok, rejects } from 'node:assert/strict'
import { simulateWarmStarts } from './warmstarts.ts'

const steps = 40
/** Of one case: another start finds what these don't (SIMULATION_SEED=1000 SIMULATION_SEEDS=5000). */
const firstSeed = Number(process.env['SIMULATION_SEED'] ?? 1)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 30)
const canarySeeds = 60

describe('simulated warm starts', () => {
  it('show what the store has, whatever became of it, of the file and of the connection', async () => {
    const total = { starts: 0, warm: 0, tables: 0, compared: 0, restores: 0, damages: 0 }
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++)
      try {
        const tally = await simulateWarmStarts(seed, steps)
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += tally[name]
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
      }
    ok(total.warm > seeds && total.starts > total.warm, `${total.warm} of ${total.starts} starts were warm`)
    ok(total.tables > seeds, `${total.tables} resources were taken as they were saved`)
    ok(total.compared > seeds / 3, `${total.compared} of them differed from the store`)
    ok(total.restores > seeds && total.damages > seeds / 2, `${total.restores} restores, ${total.damages} damages`)
  }).timeout(120_000)

  for (const [canary, what] of [
    ['fences', 'takes every fence for one of its own'],
    ['breaks', 'does not notice breaks of its connection'],
    ['columns', 'has labels and indexed fields of other objects'],
  ] as const)
    it(`are caught when a mirror ${what}`, async () => {
      const run = async (): Promise<void> => {
        for (let seed = 1; seed <= canarySeeds; seed++) await simulateWarmStarts(seed, steps, canary)
      }
      await rejects(run(), { name: 'AssertionError' })
    }).timeout(120_000)
})
