import type { Flag, FlagGroups, FlagValues } from './flag.ts'

const listKinds = new Set(['strings', 'stringArray', 'ints', 'namedCertKey', 'stringToString'])

/** All flags with their values as text: lists in brackets, durations as `1m0s`. */
export function showFlags<Groups extends FlagGroups>(
  groups: Groups,
  values: FlagValues<Groups>,
): Readonly<Record<string, string>> {
  const byName = values as Readonly<Record<string, unknown>>
  const show = ([name, flag]: [string, Flag<unknown>]): [string, string] => {
    const text = flag.show(byName[name])
    return [name, listKinds.has(flag.kind) ? `[${text}]` : text]
  }
  return Object.fromEntries(
    Object.values(groups)
      .flatMap((group) => Object.entries(group))
      .map(show),
  )
}
