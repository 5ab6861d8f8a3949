import { FlagError, formatHelp } from '../lib/flags/index.ts'
import { programVersion } from './apiserver/build.ts'

interface Line {
  readonly values: { readonly help: boolean; readonly version?: string }
  readonly positional: readonly string[]
}

/**
 * Answers `--help` and `--version` on standard output: true when the line asked for one of them. Throws FlagError for
 * arguments that are no flags, as no program takes any.
 */
export function isAnswered(line: Line, usage: string, flags: Parameters<typeof formatHelp>[0]): boolean {
  const { help, version = 'false' } = line.values
  if (help) process.stdout.write(`${usage}\n${formatHelp(flags, process.stdout.columns)}`)
  else if (version !== 'false') process.stdout.write(`${formatVersion(version)}\n`)
  else if (line.positional.length > 0) throw new FlagError(`unexpected argument: ${line.positional[0]}`)
  else return false
  return true
}

function formatVersion(form: string): string {
  const version = programVersion()
  return form === 'raw' ? JSON.stringify(version, null, 2) : `Pilothouse ${version.gitVersion}`
}
