import type { ControllerDefinition } from './definition.ts'

/**
 * The controllers that `--controllers` selects: `*` adds all that are on by default, `foo` adds one, `-foo` removes
 * one; the first entry that names a controller decides. Throws RangeError for unknown names.
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
