import type { ControllerRevision, DaemonSet } from '../../../api/gen/apps/v1.ts'
import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import type { Lister } from '../../controller/index.ts'
import { labelSelectorFromObject } from '../../object/index.ts'
import { type Claim, candidates, claim } from '../shared/claim.ts'
import type { SomeNode, SomeSet } from './nodes.ts'

/** One set and its objects, as the informers show them. */
export interface Seen {
  readonly set: SomeSet
  readonly claim: Claim<Pod>
  readonly revisions: Claim<ControllerRevision>
  readonly nodes: readonly SomeNode[]
}

interface Listers {
  readonly sets: Lister<DaemonSet>
  readonly pods: Lister<Pod>
  readonly nodes: Lister<Node>
  readonly revisions: Lister<ControllerRevision>
}

export function observe({ sets, pods, nodes, revisions }: Listers, key: string): Seen | undefined {
  const set = sets.get(key)
  if (!set) return undefined
  const selector = labelSelectorFromObject(set.spec.selector)
  return {
    set,
    claim: claim<Pod>(set, selector, candidates<Pod>(pods, set)),
    revisions: claim<ControllerRevision>(set, selector, candidates<ControllerRevision>(revisions, set)),
    nodes: [...nodes.all()],
  }
}
