import type { Node, Pod, Taint } from '../../../api/gen/core/v1.ts'
import { tolerates } from '../../kinds/index.ts'
import { type Frozen, secondsToMs } from '../../object/index.ts'

/** Evict now, stay as long as the taints exist, or stay for so many milliseconds. */
export type Verdict = 'evict' | 'stay' | number

export function executingTaints(node: Frozen<Node> | undefined): readonly Frozen<Taint>[] {
  return (node?.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute')
}

/** The shortest time of the needed tolerations counts; a time of 0 or less has passed at once. */
export function verdictOf({ spec }: Frozen<Pod>, taints: readonly Frozen<Taint>[]): Verdict {
  let shortestMs: number | undefined
  for (const taint of taints) {
    const toleration = (spec.tolerations ?? []).find((each) => tolerates([each], taint))
    if (toleration === undefined) return 'evict'
    const seconds = toleration.tolerationSeconds
    if (seconds !== undefined) shortestMs = Math.min(shortestMs ?? Number.POSITIVE_INFINITY, secondsToMs(seconds))
  }
  if (shortestMs === undefined) return 'stay'
  return shortestMs <= 0 ? 'evict' : shortestMs
}
