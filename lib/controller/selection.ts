import type { ControllerDefinition } from './definition.ts'

/**
 * Which controllers `--controllers` asks for: `*` is all that are on by default, `foo` names one, `-foo` leaves one out;
 * the first that names a controller decides. Throws RangeError for names that there are not.
 */
export function selectControllers(
  all: readonly ControllerDefinition[],
  wanted: readonly string[],
): readonly ControllerDefinition[] {
  const named = new Map<string, string>()
  for (const { name, aliases = [] } of all) for (const each of [name, ...aliases]) named.set(each, name)
  const choices = new Map<string, boolean>()
  let everything = false
  for (const text of wanted) {
    if (text === '*') {
      everything = true
      continue
    }
    const on = !text.startsWith('-')
    const name = named.get(on ? text : text.slice(1))
    if (name === undefined) throw new RangeError(`${JSON.stringify(on ? text : text.slice(1))} is no controller`)
    if (!choices.has(name)) choices.set(name, on)
  }
  return all.filter(({ name, byDefault = true }) => choices.get(name) ?? (everything && byDefault))
}
