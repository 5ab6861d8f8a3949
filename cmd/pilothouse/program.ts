import { FlagError, nearest } from '../../lib/flags/index.ts'
import { runMain } from '../lifetime.ts'
import { versionLine } from '../versionline.ts'
import { up } from './up.ts'

const usage = `A Kubernetes-compatible control plane.

Usage:
  pilothouse <command> [flags]

Commands:
  up           Runs a control plane in one process; its data stay in a folder
  kubeconfig   Prints the kubeconfig of a control plane that was started with up
  types        Writes TypeScript types of custom resources
  convert      Converts objects between versions of the API, and between formats
  pki          Makes, renews and lists the certificates of a cluster
  nodes        Lists nodes without machines, and lets them fail and recover
  envtest      Makes the programs that envtest starts, for tests of operators
  record       Writes the requests of a client to a file, for reports of bugs
  replay       Plays such a file to a control plane, and lists answers that differ
  store        Reads, checks, copies and tends the store of a control plane
  version      Prints the version
  help         Prints this

\`pilothouse <command> --help\` describes a command.
`

/** Each is loaded when it is asked for. */
const commands: Readonly<Record<string, (line: readonly string[]) => number | Promise<number>>> = {
  up,
  kubeconfig: async (line) => (await import('./showkubeconfig.ts')).showKubeconfig(line),
  types: async (line) => (await import('./types/index.ts')).types(line),
  convert: async (line) => (await import('./convert.ts')).convert(line),
  pki: async (line) => (await import('./pki/index.ts')).pki(line),
  nodes: async (line) => (await import('./nodes.ts')).nodes(line),
  store: async (line) => (await import('./store/index.ts')).store(line),
  envtest: async (line) => (await import('./envtest/index.ts')).envtest(line),
  record: async (line) => (await import('./record/index.ts')).record(line),
  replay: async (line) => (await import('./replay/index.ts')).replay(line),
  version() {
    process.stdout.write(versionLine())
    return 0
  },
  help() {
    process.stdout.write(usage)
    return 0
  },
}

const aliases: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' }

/** Runs the command of this command line to its end, and the process with it. */
export async function run(): Promise<void> {
  await runMain('pilothouse', async ([given, ...rest]) => {
    if (given === undefined) {
      process.stderr.write(usage)
      return 1
    }
    const name = aliases[given] ?? given
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command !== undefined) return await command(rest)
    const meant = nearest(name, Object.keys(commands))
    throw new FlagError(
      meant === undefined
        ? `unknown command: ${name}; \`pilothouse help\` lists them`
        : `unknown command: ${name} (did you mean ${meant}?)`,
    )
  })
}
