import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import type { EventRecorder } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Plan, Step } from './types.ts'

const { persistentvolumeclaims, persistentvolumes } = resources.core.v1

export interface Performing {
  readonly client: Client
  readonly events: EventRecorder
  /** Called with each write that set a default class: with its error, where it failed. */
  classSet(error?: unknown): void
}

/** Each write is on the state that the one before it left. A conflict ends it: the turn comes again. */
export async function perform({ steps, events: planned }: Plan, performing: Performing): Promise<void> {
  const versions = new Map<string, string | undefined>()
  for (const step of steps) {
    const { kind } = step.object
    const written = await write(step, versions.get(kind) ?? step.object.metadata.resourceVersion, performing)
    versions.set(kind, written.metadata.resourceVersion)
  }
  for (const { about, type, reason, message } of planned) performing.events.event(about, type, reason, message)
}

async function write(
  step: Step,
  resourceVersion: string | undefined,
  { client, classSet }: Performing,
): Promise<Frozen<PersistentVolume | PersistentVolumeClaim>> {
  const volumes = client.resource(persistentvolumes)
  const claims = client.resource(persistentvolumeclaims)
  switch (step.write) {
    case 'volume':
      return await volumes.update(at(step.object, resourceVersion))
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
