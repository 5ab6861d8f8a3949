import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { FlagError, type FlagValues } from '../../../lib/flags/index.ts'
import { ownCommand } from '../../owncommand.ts'
import type { envtestFlags } from './flags.ts'

type Settings = Pick<FlagValues<typeof envtestFlags>, 'controllers' | 'emulated-version' | 'nodes'>

/**
 * Makes the programs in a folder, whose absolute path it returns. Without `given`, one in the user's cache, which all calls
 * with the same settings share. Throws FlagError for settings that the server would refuse, and where it can't be written.
 */
export async function writePrograms(given: string | undefined, settings: Settings): Promise<string> {
  await check(settings)
  const folder = given === undefined ? cacheFolder(scriptsOf(settings, undefined)) : resolve(given)
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(scriptsOf(settings, folder))) await replace(join(folder, name), text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FlagError(`${folder} can't be used: ${reason}`, { cause: error })
  }
  return folder
}

async function check({ controllers, 'emulated-version': release }: Settings): Promise<void> {
  const { parseEmulation } = await import('../../../lib/features/index.ts')
  about('--emulated-version', () => parseEmulation([release], []))
  if (controllers.length === 0) return
  const { checkControllerNames } = await import('../../../lib/controlplane/index.ts')
  about('--controllers', () => checkControllerNames(controllers))
}

function about(flag: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    throw new FlagError(`${flag}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** The programs by their names. kubectl is one of this machine, where there is one. */
function scriptsOf(settings: Settings, folder: string | undefined): Record<string, string> {
  const own = [...ownCommand(), 'envtest']
  const controllers = settings.controllers.length === 0 ? [] : [`--controllers=${settings.controllers.join(',')}`]
  const kubectl = findKubectl(folder)
  return {
    'kube-apiserver': script([
      ...own,
      'kube-apiserver',
      ...controllers,
      ...(settings.nodes === 0 ? [] : [`--nodes=${settings.nodes}`]),
      `--emulated-version=${settings['emulated-version']}`,
    ]),
    etcd: script([...own, 'etcd']),
    ...(kubectl === undefined ? {} : { kubectl: script([kubectl]) }),
  }
}

function script(words: readonly string[]): string {
  return `#!/bin/sh\nexec ${words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')} "$@"\n`
}

function findKubectl(folder: string | undefined): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((place) => place !== '' && resolve(place) !== folder)
    .map((place) => resolve(place, 'kubectl'))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** One for each set of programs: tests with other settings, or of another installation, run beside each other. */
function cacheFolder(scripts: Readonly<Record<string, string>>): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const digest = createHash('sha256').update(JSON.stringify(scripts)).digest('hex').slice(0, 12)
  return resolve(cache, 'pilothouse', `envtest-${digest}`)
}

/** Others may start the program meanwhile: they find the old one or the new one. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, text, { mode: 0o755 })
  await rename(draft, path)
}
