import { parseArgs } from 'node:util'
import { simulate } from './controllers/simulation.ts'
import { World } from './controllers/world.ts'

/**
 * Simulates controllers by command: `node test/simulation/controllers.ts --seed=17` runs one seed again and prints all
 * of its writes, `--seeds=100000` runs as many from `--from` on.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
  },
})
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const seedsPerWorld = 200
const startedMs = performance.now()
let world: World | undefined
let failed = 0
let writes = 0
for (let index = 0; index < count; index++) {
  if (index > 0 && index % seedsPerWorld === 0 && world) {
    await world.close()
    world = undefined
  }
  world ??= await World.open()
  try {
    const tally = await simulate(world, { seed: first + index, keepsTrace: values.seed !== undefined })
    writes += tally.writes
    if (values.seed !== undefined) console.log(JSON.stringify(tally))
  } catch (error) {
    failed++
    console.log(String(error instanceof Error ? error.message : error))
    process.exitCode = 1
    if (!values['keep-going']) break
    world = undefined
  }
}
const seconds = (performance.now() - startedMs) / 1000
console.log(`${count} seeds, ${failed} failed, ${writes} writes, ${seconds.toFixed(1)} s`)
process.exit()
