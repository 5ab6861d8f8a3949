import type { Scale } from '../../../api/gen/autoscaling/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { type EventRecorder, isConflict, isNotFound } from '../../controller/index.ts'
import { deepEqual } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import type { SomeAutoscaler } from './observe.ts'
import { type Outcome, type Plan, type Rescale, rescaled, type Status } from './plan.ts'

const { horizontalpodautoscalers } = resources.autoscaling.v2

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly clock: Clock
}

/** Rescales the target, and records events. Rejects with a conflict of the scale, which the next turn reads again. */
export async function perform(
  autoscaler: SomeAutoscaler,
  plan: Plan,
  { client, events, clock }: Dependencies,
): Promise<Outcome> {
  const record = (outcome: Outcome): void => {
    for (const { type, reason, message } of outcome.events) events.event(autoscaler, type, reason, message)
  }
  record(plan)
  const { rescale } = plan
  if (!rescale) return plan
  const failure = await writeScale(rescale, client)
  const time = { nowMs: clock.now(), monotonicMs: clock.monotonicMs() }
  const outcome = rescaled({ ...plan, rescale }, autoscaler.status, failure, time)
  record(outcome)
  return outcome
}

/** Answers why the server refused; undefined where it did not. */
async function writeScale({ type, scale, to }: Rescale, client: Client): Promise<string | undefined> {
  const { name, namespace } = scale.metadata
  const scales = client.resource(type).subresource<Scale>('scale')
  try {
    await scales.update({ name, namespace }, { ...scale, spec: { ...scale.spec, replicas: to } })
    return undefined
  } catch (error) {
    if (isConflict(error)) throw error
    return messageOf(error)
  }
}

export async function writeStatus(
  autoscaler: SomeAutoscaler,
  status: Status,
  { client, events }: Dependencies,
): Promise<void> {
  if (deepEqual(autoscaler.status, status)) return
  try {
    await client.resource(horizontalpodautoscalers).updateStatus({ ...autoscaler, status })
  } catch (error) {
    if (isNotFound(error)) return
    if (!isConflict(error)) events.event(autoscaler, 'Warning', 'FailedUpdateStatus', messageOf(error))
    throw error
  }
}
