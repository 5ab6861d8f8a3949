import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type EventRecorder, isConflict, isNamespaceTerminating, isNotFound, keyOf } from '../../controller/index.ts'
import { messageOf } from '../workloads/podcontrol.ts'
import type { Observed } from './observe.ts'
import type { Plan } from './plan.ts'

interface Means {
  readonly client: Client
  readonly events: EventRecorder
}

/** Rejects where something could not be written, or pods wait for their nodes to be known. */
export async function perform({ service }: Observed, plan: Plan, { client, events }: Means): Promise<void> {
  try {
    await write(plan, client)
    if (plan.waiting.length > 0)
      throw new Error(`the nodes of pods are not known: ${plan.waiting.slice(0, 10).join(', ')}`)
  } catch (error) {
    if (!isConflict(error)) {
      const message = `Error updating Endpoint Slices for Service ${keyOf(service)}: ${messageOf(error)}`
      events.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message)
    }
    throw error
  }
}

async function write(plan: Plan, client: Client): Promise<void> {
  const slices = client.resource(resources.discovery.v1.endpointslices)
  for (const slice of plan.create) {
    try {
      await slices.create(slice)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      throw error
    }
  }
  for (const slice of plan.update) await slices.update(slice)
  for (const { metadata } of plan.delete) {
    const { namespace = '', name = '' } = metadata
    try {
      await slices.delete({ namespace, name })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
