import { parseFlags } from '../../lib/flags/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { isAnswered } from '../commandline.ts'
import { runMain } from '../lifetime.ts'
import { configure } from './configure.ts'
import { managerFlags } from './flags.ts'
import { runManager } from './run.ts'

const program = 'pilothouse-controller-manager'

const usage = `Runs the controllers of a cluster against its API server.

Usage:
  ${program} --kubeconfig=/etc/kubernetes/controller-manager.conf [flags]
`

await runMain(program, async (line) => {
  const parsed = parseFlags(managerFlags, line)
  if (isAnswered(parsed, usage, managerFlags)) return 0
  const { values, warnings } = parsed
  const config = await configure(values)
  return await runManager(program, values, config, programVersion(config.emulation), warnings)
})
