import { join, resolve } from 'node:path'
import { reasonOf, StartError } from '../../lib/controlplane/index.ts'
import { FlagError, nearest, parseFlags } from '../../lib/flags/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { isAnswered } from '../commandline.ts'
import { runMain } from '../lifetime.ts'
import { convert } from './convert.ts'
import { readIfThere, writeSafely } from './credentials.ts'
import { kubeconfigFlags } from './flags.ts'
import { pki } from './pki/index.ts'
import { store } from './store/index.ts'
import { up } from './up.ts'

const usage = `A Kubernetes-compatible control plane.

Usage:
  pilothouse <command> [flags]

Commands:
  up           Runs a control plane in one process; its data stay in a folder
  kubeconfig   Prints the kubeconfig of a control plane that was started with up
  convert      Converts objects between versions of the API, and between formats
  pki          Makes, renews and lists the certificates of a cluster
  store        Reads, checks, copies and tends the store of a control plane
  version      Prints the version
  help         Prints this

\`pilothouse <command> --help\` tells more.
`

const kubeconfigUsage = `Prints the administrator's kubeconfig of a control plane.

Usage:
  pilothouse kubeconfig [flags]
`

const commands: Readonly<Record<string, (line: readonly string[]) => number | Promise<number>>> = {
  up,
  kubeconfig,
  convert,
  pki,
  store,
  version() {
    process.stdout.write(`Pilothouse ${programVersion().gitVersion}\n`)
    return 0
  },
  help() {
    process.stdout.write(usage)
    return 0
  },
}

const aliases: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' }

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

async function kubeconfig(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(kubeconfigFlags, line)
  if (isAnswered(parsed, kubeconfigUsage, kubeconfigFlags)) return 0
  const { values } = parsed
  const folder = resolve(values['data-dir'])
  const text = await readKubeconfig(folder)
  if (values.output === '') {
    process.stdout.write(text)
    return 0
  }
  try {
    await writeSafely(resolve(values.output), text, 0o600)
  } catch (error) {
    throw new StartError(`can't write ${values.output}: ${reasonOf(error)}`, { cause: error })
  }
  return 0
}

async function readKubeconfig(folder: string): Promise<string> {
  try {
    const text = await readIfThere(join(folder, 'admin.kubeconfig'))
    if (text !== undefined) return text
  } catch (error) {
    throw new StartError(`the data folder ${folder} can't be read: ${reasonOf(error)}`, { cause: error })
  }
  throw new StartError(`no control plane was started in ${folder} yet: run \`pilothouse up\``)
}
