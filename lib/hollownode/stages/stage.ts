import type { Random } from '../../base/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'

/** A step in the course of a pod or a node, and when it comes: a Stage object as data. */
export interface Stage {
  readonly name: string
  readonly kind: 'Pod' | 'Node'
  /** Chances among the stages that match at the same time; 0 for all of them: equal ones. */
  weight(object: Frozen<ApiObject>): number
  matches(object: Frozen<ApiObject>): boolean
  /** Milliseconds from the match to the next state. */
  delayMs(object: Frozen<ApiObject>, nowMs: number, random: Random): number
  readonly next: StageNext
}

export interface StageNext {
  /** Laid over the status that the node reports; undefined: it stays. */
  status(nowMs: number): Readonly<Record<string, unknown>> | undefined
  readonly event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string } | undefined
  readonly finalizers: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly empty: boolean }
  readonly isDeleted: boolean
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
