import type { Random } from '../../../../lib/base/index.ts'
import { controllerOf, keyOf } from '../../../../lib/controller/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../../lib/object/index.ts'
import type { MetricsServer } from '../metricsserver.ts'
import { fate, type Nodes, quietly } from '../nodes.ts'
import type { Rules } from '../rules.ts'
import type { Trace } from '../trace.ts'
import type { World } from '../world.ts'

/** Names that the user gives; everything else in the namespaces was made by controllers. */
const letters = ['x', 'y']

export interface HandDependencies {
  readonly world: World
  readonly nodes: Nodes
  readonly random: Random
  readonly trace: Trace
  readonly rules: Rules
  readonly metrics: MetricsServer
}

/** The parts of all actions of a user. Each returns whether there was an object for it. */
export class Hand {
  readonly world: World
  readonly nodes: Nodes
  readonly random: Random
  readonly trace: Trace
  readonly rules: Rules
  readonly metrics: MetricsServer
  readonly prefix: string

  constructor({ world, nodes, random, trace, rules, metrics }: HandDependencies, prefix: string) {
    this.world = world
    this.nodes = nodes
    this.random = random
    this.trace = trace
    this.rules = rules
    this.metrics = metrics
    this.prefix = prefix
  }

  template(): { image: string; annotations?: Record<string, string> } {
    const image = this.pick(['one', 'two', 'three']) ?? 'one'
    return this.random.below(6) === 0 ? { image, annotations: { [fate.neverReady]: 'true' } } : { image }
  }

  work(): Record<string, string> {
    return { [fate.runs]: String(this.random.below(12)), [fate.fails]: this.pick(['0', '0', '0.4']) ?? '0' }
  }

  isOurs({ namespace = '' }: Frozen<ApiObject>['metadata']): true | undefined {
    return namespace.startsWith(`${this.prefix}-`) ? true : undefined
  }

  /** Those that the user has made; of pods, all. */
  ours(type: ResourceType<ApiObject>): Frozen<ApiObject>[] {
    const isMade = (object: Frozen<ApiObject>): boolean =>
      type.resource === 'pods' ||
      (object.metadata.name?.startsWith(this.prefix) === true && controllerOf(object) === undefined)
    return this.world.truth.all(type).filter((object) => this.isOurs(object.metadata) && isMade(object))
  }

  namespace(): string {
    return `${this.prefix}-${this.random.below(3) === 0 ? 'b' : 'a'}`
  }

  name(kind: string): string {
    return `${this.prefix}-${kind}${this.pick(letters)}`
  }

  async create(type: ResourceType<ApiObject>, object: Frozen<ApiObject>): Promise<true> {
    this.trace.note(
      'user',
      'POST',
      `${type.resource} ${keyOf(object)} ${JSON.stringify({ ...object, metadata: object.metadata.ownerReferences }).slice(0, 600)}`,
      '',
    )
    await quietly(this.world.client.resource(type).create(object))
    return true
  }

  async change(type: ResourceType<ApiObject>, patch: object): Promise<boolean> {
    const object = this.pick(this.ours(type))
    return object !== undefined && (await this.patch(type, object, 'strategic', patch))
  }

  async patch(
    type: ResourceType<ApiObject>,
    object: Frozen<ApiObject>,
    how: 'strategic' | 'merge',
    patch: object,
  ): Promise<true> {
    this.trace.note('user', 'PATCH', `${type.resource} ${keyOf(object)} ${JSON.stringify(patch)}`, '')
    await quietly(this.world.client.resource(type).patch(object.metadata, how, patch))
    return true
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.random.below(from.length)]
  }
}
