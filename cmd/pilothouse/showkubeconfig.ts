import { join, resolve } from 'node:path'
import { reasonOf, StartError } from '../../lib/controlplane/index.ts'
import { parseFlags } from '../../lib/flags/index.ts'
import { isAnswered } from '../commandline.ts'
import { readIfThere, writeSafely } from './credentials.ts'
import { kubeconfigFlags } from './flags.ts'

const usage = `Prints the administrator's kubeconfig of a control plane.

Usage:
  pilothouse kubeconfig [flags]
`

/** `pilothouse kubeconfig`: returns the exit code. */
export async function showKubeconfig(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(kubeconfigFlags, line)
  if (isAnswered(parsed, usage, kubeconfigFlags)) return 0
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
