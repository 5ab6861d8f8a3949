import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import type { EventRecorder } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { volumePhase } from './bind.ts'
import { createFolder, deleteFolder } from './hostpath.ts'
import type { Plan, Step, Volume } from './types.ts'

const { persistentvolumeclaims, persistentvolumes } = resources.core.v1

export interface Performing {
  readonly client: Client
  readonly events: EventRecorder
  /** Called with each write that sets a default class, and its error. */
  classSet(error?: unknown): void
}

/** Each write is based on the result of the one before. A conflict ends the plan, and the turn is retried. */
export async function perform({ steps, events: planned }: Plan, performing: Performing): Promise<void> {
  const versions = new Map<string, string | undefined>()
  for (const step of steps) {
    if (step.write === 'noVolume') {
      await deleteVolume(step, performing)
      continue
    }
    const { kind } = step.object
    const written = await write(step, versions.get(kind) ?? step.object.metadata.resourceVersion, performing)
    versions.set(kind, written.metadata.resourceVersion)
  }
  for (const { about, type, reason, message } of planned) performing.events.event(about, type, reason, message)
}

/**
 * Where the folder can't be deleted the volume becomes Failed, which is reported once, however often it is retried.
 */
async function deleteVolume(
  { object, folder }: Step & { readonly write: 'noVolume' },
  performing: Performing,
): Promise<void> {
  const { client, events } = performing
  try {
    await deleteFolder(folder)
  } catch (error) {
    const message = messageOf(error)
    for (const step of volumePhase(object, 'Failed', message)) {
      await client.resource(persistentvolumes).updateStatus(step.object as Volume)
      events.event(object, 'Warning', 'VolumeFailedDelete', message)
    }
    return
  }
  const { uid } = object.metadata
  await client.resource(persistentvolumes).delete(object.metadata, uid === undefined ? {} : { uid })
}

async function write(
  step: Exclude<Step, { readonly write: 'noVolume' }>,
  resourceVersion: string | undefined,
  { client, classSet }: Performing,
): Promise<Frozen<PersistentVolume | PersistentVolumeClaim>> {
  const volumes = client.resource(persistentvolumes)
  const claims = client.resource(persistentvolumeclaims)
  switch (step.write) {
    case 'volume':
      return await volumes.update(at(step.object, resourceVersion))
    case 'newVolume':
      await createFolder(step.folder)
      return await volumes.create(step.object)
    case 'volumeStatus':
      return await volumes.updateStatus(at(step.object, resourceVersion))
    case 'claim':
      return await claims.update(at(step.object, resourceVersion))
    case 'claimStatus':
      return await claims.updateStatus(at(step.object, resourceVersion))
    case 'claimClass':
      try {
        const written = await claims.update(at(step.object, resourceVersion))
        classSet()
        return written
      } catch (error) {
        classSet(error)
        throw error
      }
  }
}

function at<T extends Frozen<PersistentVolume | PersistentVolumeClaim>>(object: T, version: string | undefined): T {
  const metadata = { ...object.metadata, ...(version === undefined ? {} : { resourceVersion: version }) }
  return { ...object, metadata }
}
