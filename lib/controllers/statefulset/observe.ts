import type { ControllerRevision, StatefulSet } from '../../../api/gen/apps/v1.ts'
import type { PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { controllerOf, type Lister } from '../../controller/index.ts'
import { labelSelectorFromObject } from '../../object/index.ts'
import { type Claim, candidates, claim } from '../shared/claim.ts'
import { isMember, type SomeSet } from './identity.ts'
import type { Observed as Planned } from './plan.ts'

/** One set and its objects, as the informers show them. */
export interface Observed extends Planned {
  readonly set: SomeSet
  readonly claim: Claim<Pod>
  readonly revisions: Claim<ControllerRevision>
}

interface Listers {
  readonly sets: Lister<StatefulSet>
  readonly pods: Lister<Pod>
  readonly claims: Lister<PersistentVolumeClaim>
  readonly revisions: Lister<ControllerRevision>
}

export function observe(
  { sets, pods, claims, revisions }: Listers,
  key: string,
  severalUnavailable = false,
): Observed | undefined {
  const set = sets.get(key)
  if (!set) return undefined
  const selector = labelSelectorFromObject(set.spec.selector)
  const members = candidates<Pod>(pods, set).filter((pod) => isMember(set, pod))
  const claimed = claim<Pod>(set, selector, members)
  const matching = candidates<ControllerRevision>(revisions, set).filter(
    (revision) => controllerOf(revision) !== undefined || selector.matches(revision.metadata.labels ?? {}),
  )
  // Owned revisions stay with the set, whatever their labels.
  const own = matching.filter((revision) => controllerOf(revision)?.uid === set.metadata.uid)
  const orphans = claim<ControllerRevision>(
    set,
    selector,
    matching.filter((each) => !own.includes(each)),
  )
  return {
    set,
    claim: claimed,
    pods: claimed.owned,
    revisions: { owned: [...own, ...orphans.owned], adopt: orphans.adopt, release: [] },
    claims,
    severalUnavailable,
  }
}
