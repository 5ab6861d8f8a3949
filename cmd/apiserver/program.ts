import { parseFlags } from '../../lib/flags/index.ts'
import { isAnswered } from '../commandline.ts'
import { runMain } from '../lifetime.ts'
import { apiserverFlags } from './flags.ts'
import { markName } from './processes/messages.ts'

const program = 'pilothouse-apiserver'

const usage = `Serves the Kubernetes API from a store: etcd, which other replicas may share, or an embedded one.

Usage:
  ${program} --etcd-servers=https://127.0.0.1:2379 [flags]
  ${program} --data-dir=/var/lib/pilothouse [flags]
`

/** Runs the program of this command line to its end, and the process with it. */
export async function run(): Promise<void> {
  await runMain(program, async (line) => {
    const parsed = parseFlags(apiserverFlags, line)
    if (isAnswered(parsed, usage, apiserverFlags)) return 0
    const count = processCount(parsed.values.processes)
    if (count > 1 && process.env[markName] === undefined) {
      // The parent of the processes needs little of the server. They check the flags.
      const { serveInProcesses } = await import('./processes/parent.ts')
      return await serveInProcesses(program, count, parsed.values)
    }
    // `--help` and `--version` are answered before the server is loaded: tools ask for them at each start.
    const { serve } = await import('./serve.ts')
    return await serve(program, parsed)
  })
}

function processCount(given: string): number {
  return given === 'auto' ? process.getBuiltinModule('node:os').availableParallelism() : Number(given)
}
