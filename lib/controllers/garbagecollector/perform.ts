import type { Client, PartialObject } from '../../client/index.ts'
import { isConflict, isNotFound } from '../../controller/index.ts'
import { deepEqual, type Frozen, type OwnerReference, type ResourceType, StatusError } from '../../object/index.ts'
import { readLive } from './observe.ts'
import type { Intention } from './plan.ts'

type Deletion = Extract<Intention, { readonly do: 'delete' }>

/** Deletes an object whose owners don't exist. The server refuses if its uid or its owners have changed. */
export async function deleteItem(
  client: Client,
  type: ResourceType,
  object: Frozen<PartialObject>,
  { propagationPolicy, unblockFirst = false }: Deletion,
): Promise<void> {
  const { uid, resourceVersion, ownerReferences } = object.metadata
  const resource = client.resource(type)
  if (unblockFirst) await unblock(client, type, object)
  try {
    const version = unblockFirst ? {} : { resourceVersion }
    await resource.delete(object.metadata, { uid, ...version, propagationPolicy })
  } catch (error) {
    if (isNotFound(error)) return
    if (!isConflict(error)) throw error
    const live = await readLive(client, type, nameOf(object))
    if (live?.metadata.uid !== uid || live === undefined) return
    if (!deepEqual(live.metadata.ownerReferences ?? [], ownerReferences ?? [])) throw error
    await ignoringNotFound(resource.delete(object.metadata, { uid, propagationPolicy }))
  }
}

/** Ends its blocking of its owners' deletion. */
async function unblock(client: Client, type: ResourceType, { metadata }: Frozen<PartialObject>): Promise<void> {
  const ownerReferences = (metadata.ownerReferences ?? []).map((reference) => ({
    ...reference,
    blockOwnerDeletion: false,
  }))
  const { uid, resourceVersion } = metadata
  await client.metadata(type).patch(metadata, 'merge', { metadata: { uid, resourceVersion, ownerReferences } })
}

export async function removeFinalizer(
  client: Client,
  type: ResourceType,
  { metadata }: Frozen<PartialObject>,
  finalizer: string,
): Promise<void> {
  const { uid, resourceVersion, finalizers = [] } = metadata
  if (!finalizers.includes(finalizer)) return
  const left = finalizers.filter((each) => each !== finalizer)
  const patch = { metadata: { uid, resourceVersion, finalizers: left } }
  await ignoringNotFound(client.metadata(type).patch(metadata, 'merge', patch))
}

/**
 * Removes owner references from an object in one patch; a merge patch where the resource supports no strategic one.
 */
export async function removeOwners(
  client: Client,
  type: ResourceType,
  object: Frozen<PartialObject>,
  uids: readonly string[],
): Promise<void> {
  const { uid } = object.metadata
  const objects = client.metadata(type)
  const ownerReferences = uids.map((each) => ({ $patch: 'delete', uid: each }))
  try {
    await objects.patch(object.metadata, 'strategic', { metadata: { uid, ownerReferences } })
  } catch (error) {
    if (isGone(error)) return
    if (!(error instanceof StatusError) || error.code !== 415) throw error
    const live = await readLive(client, type, nameOf(object))
    if (live === undefined || live.metadata.uid !== uid) return
    const kept = (live.metadata.ownerReferences ?? []).filter(
      (each: Frozen<OwnerReference>) => !uids.includes(each.uid),
    )
    const { resourceVersion } = live.metadata
    await ignoringNotFound(
      objects.patch(object.metadata, 'merge', { metadata: { uid, resourceVersion, ownerReferences: kept } }),
    )
  }
}

/** The object was deleted, or replaced by one of another uid, which the API refuses to patch. */
function isGone(error: unknown): boolean {
  return isNotFound(error) || (error instanceof StatusError && error.code === 409 && error.message.includes('UID'))
}

async function ignoringNotFound(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

export function nameOf({ metadata }: Frozen<PartialObject>): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}
