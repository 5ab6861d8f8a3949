import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '../../lib/base/index.ts'
import { canaries } from './canaries.ts'
import { checkHistory } from './check.ts'
import type { ChaosEnvironment } from './environment.ts'
import { type Fault, faults } from './faults.ts'
import type { Finding, History } from './history.ts'
import { type Counts, Load } from './load.ts'

export interface RunOptions {
  readonly seed: number
  /** Faults begin for so long. */
  readonly ms: number
  /** Names of faults. */
  readonly faults: readonly string[]
  readonly writers: number
  readonly watchers: number
  readonly keys: number
  readonly namespace: string
  readonly canary?: string | undefined
  readonly signal?: AbortSignal | undefined
  say(line: string): void
}

export interface Report {
  readonly minutes: number
  /** How often each was there. */
  readonly faults: Readonly<Record<string, number>>
  readonly counts: Counts
  /** What clients did and saw. */
  readonly history: History
  readonly findings: readonly Finding[]
  /** Problems that are no matter of the history. */
  readonly problems: readonly string[]
}

/** For all parts to work again after a fault, and for watchers to see the last state. */
const healMsMax = 90_000

/** Faults one after the other under load, then the check. Rejects where the control plane doesn't come back. */
export async function runChaos(around: ChaosEnvironment, options: RunOptions): Promise<Report> {
  const { cluster, identity } = around
  const { seed, writers, watchers, keys, namespace } = options
  const replicas = cluster.ports.api.map((port) => `https://127.0.0.1:${port}`)
  const balancer = `https://127.0.0.1:${cluster.ports.balancer}`
  // Half of all go through the balancer, the others to one replica each.
  const urls = replicas.flatMap((url) => [balancer, url])
  const load = await Load.start({ urls, namespace, identity, seed, writers, watchers, keys })
  try {
    return await runUnder(load, around, options)
  } finally {
    load.abandon()
  }
}

async function runUnder(load: Load, around: ChaosEnvironment, options: RunOptions): Promise<Report> {
  const { cluster } = around
  const { seed, namespace, say, signal } = options
  const startedMs = performance.now()
  const random = createSeededRandom(seed)
  const counted: Record<string, number> = {}
  const problems: string[] = []
  const isLeftOut = (name: string): boolean =>
    (name === 'full-disk' && around.smallDisk === undefined) || (name === 'slow-disk' && around.strace === undefined)
  const names = options.faults.filter((name) => !isLeftOut(name))
  let queue: string[] = []
  await sleep(1000)
  if (options.canary !== undefined) await canaries[options.canary]?.damage?.(around, namespace)
  if (names.length === 0) await sleep(options.ms)
  while (performance.now() - startedMs < options.ms && !signal?.aborted) {
    // Each once, in another order each time.
    if (queue.length === 0) queue = shuffled(names, () => random.fraction())
    const name = queue.pop()
    const fault: Fault | undefined = name === undefined ? undefined : faults[name]
    if (name === undefined || !fault) break
    say(`${seconds(startedMs)} ${name}`)
    problems.push(...((await fault(around, random)) ?? []).map((text) => `${name}: ${text}`))
    counted[name] = (counted[name] ?? 0) + 1
    await Promise.all(cluster.parts.map((part) => cluster.working(part.name, healMsMax)))
    await sleep(1000 + random.fraction() * 2000)
  }
  say(`${seconds(startedMs)} the faults are over`)
  const seen = await load.stop(healMsMax)
  const history = (options.canary !== undefined && canaries[options.canary]?.tell?.(seen)) || seen
  say(`${seconds(startedMs)} checking ${history.operations.length} operations and ${load.counts.events} events`)
  return {
    minutes: (performance.now() - startedMs) / 60_000,
    faults: counted,
    counts: load.counts,
    history,
    findings: checkHistory(history),
    problems: [...problems, ...load.odd],
  }
}

function shuffled(names: readonly string[], fraction: () => number): string[] {
  const left = [...names]
  const taken: string[] = []
  while (left.length > 0) taken.push(...left.splice(Math.floor(fraction() * left.length), 1))
  return taken
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1).padStart(7)} s`
}
