import type { ResourceClient } from '../../client/index.ts'
import {
  byController,
  controllerOf,
  controllerReference,
  isNotFound,
  type Lister,
  orphansIn,
} from '../../controller/index.ts'
import { type ApiObject, type Frozen, type LabelSelector, StatusError } from '../../object/index.ts'

/** Which objects belong to an owner, and what is to be done about those that say otherwise. */
export interface Claim<T> {
  /** The objects that belong to it, those to be adopted included. */
  readonly owned: readonly Frozen<T>[]
  /** Match and have no controller. */
  readonly adopt: readonly Frozen<T>[]
  /** Are its own and no longer match. */
  readonly release: readonly Frozen<T>[]
}

type Owner = Frozen<Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>>

/** The objects that may belong to an owner: its own, and those of its namespace without a controller. */
export function candidates<T extends Pick<ApiObject, 'metadata'>>(lister: Lister<T>, owner: Owner): Frozen<T>[] {
  const own = lister.by(byController, owner.metadata.uid ?? '')
  const orphans = lister.by(byController, orphansIn(owner.metadata.namespace ?? ''))
  return orphans.length === 0 ? [...own] : [...own, ...orphans]
}

/** An owner that is being deleted takes and gives up nothing. */
export function claim<T extends Pick<ApiObject, 'metadata'>>(
  owner: Owner,
  selector: LabelSelector,
  objects: Iterable<Frozen<T>>,
): Claim<T> {
  const { uid, deletionTimestamp } = owner.metadata
  const [owned, adopt, release]: [Frozen<T>[], Frozen<T>[], Frozen<T>[]] = [[], [], []]
  for (const object of objects) {
    const { metadata } = object
    const controller = controllerOf({ metadata })
    if (controller !== undefined && controller.uid !== uid) continue
    const matches = selector.matches(metadata.labels ?? {})
    if (controller !== undefined) {
      if (matches) owned.push(object)
      else if (deletionTimestamp === undefined) release.push(object)
    } else if (matches && deletionTimestamp === undefined && metadata.deletionTimestamp === undefined) {
      adopt.push(object)
      owned.push(object)
    }
  }
  return { owned, adopt, release }
}

/** Carries out adoptions and releases. `owners` and `objects` are the clients of the two resources. */
export async function performClaim<Owned extends ApiObject, Claimed extends ApiObject>(
  owner: Frozen<Owned>,
  { adopt, release }: Claim<Claimed>,
  owners: ResourceClient<Owned>,
  objects: ResourceClient<Claimed>,
  /** Comes and goes with the owner. */
  finalizer?: string,
): Promise<void> {
  if (adopt.length > 0) await requireLive(owner, owners)
  const reference = controllerReference(owner)
  for (const { metadata } of adopt)
    await objects.patch(metadata, 'strategic', {
      metadata: { uid: metadata.uid, ownerReferences: [reference], ...(finalizer ? { finalizers: [finalizer] } : {}) },
    })
  for (const { metadata } of release) {
    const gone = { $patch: 'delete', uid: reference.uid }
    try {
      const freed = finalizer ? { '$deleteFromPrimitiveList/finalizers': [finalizer] } : {}
      await objects.patch(metadata, 'strategic', { metadata: { uid: metadata.uid, ownerReferences: [gone], ...freed } })
    } catch (error) {
      // It is gone, or another one has its name: nothing of ours is left.
      if (!isNotFound(error) && !(error instanceof StatusError && error.code === 422)) throw error
    }
  }
}

/** An object adopted by an owner that is gone or going would be garbage-collected with it. */
async function requireLive<Owned extends ApiObject>(
  owner: Frozen<ApiObject>,
  owners: ResourceClient<Owned>,
): Promise<void> {
  const { namespace = '', name = '', uid = '' } = owner.metadata
  const { metadata } = await owners.get({ namespace, name })
  if (metadata.uid !== uid)
    throw new Error(`original ${owner.kind} ${namespace}/${name} is gone: got uid ${metadata.uid ?? ''}, wanted ${uid}`)
  if (metadata.deletionTimestamp !== undefined)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`)
}
