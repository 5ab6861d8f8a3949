import type {
  DefaultPreemptionArgs,
  DynamicResourcesArgs,
  PodTopologySpreadArgs,
  VolumeBindingArgs,
} from '../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { parseDurationMs } from '../object/index.ts'
import type { ExtensionPoint, Filter, Plugin, Score } from './contract.ts'
import { defaultPreemptionArgs } from './plugins/defaultpreemption.ts'
import { plugins } from './plugins/index.ts'

/** A scheduler by the name in `spec.schedulerName` of its pods. */
export interface Profile {
  readonly name: string
  /** False: pods with scheduling gates are scheduled as others are. */
  readonly honorsGates: boolean
  /** In the order in which nodes are asked. */
  readonly filters: readonly Filter[]
  readonly scores: readonly WeightedScore[]
  /** Undefined: no pod ends for another one. */
  readonly preemption: PreemptionLimits | undefined
  /** It has topology spread constraints for pods without any. */
  readonly spreads: boolean
  /** How long a pod's binding waits for its volumes. */
  readonly bindTimeoutMs: number
  /** The same for the binding conditions of devices. */
  readonly deviceTimeoutMs: number
  /** Nodes that are found before they are scored, in percent of all; 0: fewer the more nodes there are. */
  readonly percentageOfNodesToScore: number
}

export interface WeightedScore {
  readonly weight: number
  readonly score: Score
}

/** Nodes that are tried for victims: the greater of a part of all nodes and a number. */
export interface PreemptionLimits {
  readonly percentage: number
  readonly absolute: number
}

/** A plugin of a profile, at one extension point. */
export interface ChosenPlugin {
  readonly plugin: Plugin<never>
  readonly weight: number
}

export type ChosenPlugins = ReadonlyMap<ExtensionPoint, readonly ChosenPlugin[]>

interface ProfileOptions {
  readonly name: string
  readonly chosen: ChosenPlugins
  /** Completed arguments by the plugin's name. */
  readonly args: ReadonlyMap<string, unknown>
  readonly percentageOfNodesToScore?: number
}

const bindTimeoutSeconds = 600

export function createProfile({ name, chosen, args, percentageOfNodesToScore = 0 }: ProfileOptions): Profile {
  const at = (point: ExtensionPoint): readonly ChosenPlugin[] => chosen.get(point) ?? []
  const has = (point: ExtensionPoint, plugin: string): boolean => at(point).some((each) => each.plugin.name === plugin)
  // Arguments were decoded as those of the plugin.
  const argsOf = (plugin: Plugin<never>): never => args.get(plugin.name) as never
  const preemption = { ...defaultPreemptionArgs, ...(args.get('DefaultPreemption') as Partial<DefaultPreemptionArgs>) }
  const binding = args.get('VolumeBinding') as Partial<VolumeBindingArgs> | undefined
  const spreading = args.get('PodTopologySpread') as Partial<PodTopologySpreadArgs> | undefined
  const devices = args.get('DynamicResources') as Partial<DynamicResourcesArgs> | undefined
  return {
    name,
    honorsGates: has('preEnqueue', 'SchedulingGates'),
    filters: at('filter').flatMap(({ plugin }) => plugin.filter?.(argsOf(plugin)) ?? []),
    scores: at('score').flatMap(({ plugin, weight }) => {
      const score = plugin.score?.(argsOf(plugin))
      return score ? [{ score, weight }] : []
    }),
    preemption: has('postFilter', 'DefaultPreemption')
      ? {
          percentage: preemption.minCandidateNodesPercentage,
          absolute: preemption.minCandidateNodesAbsolute,
        }
      : undefined,
    spreads: (spreading?.defaultConstraints ?? []).length > 0,
    bindTimeoutMs: (binding?.bindTimeoutSeconds ?? bindTimeoutSeconds) * 1000,
    deviceTimeoutMs: parseDurationMs(devices?.bindingTimeout ?? `${bindTimeoutSeconds}s`),
    percentageOfNodesToScore,
  }
}

/** All plugins, at all their points. */
function defaultPlugins(): ChosenPlugins {
  const chosen = new Map<ExtensionPoint, ChosenPlugin[]>()
  for (const plugin of plugins)
    for (const point of plugin.points)
      chosen.set(point, [...(chosen.get(point) ?? []), { plugin, weight: plugin.weight ?? 1 }])
  return chosen
}

/** The stock scheduler's profile. */
export function defaultProfile(name: string): Profile {
  return createProfile({ name, chosen: defaultPlugins(), args: new Map() })
}
