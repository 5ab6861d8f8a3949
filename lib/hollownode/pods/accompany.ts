import type { Container } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import type { ContainerBehaviour } from './behaviour.ts'
import { type HookTools, runHook, unknownCommand } from './hooks.ts'
import { type ProbeKind, probeOf, runProbes, runsInShell } from './probes.ts'
import type { ContainerRecord } from './record.ts'

/** A running container, to those who watch it. */
interface Watched extends HookTools {
  note(change: Pick<ContainerRecord, 'hasStarted' | 'isReady'>): void
  kill(): void
}

/** A hook that takes longer has failed. */
const hookMsMax = 60 * 60_000

const titles: Readonly<Record<ProbeKind, string>> = {
  startup: 'Startup',
  readiness: 'Readiness',
  liveness: 'Liveness',
}

/** Runs the hook after a container's start, then its probes, until `signal` aborts; rejects with its reason then. */
export async function accompany(
  container: Frozen<Container>,
  behaviour: ContainerBehaviour,
  watched: Watched,
  signal: AbortSignal,
): Promise<void> {
  if (!(await ranHook(container, watched, signal))) return
  for (const kind of ['startup', 'readiness', 'liveness'] as const) reportUnknown(container, kind, watched)
  await runProbes(
    container,
    behaviour,
    watched,
    {
      passed: (kind) => {
        if (kind === 'startup') watched.note({ hasStarted: true })
        if (kind === 'readiness') watched.note({ isReady: true })
      },
      failed: (kind, output) => watched.event('Warning', 'Unhealthy', `${titles[kind]} probe failed: ${output}`),
      exceeded: (kind) => {
        if (kind === 'readiness') return watched.note({ isReady: false })
        watched.event('Normal', 'Killing', `Container ${container.name} failed ${kind} probe, will be restarted`)
        watched.kill()
      },
    },
    signal,
  )
}

/** False: the hook has failed, and the container is killed. */
async function ranHook(
  { name, lifecycle }: Frozen<Container>,
  watched: Watched,
  signal: AbortSignal,
): Promise<boolean> {
  const hook = lifecycle?.postStart
  if (!hook || (await runHook('PostStart', hook, watched, hookMsMax, signal))) return true
  watched.event('Normal', 'Killing', `Container ${name} failed postStart hook`)
  watched.kill()
  return false
}

/** A command that the shell doesn't know counts as successful, and is named. */
function reportUnknown(container: Frozen<Container>, kind: ProbeKind, { event }: Watched): void {
  const probe = probeOf(container, kind)
  if (probe?.exec === undefined || runsInShell(probe)) return
  event(
    'Warning',
    'ProbeWarning',
    `${titles[kind]} probe warning: ${unknownCommand(probe.exec.command)}: it counts as successful`,
  )
}
