import type * as v1 from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, quote } from '../../object/index.ts'
import type { ExtensionPoint, Plugin } from '../contract.ts'
import { plugins as known } from '../plugins/index.ts'
import type { ChosenPlugin, ChosenPlugins } from '../profile.ts'

type Sets = Readonly<Partial<Record<ExtensionPoint | 'multiPoint', v1.PluginSet>>>

const points: readonly ExtensionPoint[] = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
]

/**
 * The plugins of a profile at each extension point. The list of a point has precedence over that of `multiPoint`, and
 * that over the defaults; a plugin that is enabled and disabled is enabled.
 */
export function choosePlugins(
  sets: Sets,
  path: FieldPath,
): { readonly chosen: ChosenPlugins; readonly problems: readonly FieldError[] } {
  const problems = (['multiPoint', ...points] as const).flatMap((point) =>
    problemsOf(point, sets[point], path.child(point)),
  )
  const everywhere = mergedDefaults(sets.multiPoint)
  const chosen = new Map(points.map((point) => [point, chosenAt(point, sets[point], everywhere)]))
  return { chosen, problems }
}

function problemsOf(
  point: ExtensionPoint | 'multiPoint',
  { enabled = [] }: v1.PluginSet = {},
  path: FieldPath,
): FieldError[] {
  const names = enabled.map(({ name }) => name)
  return enabled.flatMap(({ name, weight }, index) => {
    const at = path.child('enabled').index(index)
    const plugin = find(name)
    if (!plugin) return [fieldErrors.invalid(at, name, `plugin ${quote(name)} does not exist`)]
    if (names.indexOf(name) < index)
      return [fieldErrors.invalid(at, name, `plugin ${quote(name)} already registered as ${quote(point)}`)]
    if (point !== 'multiPoint' && !plugin.points.includes(point))
      return [fieldErrors.invalid(at, name, `plugin ${quote(name)} does not extend ${point} plugin`)]
    if (weight !== undefined && weight < 0)
      return [fieldErrors.invalid(at.child('weight'), weight, 'must not be negative')]
    return []
  })
}

function find(name: string): Plugin<never> | undefined {
  return known.find((plugin) => plugin.name === name)
}

/** The default plugins with the changes of `multiPoint`; weights that it names replace the defaults. */
function mergedDefaults({ enabled = [], disabled = [] }: v1.PluginSet = {}): ChosenPlugin[] {
  const off = new Set(disabled.map(({ name }) => name))
  const byName = new Map(enabled.map((each) => [each.name, each]))
  const kept = off.has('*') ? [] : known.filter(({ name }) => !off.has(name))
  const added = enabled.flatMap(({ name }) => find(name) ?? []).filter((plugin) => !kept.includes(plugin))
  return [...kept, ...added].map((plugin) => ({
    plugin,
    weight: byName.get(plugin.name)?.weight || plugin.weight || 1,
  }))
}

function chosenAt(
  point: ExtensionPoint,
  { enabled = [], disabled = [] }: v1.PluginSet = {},
  everywhere: readonly ChosenPlugin[],
): ChosenPlugin[] {
  const off = new Set(disabled.map(({ name }) => name))
  const named = enabled.flatMap(({ name, weight }) => {
    const plugin = find(name)
    return plugin ? [{ plugin, weight: weight || plugin.weight || 1 }] : []
  })
  const isNamed = ({ plugin }: ChosenPlugin): boolean => named.some((each) => each.plugin === plugin)
  const isDefault = ({ plugin }: ChosenPlugin): boolean => everywhere.some((each) => each.plugin === plugin)
  const rest = off.has('*')
    ? []
    : everywhere.filter((each) => each.plugin.points.includes(point) && !off.has(each.plugin.name) && !isNamed(each))
  // A default plugin that the point names again goes first, so that its place can be chosen.
  return [...named.filter(isDefault), ...rest, ...named.filter((each) => !isDefault(each))]
}
