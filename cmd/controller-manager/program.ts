import { parseFlags } from '../../lib/flags/index.ts'
import { isAnswered } from '../commandline.ts'
import { runMain } from '../lifetime.ts'
import { managerFlags } from './flags.ts'

const program = 'pilothouse-controller-manager'

const usage = `Runs the controllers of a cluster against its API server.

Usage:
  ${program} --kubeconfig=/etc/kubernetes/controller-manager.conf [flags]
`

/** Runs the program of this command line to its end, and the process with it. */
export async function run(): Promise<void> {
  await runMain(program, async (line) => {
    const parsed = parseFlags(managerFlags, line)
    if (isAnswered(parsed, usage, managerFlags)) return 0
    const { manage } = await import('./manage.ts')
    return await manage(program, parsed)
  })
}
