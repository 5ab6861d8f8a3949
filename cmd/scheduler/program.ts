import { parseFlags } from '../../lib/flags/index.ts'
import { isAnswered } from '../commandline.ts'
import { runMain } from '../lifetime.ts'
import { schedulerFlags } from './flags.ts'

const program = 'pilothouse-scheduler'

const usage = `Gives the pods of a cluster to its nodes.

Usage:
  ${program} --kubeconfig=/etc/kubernetes/scheduler.conf [flags]
  ${program} --config=scheduler.yaml [flags]
`

/** Runs the program of this command line to its end, and the process with it. */
export async function run(): Promise<void> {
  await runMain(program, async (line) => {
    const parsed = parseFlags(schedulerFlags, line)
    if (isAnswered(parsed, usage, schedulerFlags)) return 0
    const { schedule } = await import('./run.ts')
    return await schedule(program, parsed)
  })
}
