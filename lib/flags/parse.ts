import { type Flag, FlagError, type FlagGroups, type FlagValues } from './flag.ts'
import { nearest } from './nearest.ts'

export interface ParsedFlags<Groups extends FlagGroups> {
  readonly values: FlagValues<Groups>
  /** Names of the flags on the command line. */
  readonly given: ReadonlySet<string>
  /** Lines for the log: deprecated flags, flags without effect. */
  readonly warnings: readonly string[]
  /** Arguments that are no flags. */
  readonly positional: readonly string[]
}

interface Occurrence {
  readonly name: string
  /** Undefined for a flag without an argument. */
  readonly argument: string | undefined
}

/**
 * Parses a command line: `--name=value`, `--name value`, `--name` where the argument is optional, `-v=4`, `-v 4`,
 * `-v4`. Underscores in names count as dashes; words after `--` are positional. Throws FlagError on the first mistake.
 */
export function parseFlags<Groups extends FlagGroups>(groups: Groups, line: readonly string[]): ParsedFlags<Groups> {
  const flags = new Map(Object.values(groups).flatMap((group) => Object.entries(group)))
  const shorts = new Map([...flags].flatMap(([name, flag]) => (flag.short === undefined ? [] : [[flag.short, name]])))
  const { occurrences, positional } = split(line, flags, shorts)
  const values = new Map<string, unknown>()
  for (const { name, argument } of occurrences) values.set(name, readArgument(name, flags, argument, values.get(name)))
  return {
    // Every flag of the groups has a value, parsed by its own type, as FlagValues demands.
    values: Object.fromEntries(
      Array.from(flags, ([name, flag]) => [name, values.has(name) ? values.get(name) : flag.initial]),
    ) as FlagValues<Groups>,
    given: new Set(values.keys()),
    warnings: [...values].flatMap(([name, value]) => warningsOf(name, flags.get(name), value)),
    positional,
  }
}

function split(
  line: readonly string[],
  flags: ReadonlyMap<string, Flag<unknown>>,
  shorts: ReadonlyMap<string, string>,
): { occurrences: Occurrence[]; positional: string[] } {
  const occurrences: Occurrence[] = []
  const positional: string[] = []
  const rest = [...line]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      positional.push(...rest.splice(0))
    } else if (word === '-' || !word.startsWith('-')) {
      positional.push(word)
    } else {
      const { name, argument } = word.startsWith('--') ? longForm(word, flags) : shortForm(word, shorts)
      const follows = argument === undefined && flags.get(name)?.alone === undefined
      if (follows && rest.length === 0) throw new FlagError(`--${name} needs a value`)
      occurrences.push({ name, argument: follows ? rest.shift() : argument })
    }
  }
  return { occurrences, positional }
}

function longForm(word: string, flags: ReadonlyMap<string, Flag<unknown>>): Occurrence {
  const at = word.indexOf('=')
  const written = at < 0 ? word.slice(2) : word.slice(2, at)
  const name = written.replaceAll('_', '-')
  if (!flags.has(name)) throw unknownFlag(written, name, flags)
  return { name, argument: at < 0 ? undefined : word.slice(at + 1) }
}

function unknownFlag(written: string, name: string, flags: ReadonlyMap<string, Flag<unknown>>): FlagError {
  const visible = [...flags].flatMap(([each, flag]) => (flag.hidden ? [] : [each]))
  const meant = nearest(name, visible)
  return new FlagError(`unknown flag: --${written}${meant === undefined ? '' : ` (did you mean --${meant}?)`}`)
}

function shortForm(word: string, shorts: ReadonlyMap<string, string>): Occurrence {
  const letter = word.slice(1, 2)
  const name = shorts.get(letter)
  if (name === undefined) throw new FlagError(`unknown flag: -${letter}${word.length > 2 ? ` in ${word}` : ''}`)
  const rest = word.slice(2)
  return { name, argument: rest === '' ? undefined : rest.startsWith('=') ? rest.slice(1) : rest }
}

function readArgument(
  name: string,
  flags: ReadonlyMap<string, Flag<unknown>>,
  argument: string | undefined,
  earlier: unknown,
): unknown {
  const flag = flags.get(name)
  try {
    return flag?.read(argument ?? flag.alone ?? '', earlier)
  } catch (error) {
    throw new FlagError(`--${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function warningsOf(name: string, flag: Flag<unknown> | undefined, value: unknown): string[] {
  if (flag === undefined) return []
  return [
    ...(flag.deprecated === undefined ? [] : [`--${name} is deprecated: ${flag.deprecated}`]),
    ...(flag.ineffective === undefined || flag.show(value) === flag.show(flag.initial)
      ? []
      : [`--${name} has no effect: ${flag.ineffective}`]),
  ]
}
