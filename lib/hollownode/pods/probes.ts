import type { Container, Probe } from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'
import { canRun } from '../shell/run.ts'
import type { CommandResult } from './command.ts'

export type ProbeKind = 'startup' | 'readiness' | 'liveness'

/** Receives the results of a container's probes. */
export interface ProbeReport {
  /** A probe has succeeded as often as its threshold requires. */
  passed(kind: ProbeKind): void
  failed(kind: ProbeKind, output: string): void
  /** A probe has failed as often as its threshold allows. */
  exceeded(kind: ProbeKind): void
}

interface Tools {
  readonly clock: Clock
  /** Runs a command in the container. Rejects once `signal` aborts. */
  run(command: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<CommandResult>
}

export function probeOf(container: Frozen<Container>, kind: ProbeKind): Frozen<Probe> | undefined {
  return container[`${kind}Probe`]
}

/** True: the probe is a command that the node's shell knows; others count as successful after their delay. */
export function runsInShell(probe: Frozen<Probe> | undefined): boolean {
  return probe?.exec !== undefined && canRun(probe.exec.command ?? [])
}

/**
 * Runs a container's commands for probes until `signal` aborts: first the one for its startup, then the others. Rejects
 * with the reason of `signal`.
 */
export async function runProbes(
  container: Frozen<Container>,
  { startupDelayMs, runsStartup }: { readonly startupDelayMs: number; readonly runsStartup: boolean },
  tools: Tools,
  report: ProbeReport,
  signal: AbortSignal,
): Promise<void> {
  const run = async (kind: ProbeKind): Promise<void> => {
    const probe = probeOf(container, kind)
    if (probe && runsInShell(probe)) await runProbe(kind, probe, tools, report, signal)
  }
  if (runsStartup) await run('startup')
  else if (startupDelayMs > 0) await tools.clock.sleep(startupDelayMs, signal)
  await Promise.all([run('readiness'), run('liveness')])
}

async function runProbe(
  kind: ProbeKind,
  { exec, initialDelaySeconds = 0, ...probe }: Frozen<Probe>,
  { clock, run }: Tools,
  report: ProbeReport,
  signal: AbortSignal,
): Promise<void> {
  const { timeoutSeconds = 1, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe
  let [successes, failures] = [0, 0]
  await clock.sleep(initialDelaySeconds * 1000, signal)
  for (;;) {
    const { exitCode, output } = await run(exec?.command ?? [], timeoutSeconds * 1000, signal)
    if (exitCode === 0) {
      failures = 0
      successes++
      if (successes === successThreshold) report.passed(kind)
      if (kind === 'startup' && successes >= successThreshold) return
    } else {
      successes = 0
      failures++
      report.failed(kind, output)
      if (failures === failureThreshold) report.exceeded(kind)
    }
    await clock.sleep(Math.max(1, periodSeconds) * 1000, signal)
  }
}
