import { parseFlags } from '../../lib/flags/index.ts'
import { isAnswered } from '../commandline.ts'
import { runMain } from '../lifetime.ts'
import { programVersion } from './build.ts'
import { configure } from './configure.ts'
import { configureObserving } from './configureobserving.ts'
import { apiserverFlags } from './flags.ts'
import { checkFlags, checkServerFlags } from './rules.ts'
import { runApiserver } from './run.ts'

const program = 'pilothouse-apiserver'

const usage = `Serves the Kubernetes API from a store: etcd, which other replicas may share, or an embedded one.

Usage:
  ${program} --etcd-servers=https://127.0.0.1:2379 [flags]
  ${program} --data-dir=/var/lib/pilothouse [flags]
`

await runMain(program, async (line) => {
  const parsed = parseFlags(apiserverFlags, line)
  if (isAnswered(parsed, usage, apiserverFlags)) return 0
  const { values, warnings } = parsed
  checkFlags(parsed)
  checkServerFlags(parsed)
  return await runApiserver({
    program,
    warnings,
    observe: await configureObserving(values),
    configure: (services) => configure(values, services, programVersion, parsed.given),
  })
})
