import type { AdmissionPlugin } from './plugin.ts'

/** A plugin that a server may run. */
export interface AvailablePlugin {
  readonly name: string
  readonly onByDefault: boolean
  create(): AdmissionPlugin
}

/**
 * The plugins to run, in the order of `available`: the default ones, with `enable` and without `disable`. Throws an
 * Error for unknown names, and for names in both lists.
 */
export function selectPlugins(
  available: readonly AvailablePlugin[],
  choice: { readonly enable: readonly string[]; readonly disable: readonly string[] },
): AdmissionPlugin[] {
  const known = new Set(available.map(({ name }) => name))
  const unknown = [...choice.enable, ...choice.disable].filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`unknown admission plugins: ${unknown.join(', ')}`)
  const both = choice.enable.filter((name) => choice.disable.includes(name))
  if (both.length > 0) throw new Error(`admission plugins both enabled and disabled: ${both.join(', ')}`)
  return available
    .filter(({ name, onByDefault }) => (onByDefault || choice.enable.includes(name)) && !choice.disable.includes(name))
    .map((plugin) => plugin.create())
}
