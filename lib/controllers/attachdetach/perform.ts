import type { Node, PersistentVolume } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, isAlreadyExists, isNotFound } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Listers } from './observe.ts'
import { attachmentFor, type Detachment, uniqueName } from './plan.ts'
import type { Reports } from './reports.ts'

const { nodes: nodesType } = resources.core.v1
const { volumeattachments } = resources.storage.v1

export interface Parts {
  readonly context: ControllerContext
  readonly listers: Listers
  readonly reports: Reports
  /** When each attachment was first found unneeded, by its name. */
  readonly unwantedSince: Map<string, number>
  forced(reason: string): void
}

export async function attach(client: Client, volume: Frozen<PersistentVolume>, nodeName: string): Promise<void> {
  try {
    await client.resource(volumeattachments).create(attachmentFor(volume, nodeName))
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/**
 * The status of the node is written first: its kubelet must not start to use a volume that is about to be detached.
 */
export async function detach(
  { listers, forced: count }: Parts,
  client: Client,
  volume: Frozen<PersistentVolume>,
  { attachment, forced }: Detachment,
): Promise<void> {
  const node = listers.nodes.get(attachment.spec.nodeName)
  const reported = node?.status.volumesAttached ?? []
  const kept = reported.filter(({ name }) => name !== uniqueName(volume))
  if (node && kept.length < reported.length) await writeAttached(client, node, kept)
  try {
    await client.resource(volumeattachments).delete(attachment.metadata, { uid: attachment.metadata.uid })
    if (forced) count(forced)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Fails where the node has changed since it was read: it may use the volume by now. */
export async function writeAttached(
  client: Client,
  { metadata: { name, resourceVersion } }: Frozen<Node>,
  reported: Frozen<Node>['status']['volumesAttached'],
): Promise<void> {
  const patch = { metadata: { resourceVersion }, status: { volumesAttached: reported } }
  try {
    await client.resource(nodesType).patchStatus({ name }, 'merge', patch)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
