import { union } from '../fieldset/algebra.ts'
import { compareTexts } from '../fieldset/element.ts'
import { identityText, type Owner, ownerId, secondsOf } from './owner.ts'

/** Updaters that an object remembers apart; older ones are folded into one of this name for each version. */
export const updateManagersMax = 10
export const ancientManager = 'ancient-changes'

/** Folds the oldest updaters, so that no more than updateManagersMax are left where that can be. Changes `owners`. */
export function capUpdaters(owners: Map<string, Owner>): void {
  const updaters = [...owners.values()].filter(({ operation }) => operation === 'Update')
  let count = updaters.length
  if (count <= updateManagersMax) return
  updaters.sort((a, b) => secondsOf(a) - secondsOf(b) || compareTexts(identityText(a), identityText(b)))
  const oldest = new Map<string, Owner>()
  for (const owner of updaters) {
    if (count <= updateManagersMax) return
    const first = oldest.get(owner.apiVersion)
    if (!first) oldest.set(owner.apiVersion, owner)
    else if (fold(owners, first, owner)) count--
  }
}

/** Folds an updater into the bucket of its version, which begins with the oldest one of the version. */
function fold(owners: Map<string, Owner>, first: Owner, owner: Owner): boolean {
  const empty: Owner = { ...first, manager: ancientManager, subresource: '', stored: undefined }
  const id = ownerId(empty)
  if (ownerId(owner) === id) return false
  let bucket = owners.get(id)
  if (!bucket) {
    owners.delete(ownerId(first))
    bucket = empty
  }
  owners.delete(ownerId(owner))
  // The younger one's time: it comes later in the order.
  owners.set(id, { ...bucket, set: union(bucket.set, owner.set), time: owner.time, stored: undefined })
  return true
}
