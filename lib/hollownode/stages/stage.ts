import type { Random } from '../../base/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'
import type { StageMoment } from './surroundings.ts'

/** A step in the course of a pod or a node, and when it comes: a Stage object as data. */
export interface Stage {
  readonly name: string
  readonly kind: 'Pod' | 'Node'
  /** Chances among the stages that match at the same time; 0 for all of them: equal ones. */
  weight(object: Frozen<ApiObject>): number
  matches(object: Frozen<ApiObject>): boolean
  /** Milliseconds from the match to the next state. */
  delayMs(object: Frozen<ApiObject>, nowMs: number, random: Random): number
  /** In order. */
  readonly steps: readonly StageStep[]
}

/** A part of a stage's effect on an object. */
export type StageStep =
  | { readonly is: 'event'; readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
  | {
      readonly is: 'finalizers'
      readonly add: readonly string[]
      readonly remove: readonly string[]
      readonly empty: boolean
    }
  | { readonly is: 'delete' }
  | StagePatch

export interface StagePatch {
  readonly is: 'patch'
  /** A patch of the status is laid over the one that the node reports. */
  readonly of: 'status' | 'object'
  readonly type: 'json' | 'merge' | 'strategic'
  /** Throws an Error where the template makes no sense for the object. */
  body(moment: StageMoment): unknown
}

/** The stages in force, which may change while nodes run. */
export interface StageSource {
  current(): readonly Stage[]
  subscribe(changed: () => void): void
}

/** Chooses one of the stages that match, by their weights. */
export function chooseStage(matching: readonly Stage[], object: Frozen<ApiObject>, random: Random): Stage | undefined {
  const weights = matching.map((stage) => Math.max(0, stage.weight(object)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return matching[random.below(Math.max(1, matching.length))]
  let left = random.fraction() * total
  for (const [index, stage] of matching.entries()) {
    left -= weights[index] ?? 0
    if (left < 0) return stage
  }
  return matching.at(-1)
}
