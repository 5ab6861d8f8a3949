import type { Endpoints } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type EventRecorder,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  keyOf,
  splitKey,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
}

export async function perform(planned: Frozen<Endpoints>, { client, events }: Dependencies): Promise<void> {
  const endpoints = client.resource(resources.core.v1.endpoints)
  const isNew = planned.metadata.resourceVersion === undefined
  try {
    await (isNew ? endpoints.create(planned) : endpoints.update(planned))
  } catch (error) {
    if (isNew && isNamespaceTerminating(error)) return
    if (!isConflict(error)) {
      const what = isNew ? 'create endpoint for service' : 'update endpoint'
      const reason = isNew ? 'FailedToCreateEndpoint' : 'FailedToUpdateEndpoint'
      events.event(planned, 'Warning', reason, `Failed to ${what} ${keyOf(planned)}: ${messageOf(error)}`)
    }
    throw error
  }
}

/** Deletes the Endpoints of a deleted service. */
export async function remove(key: string, client: Client): Promise<void> {
  const { namespace, name } = splitKey(key)
  try {
    await client.resource(resources.core.v1.endpoints).delete({ namespace, name })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
