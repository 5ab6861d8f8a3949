import { equal, ok } from 'node:assert/strict'
import { canaries } from './controllers/canaries.ts'
import { simulate, type Tally } from './controllers/simulation.ts'
import { Violation } from './controllers/violation.ts'
import { World } from './controllers/world.ts'

/** Another start finds what these don't (SIMULATION_SEED=1000 SIMULATION_SEEDS=5000); see also controllers.ts. */
const firstSeed = Number(process.env['SIMULATION_SEED'] ?? 1)
const seedsMax = Number(process.env['SIMULATION_SEEDS'] ?? 2000)
/** Where machines are slow or busy there are fewer seeds, but never fewer than these. */
const seedsMin = Math.min(seedsMax, 150)
const cpuMsMax = 12_000
const msMax = 110_000
const canarySeeds = 15
const runsPerWorld = 250

describe('simulated controllers', () => {
  let world: World | undefined
  let runs = 0

  /** A seed that failed leaves its objects behind. */
  async function run(seed: number, options: Omit<Parameters<typeof simulate>[1], 'seed'> = {}): Promise<Tally> {
    // A store keeps much of the past.
    if (++runs % runsPerWorld === 0) await leaveWorld()
    world ??= await World.open()
    try {
      return await simulate(world, { seed, ...options })
    } catch (error) {
      await leaveWorld()
      throw error
    }
  }

  async function leaveWorld(): Promise<void> {
    const left = world
    world = undefined
    await left?.close()
  }

  after(leaveWorld)

  it('keep every rule through lost answers, lagging watches, crashes and clocks that jump, and come to rest', async () => {
    const tallies: Tally[] = []
    const hasTime = timeLimit()
    while (tallies.length < seedsMin || (tallies.length < seedsMax && hasTime()))
      tallies.push(await run(firstSeed + tallies.length))
    const sum = (of: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + of(tally), 0)
    ok(sum(({ writes }) => writes) > tallies.length * 30, 'so few writes check nothing')
    process.stdout.write(`      ${tallies.length} seeds from ${firstSeed} on, ${sum(({ writes }) => writes)} writes\n`)
    ok(sum(({ crashes }) => crashes) > 0 && sum(({ overlaps }) => overlaps) > 0 && sum(({ jumps }) => jumps) > 0)
  }).timeout(300_000)

  function timeLimit(): () => boolean {
    const startedMs = performance.now()
    const cpuMs = (): number => process.cpuUsage().user / 1000
    const startedCpuMs = cpuMs()
    return () => cpuMs() - startedCpuMs < cpuMsMax && performance.now() - startedMs < msMax
  }

  it('go the same way again with the same seed, whatever ran before', async () => {
    const first = await run(firstSeed + 7)
    await run(firstSeed + 8)
    const again = await run(firstSeed + 7)
    equal(again.digest, first.digest)
  }).timeout(60_000)

  for (const canary of canaries)
    it(`are caught when ${canary.what}`, async () => {
      const messages: string[] = []
      // The fault may make another one show first, which no seed does without it.
      const seeds = [canary.seed, ...Array.from({ length: canarySeeds }, (_, index) => index + 1)]
      for (const seed of seeds) {
        await run(seed, { canary }).catch((error: unknown) => {
          if (!(error instanceof Violation)) throw error
          messages.push(error.message)
        })
        if (messages.some((text) => canary.finds.test(text))) break
      }
      ok(
        messages.some((text) => canary.finds.test(text)),
        messages.map((text) => text.split('\n', 1)[0]).join('\n'),
      )
    }).timeout(120_000)
})
