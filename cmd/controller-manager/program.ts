import { FlagError, formatHelp, parseFlags } from '../../lib/flags/index.ts'
import { programVersion } from '../apiserver/build.ts'
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
  const { values, warnings, positional } = parseFlags(managerFlags, line)
  const version = programVersion()
  if (values.help) {
    process.stdout.write(`${usage}\n${formatHelp(managerFlags, process.stdout.columns)}`)
    return 0
  }
  if (values.version !== 'false') {
    process.stdout.write(
      values.version === 'raw' ? `${JSON.stringify(version, null, 2)}\n` : `Pilothouse ${version.gitVersion}\n`,
    )
    return 0
  }
  if (positional.length > 0) throw new FlagError(`unexpected argument: ${positional[0]}`)
  return await runManager(program, values, await configure(values), version, warnings)
})
