import { ok } from 'node:assert/strict'
import { controllers } from '../../lib/controllers/index.ts'
import { threadCpuMs } from '../support/cputime.ts'
import { heldMsBound } from '../support/holdmeter.ts'
import { Violation } from './controllers/violation.ts'
import { World } from './controllers/world.ts'
import { type ExtremeCanary, extremeCanaries } from './extremes/canaries.ts'
import { fuzz, heapBytesMax } from './extremes/fuzz.ts'
import { extremeKinds } from './extremes/kinds.ts'

/** Another start finds what these don't (EXTREMES_SEED=1000 EXTREMES_SEEDS=100). */
const firstSeed = Number(process.env['EXTREMES_SEED'] ?? 1)
const seedsMax = Number(process.env['EXTREMES_SEEDS'] ?? 6)
const seedsMin = process.env['EXTREMES_SEEDS'] === undefined ? 2 : seedsMax
const cpuMsMax = 3000
const canarySeeds = 4

describe('controllers that are given extreme values', () => {
  let world: World | undefined
  let heldMsMax = 0

  before(() => {
    heldMsMax = heldMsBound()
  })
  after(() => world?.close())

  async function run(seed: number, canary?: ExtremeCanary): ReturnType<typeof fuzz> {
    world ??= await World.open({ servesAll: true })
    const definitions = canary?.change(controllers) ?? controllers
    try {
      return await fuzz(world, { seed, definitions, kinds: await extremeKinds(canary?.kind), heldMsMax, heapBytesMax })
    } catch (error) {
      await world.close()
      world = undefined
      throw error
    }
  }

  it('hold the event loop for no long turn, keep no memory, and look after all other objects', async () => {
    const began = threadCpuMs()
    for (let seeds = 0; seeds < seedsMin || (seeds < seedsMax && threadCpuMs() - began < cpuMsMax); seeds++) {
      const { admitted } = await run(firstSeed + seeds)
      ok(admitted >= 12, `the server took ${admitted} objects: so few try nothing`)
    }
  }).timeout(600_000)

  for (const [index, canary] of extremeCanaries.entries())
    it(`are caught when ${canary.what}`, async () => {
      const messages: string[] = []
      for (let tries = 0; tries < canarySeeds && !messages.some((text) => canary.finds.test(text)); tries++)
        // No seed is run twice: a world keeps its objects.
        await run(1_000_000 * (index + 1) + tries, canary).catch((error: unknown) => {
          if (!(error instanceof Violation)) throw error
          messages.push(error.message)
        })
      ok(
        messages.some((text) => canary.finds.test(text)),
        messages.map((text) => text.split('\n', 1)[0]).join('\n'),
      )
    }).timeout(600_000)
})
