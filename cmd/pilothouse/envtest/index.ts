import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { isAnswered } from '../../commandline.ts'
import { serveHealth } from './etcd.ts'
import { envtestFlags, testServerFlags } from './flags.ts'
import { writePrograms } from './programs.ts'

const usage = `Makes the programs that controller-runtime's envtest starts, kube-apiserver and etcd, and prints their folder. Objects are kept
in memory: each API server has a store of its own, and etcd only says that it is healthy.

Usage:
  KUBEBUILDER_ASSETS=$(pilothouse envtest) go test ./...
  pilothouse envtest DIR                                 # makes them in DIR
  pilothouse envtest --controllers=namespace,garbagecollector
`

const serverUsage = `Serves the Kubernetes API for tests. Objects are kept in memory: --etcd-servers is taken, and no server is asked.

Usage:
  kube-apiserver [flags]
`

/** The programs that envtest starts, by the word after `pilothouse envtest`. */
const programs: Readonly<Record<string, (line: readonly string[]) => Promise<number>>> = {
  etcd: serveHealth,
  async 'kube-apiserver'(line) {
    const parsed = parseFlags(testServerFlags, line)
    if (isAnswered(parsed, serverUsage, testServerFlags)) return 0
    const { serveTests } = await import('./serve.ts')
    return await serveTests(parsed)
  },
}

/** `pilothouse envtest [DIR]`, and the programs that it makes: `pilothouse envtest kube-apiserver …`. Returns the exit code. */
export async function envtest(line: readonly string[]): Promise<number> {
  const [first = '', ...rest] = line
  const program = Object.hasOwn(programs, first) ? programs[first] : undefined
  if (program) return await program(rest)
  const parsed = parseFlags(envtestFlags, line)
  const { positional, values } = parsed
  if (isAnswered({ values, positional: [] }, usage, envtestFlags)) return 0
  if (positional.length > 1) throw new FlagError(`unexpected argument: ${positional[1]}`)
  process.stdout.write(`${await writePrograms(positional[0], values)}\n`)
  return 0
}
