import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { simulate } from './controllers/simulation.ts'
import { World } from './controllers/world.ts'

/**
 * Simulates controllers by command: `node test/simulation/controllers.ts --seed=17` runs one seed again and prints all
 * of its writes, `--seeds=100000` runs as many from `--from` on, in `--jobs` processes. Ends at the first seed of a process that
 * fails, unless it is to keep going; the exit code is 1 when any failed.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
  },
})

/** A store keeps much of the past. */
const seedsPerWorld = 200

interface Total {
  seeds: number
  failed: number
  writes: number
}

const from = Number(values.from)
const count = Number(values.seeds)
const jobs = Number(values.jobs)
const startedMs = performance.now()
const total = values.seed === undefined ? await runMany() : await runOne(Number(values.seed))
const seconds = (performance.now() - startedMs) / 1000
console.log(`${total.seeds} seeds, ${total.failed} failed, ${total.writes} writes, ${seconds.toFixed(1)} s`)
// A pipe takes some time.
process.stdout.write('', () => process.exit(total.failed > 0 ? 1 : 0))

async function runMany(): Promise<Total> {
  if (jobs === 1) return await runRange()
  const share = Math.ceil(count / jobs)
  const parts = Array.from({ length: jobs }, (_, job) => runInProcess(from + job * share, share))
  const sum: Total = { seeds: 0, failed: 0, writes: 0 }
  for (const part of await Promise.all(parts)) {
    sum.seeds += part.seeds
    sum.failed += part.failed
    sum.writes += part.writes
  }
  return sum
}

/** The same program with a part of the seeds; what it prints is passed on, but for its last line. */
async function runInProcess(first: number, seeds: number): Promise<Total> {
  const more = values['keep-going'] ? ['--keep-going'] : []
  const words = [import.meta.filename, `--from=${first}`, `--seeds=${seeds}`, ...more]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  const found = /(\d+) seeds, (\d+) failed, (\d+) writes, .*\n$/.exec(output)
  if (!found) throw new Error(`the seeds from ${first} on did not come to an end: ${output}`)
  process.stdout.write(output.slice(0, found.index))
  return { seeds: Number(found[1]), failed: Number(found[2]), writes: Number(found[3]) }
}

async function runRange(): Promise<Total> {
  const sum: Total = { seeds: 0, failed: 0, writes: 0 }
  let world: World | undefined
  for (; sum.seeds < count; sum.seeds++) {
    if (sum.seeds > 0 && sum.seeds % seedsPerWorld === 0 && world) {
      await world.close()
      world = undefined
    }
    world ??= await World.open()
    try {
      sum.writes += (await simulate(world, { seed: from + sum.seeds })).writes
    } catch (error) {
      sum.failed++
      console.log(String(error instanceof Error ? error.message : error))
      if (!values['keep-going']) return { ...sum, seeds: sum.seeds + 1 }
      // The seed leaves its objects behind.
      world = undefined
    }
  }
  return sum
}

async function runOne(seed: number): Promise<Total> {
  const onEnd = (lines: readonly string[]): void => console.log(lines.join('\n'))
  try {
    const tally = await simulate(await World.open(), { seed, keepsTrace: true, onEnd })
    console.log(JSON.stringify(tally))
    return { seeds: 1, failed: 0, writes: tally.writes }
  } catch (error) {
    console.log(String(error instanceof Error ? error.message : error).split('\n', 1)[0])
    return { seeds: 1, failed: 1, writes: 0 }
  }
}
