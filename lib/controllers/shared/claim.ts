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

/** The objects of an owner, and the changes of owner references that it needs. */
export interface Claim<T> {
  /** The owner's objects, including those to be adopted. */
  readonly owned: readonly Frozen<T>[]
  /** They match and have no controller. */
  readonly adopt: readonly Frozen<T>[]
  /** They are controlled by the owner and no longer match. */
  readonly release: readonly Frozen<T>[]
}

type Owner = Frozen<Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>>

/** The objects that an owner controls, and those of its namespace without a controller. */
export function candidates<T extends Pick<ApiObject, 'metadata'>>(lister: Lister<T>, owner: Owner): Frozen<T>[] {
  const own = lister.by(byController, owner.metadata.uid ?? '')
  const orphans = lister.by(byController, orphansIn(owner.metadata.namespace ?? ''))
  return orphans.length === 0 ? [...own] : [...own, ...orphans]
}

/** An owner that is being deleted adopts and releases nothing. */
export function claim<T extends Pick<ApiObject, 'metadata'>>(
  owner: Owner,
  selector: LabelSelector,
  objects: Iterable<Frozen<T>>,
): Claim<T> {
  const { uid, deletionTimestamp } = owner.metadata
  const [owned, adopt, release]: [Frozen<T>[], Frozen<T>[], Frozen<T>[]] = [[], [], []]
  for (const object of objects) {
    const { metadata } = object
    const controller = controllerOf(object)
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
  /** Added on adoption, and removed on release. */
  finalizer?: string,
): Promise<void> {
  if (adopt.length > 0) await requireLive(owner, owners)
  const reference = controllerReference(owner)
  for (const { metadata } of adopt)
    await objects.patch(metadata, 'strategic', {
      metadata: { uid: metadata.uid, ownerReferences: [reference], finalizers: finalizer ? [finalizer] : undefined },
    })
  for (const { metadata } of release) {
    const gone = { $patch: 'delete', uid: reference.uid }
    try {
      const freed = finalizer ? { '$deleteFromPrimitiveList/finalizers': [finalizer] } : {}
      await objects.patch(metadata, 'strategic', { metadata: { uid: metadata.uid, ownerReferences: [gone], ...freed } })
    } catch (error) {
      // The object was deleted or replaced: there is nothing to release.
      if (!isNotFound(error) && !(error instanceof StatusError && error.code === 422)) throw error
    }
  }
}

/** The garbage collector would delete an object that a deleted or terminating owner adopts. */
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
