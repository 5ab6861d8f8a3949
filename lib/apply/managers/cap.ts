import { unionOf } from '../fieldset/algebra.ts'
import { compareTexts } from '../fieldset/element.ts'
import { type FieldOwner, identityText, ownerId, secondsOf } from './owner.ts'

/** Number of updaters that an object keeps separately; older ones are merged into one of this name for each version. */
const updateManagersMax = 10
const ancientManager = 'ancient-changes'

/** The oldest updater of a version, and those that are merged into one with it. */
interface Bucket {
  readonly first: FieldOwner
  readonly folded: FieldOwner[]
}

/** Merges the oldest updaters, so that at most updateManagersMax are left if possible. Changes `owners`. */
export function capUpdaters(owners: Map<string, FieldOwner>): void {
  const updaters = [...owners.values()].filter(({ operation }) => operation === 'Update')
  let count = updaters.length
  if (count <= updateManagersMax) return
  const keyed = updaters.map((owner) => ({ owner, seconds: secondsOf(owner), text: identityText(owner) }))
  keyed.sort((a, b) => a.seconds - b.seconds || compareTexts(a.text, b.text))
  const buckets = new Map<string, Bucket>()
  for (const { owner } of keyed) {
    if (count <= updateManagersMax) break
    const bucket = buckets.get(owner.apiVersion)
    if (!bucket) buckets.set(owner.apiVersion, { first: owner, folded: [] })
    else if (ownerId(owner) !== ownerId(ancientOf(owner))) {
      bucket.folded.push(owner)
      count--
    }
  }
  for (const bucket of buckets.values()) if (bucket.folded.length > 0) fold(owners, bucket)
}

function ancientOf(owner: FieldOwner): FieldOwner {
  return { ...owner, manager: ancientManager, subresource: '', stored: undefined }
}

/**
 * A merged updater from earlier takes the others in, and the first one stays; otherwise the new one begins with the
 * first.
 */
function fold(owners: Map<string, FieldOwner>, { first, folded }: Bucket): void {
  const ancient = ancientOf(folded.at(-1) ?? first)
  const id = ownerId(ancient)
  const known = owners.get(id)
  if (!known) owners.delete(ownerId(first))
  for (const owner of folded) owners.delete(ownerId(owner))
  const sets = [(known ?? first).set, ...folded.map(({ set }) => set)]
  // The time is that of the youngest, which is last in the order.
  owners.set(id, { ...ancient, ordered: false, set: unionOf(sets) })
}
