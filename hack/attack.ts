// `npm run attack`: attacks a control plane of one process on this machine, at random, and watches the effects.
// `npm run attack -- --help` explains its flags.
import { parseArgs } from 'node:util'
import { startAttackedPlane } from './attack/plane.ts'
import { proofs } from './attack/proofs.ts'
import { plantedBugs } from './attack/random/plantedbugs.ts'
import { type Report, runRandomAttack } from './attack/random/run.ts'
import { runProofs } from './attack/runproofs.ts'
import { bundleClone } from './bundle.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steps: { type: 'string', default: String(Number.MAX_SAFE_INTEGER) },
    from: { type: 'string', default: '0' },
    bug: { type: 'string' },
    proofs: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const help = `Starts a control plane of one process with all controllers, and sends it random requests as who is unknown, who has no
rights, who edits one namespace, a kubelet, and who writes admission policies: every kind, verb, subresource and format, with
numbers, sizes and texts at the ends of what is allowed and past them, one by one and at once. Checks that none of them learns
or changes what is not theirs, that nothing secret is logged, that no request fails the server, holds its event loop or takes
its memory, and that controllers go on with their work. Sends to the loopback only.

Usage: npm run attack [-- FLAGS]

  --minutes=N   For so long (default 5).
  --seed=N      Sends the same requests again (default: others each time).
  --steps=N     Ends before step N, where a finding is said to be.
  --from=N      Leaves out the steps before N: many findings need none of them.
  --proofs      Runs the attacks that once worked instead, all of them.
  --bug=NAME    Plants a bug, which has to be found: ${Object.keys(plantedBugs).join(', ')}.

Exit code 1: something was found.
`

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  process.env['PILOTHOUSE_PROGRAMS'] ??= await bundleClone()
  if (values.proofs) return (await runProofs(proofs, (line) => console.log(line))) ? 0 : 1
  const bug = values.bug === undefined ? undefined : plantedBugs[values.bug]
  if (values.bug !== undefined && bug === undefined) throw new Error(`no bug is called ${values.bug}: see --help`)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
  const plane = await startAttackedPlane({ ...bug?.options, flags: ['--runtime-config=api/all=true', ...(bug?.options.flags ?? [])] }) // biome-ignore format: one line
  try {
    const report = await runRandomAttack(plane, {
      seed: Number(values.seed),
      steps: Number(values.steps),
      from: Number(values.from),
      ms: Number(values.minutes) * 60_000,
      signal: interrupted.signal,
      bug,
      found: ({ step, text }) => console.log(`  --seed=${values.seed} --steps=${step + 1}: ${text}`),
      say: (line) => console.log(line),
    })
    print(report)
    return report.findings.length === 0 ? 0 : 1
  } finally {
    await plane.close()
  }
}

function print({ steps, requests, statuses, longestHeldMs, heldMsMax, memoryMbPeak, findings }: Report): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${status} ${count}`)
  console.log(`
seed ${values.seed}, ${steps} steps, ${requests} requests: ${counts.join(', ')}
the loop was held for ${longestHeldMs.toFixed(0)} ms at most, of ${heldMsMax.toFixed(0)}; ${memoryMbPeak} MB at most
found: ${findings.length}`)
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 2
})
