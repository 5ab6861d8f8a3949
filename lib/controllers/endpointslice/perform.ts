import type { Client } from '../../client/index.ts'
import { type EventRecorder, isConflict, keyOf } from '../../controller/index.ts'
import { writeSlices } from '../backends/writeslices.ts'
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
    await writeSlices(plan, client)
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
