import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type EventRecorder, isConflict, isControlledBy, isNotFound, keyOf } from '../../controller/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { writeSlices } from '../shared/writeslices.ts'
import type { Observed } from './observe.ts'
import type { Plan } from './plan.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
}

/** Rejects where a write fails, or pods wait for their nodes to be known. */
export async function perform(seen: Observed, plan: Plan, { client, events }: Dependencies): Promise<void> {
  const { service } = seen
  try {
    if (adopts(seen, plan) && !(await isLive(seen, client))) return
    await writeSlices(plan, client)
    for (const { type, reason, message } of plan.events) events.event(service, type, reason, message)
    if (plan.waiting.length > 0) throw new Error(skipped(seen, plan))
  } catch (error) {
    if (!isConflict(error)) {
      const message = `Error updating Endpoint Slices for Service ${keyOf(service)}: ${messageOf(error)}`
      events.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message)
    }
    throw error
  }
}

/** Maximum number of pods named in a message. */
const skippedMax = 10

function skipped({ service }: Observed, { waiting }: Plan): string {
  const texts = waiting
    .slice(0, skippedMax)
    .map(
      ({ metadata, spec }) =>
        `skipping Pod ${metadata.name ?? ''} for Service ${keyOf(service)}: Node ${spec.nodeName ?? ''} Not Found`,
    )
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
}

/** Slices without an owner may come from a deletion with Orphan that the informer does not show yet. */
function adopts({ service, slices }: Observed, { update }: Plan): boolean {
  if (service.metadata.deletionTimestamp !== undefined) return false
  const written = new Set(update.map(({ metadata }) => metadata.name))
  return slices.some((slice) => written.has(slice.metadata.name) && !isControlledBy(slice, service))
}

async function isLive({ service: { metadata } }: Observed, client: Client): Promise<boolean> {
  try {
    const live = await client.resource(resources.core.v1.services).get(metadata)
    return live.metadata.uid === metadata.uid && live.metadata.deletionTimestamp === undefined
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
