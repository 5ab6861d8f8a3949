// `npm run chaos`: a control plane whose parts are killed, paused, cut off and lied to, while clients write down what they
// see. `npm run chaos -- --help` says more.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleClone } from '../../hack/bundle.ts'
import { findPrograms, portsFrom } from '../../hack/ha/cluster.ts'
import { canaries } from './canaries.ts'
import { openChaosEnvironment } from './environment.ts'
import { faults } from './faults.ts'
import { type Report, runChaos } from './run.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: Object.keys(faults).join(',') },
    writers: { type: 'string', default: '12' },
    watchers: { type: 'string', default: '30' },
    keys: { type: 'string', default: '60' },
    canary: { type: 'string' },
    port: { type: 'string', default: '17443' },
    dir: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const help = `Runs three etcd members, three API replicas behind HAProxy and two controller managers on this machine, lets faults
happen one after the other while clients read, write and watch, and checks all that they were told: every object is
linearizable, every list is one state of the whole, every watch is complete and in order, no acknowledged write is lost.

Usage: npm run chaos [-- FLAGS]

  --minutes=N    Faults begin for so long (default 5).
  --seed=N       Chooses the same faults and requests again (default: another one each time).
  --faults=A,B   Default: all of ${Object.keys(faults).join(', ')}.
                 full-disk needs the right to mount a file system, slow-disk the right to trace processes; without they are left
                 out.
  --writers=N --watchers=N --keys=N   Clients, and objects that writers share (default 12, 30, 60).
  --canary=NAME  Does damage on purpose, which has to be found: ${Object.keys(canaries).join(', ')}.
  --port=N       First of the ports (default 17443).
  --dir=DIR      Folder of data and logs, which stays; default: a new one, which goes.
  --json=FILE    Writes the report there.

Exit code 1: something was found.
`

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const chosen = values.faults.split(',').filter((name) => name !== '')
  const unknown = chosen.find((name) => !Object.hasOwn(faults, name))
  if (unknown !== undefined) throw new Error(`no fault is called ${unknown}: see --help`)
  if (values.canary !== undefined && !Object.hasOwn(canaries, values.canary))
    throw new Error(`no canary is called ${values.canary}: see --help`)
  const programs = await findPrograms()
  if (!programs) throw new Error('etcd, haproxy and prometheus are needed')
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
  process.env['PILOTHOUSE_PROGRAMS'] ??= await bundleClone()
  const folder = values.dir === undefined ? mkdtempSync(join(tmpdir(), 'pilothouse-chaos-')) : resolve(values.dir)
  const { signal } = interrupted
  const around = await openChaosEnvironment(folder, portsFrom(Number(values.port)), programs, {
    signal,
    hasSmallDisk: chosen.includes('full-disk'),
    hasSlowDisks: chosen.includes('slow-disk'),
  })
  try {
    const { history: _, ...report } = await runChaos(around, {
      seed: Number(values.seed),
      ms: Number(values.minutes) * 60_000,
      faults: chosen,
      writers: Number(values.writers),
      watchers: Number(values.watchers),
      keys: Number(values.keys),
      namespace: 'chaos',
      canary: values.canary,
      signal,
      say: (line) => console.log(line),
    })
    print(report)
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(report, undefined, 2))
    return report.findings.length + report.problems.length === 0 ? 0 : 1
  } finally {
    await around.close()
    if (values.dir === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

function print({ minutes, faults: counted, counts, findings, problems }: Omit<Report, 'history'>): void {
  const total = Object.values(counted).reduce((sum, count) => sum + count, 0)
  console.log(`
seed ${values.seed}, ${minutes.toFixed(1)} minutes, ${total} faults: ${Object.entries(counted)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}
writes: ${counts.acknowledged} acknowledged, ${counts.refused} refused, ${counts.unknown} without an answer; ${counts.reads} reads, ${counts.lists} lists
events: ${counts.events}; ${counts.reconnects} watches began again, ${counts.expired} of them with a list
longest time without an acknowledged write: ${(counts.longestGapMs / 1000).toFixed(1)} s
found: ${findings.length + problems.length}`)
  for (const { rule, key, text } of findings.slice(0, 50)) console.log(`  ${rule} (${key}): ${text}`)
  for (const text of problems.slice(0, 50)) console.log(`  ${text}`)
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 2
})
