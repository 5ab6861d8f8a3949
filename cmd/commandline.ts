import { FlagError, formatHelp, nearest } from '../lib/flags/index.ts'
import { versionLine } from './versionline.ts'

interface Line {
  readonly values: { readonly help: boolean; readonly version?: string }
  readonly positional: readonly string[]
}

/**
 * Prints the answer to `--help` and `--version`, and returns true for them. Throws FlagError for positional arguments,
 * as no program takes any.
 */
export function isAnswered(line: Line, usage: string, flags: Parameters<typeof formatHelp>[0]): boolean {
  const { help, version = 'false' } = line.values
  if (help) process.stdout.write(`${usage}\n${formatHelp(flags, process.stdout.columns)}`)
  else if (version !== 'false') process.stdout.write(versionLine(version))
  else if (line.positional.length > 0) throw new FlagError(`unexpected argument: ${line.positional[0]}`)
  else return false
  return true
}

/**
 * Finds `name` among the commands of `pilothouse <group>`. Throws FlagError with the nearest name for an unknown one.
 */
export function findCommand<Command>(
  group: string,
  commands: Readonly<Record<string, Command>>,
  name: string,
): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command
  const meant = nearest(name, Object.keys(commands))
  throw new FlagError(`unknown command: ${group} ${name}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`)
}
