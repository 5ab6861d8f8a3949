import type { Event, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Closable } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type Informer,
  isAlreadyExists,
  isNotFound,
  keyOf,
  type TurnResult,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { volumePhase } from './bind.ts'
import { podsUsing } from './podclaims.ts'
import { recyclerPod } from './recyclerpod.ts'
import type { Claim, Plan, Volume } from './types.ts'
import { unbind } from './volume.ts'

const { events, pods, persistentvolumes } = resources.core.v1

/** Maximum number of concurrent recyclers: each needs a watch of its pod's events. */
const recyclersMax = 100
const againAfterMs = 5000

interface Recycler {
  readonly pod: Frozen<Pod>
  readonly relay: Closable
}

interface RecyclingDependencies {
  readonly context: ControllerContext
  readonly pods: Informer<Pod>
  /** The claim with the name in the released volume. */
  claimOf(volume: Volume): Claim | undefined
  /** True while the volume waits to be emptied. */
  isWaiting(volume: Volume, client: Client): Promise<boolean>
  perform(plan: Plan, client: Client): Promise<void>
  /** Requests another turn of the volume. */
  again(volume: string): void
}

/**
 * Empties released volumes by pods: one turn creates a volume's pod, and a later one, after the pod's end, makes the
 * volume available.
 */
export interface Recycling {
  turn(volume: string, client: Client): Promise<TurnResult | void>
}

export function createRecycling(dependencies: RecyclingDependencies): Recycling {
  const { context, claimOf, isWaiting, perform, again } = dependencies
  /** By the name of the volume. */
  const running = new Map<string, Recycler>()
  const volumes = new Map<string, string>()

  dependencies.pods.subscribe(({ object: { metadata } }) => {
    const volume = volumes.get(metadata.uid ?? '')
    if (volume !== undefined) again(volume)
  })
  context.own({
    close() {
      for (const { relay } of running.values()) void relay.close()
    },
  })

  async function begin(volume: Volume, client: Client): Promise<void> {
    const users = podsUsing(volume, dependencies.pods)
    if (users.length > 0 && !claimOf(volume)) {
      const message = `Volume is used by pods: ${users.join()}`
      context.events.event(volume, 'Normal', 'VolumeFailedRecycle', message)
      return
    }
    try {
      const pod = await start(recyclerPod(volume, context.settings), client)
      running.set(keyOf(volume), { pod, relay: relayEvents(pod, volume, context) })
      volumes.set(pod.metadata.uid ?? '', keyOf(volume))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      await perform(failed(volume, error.message), client)
    }
  }

  async function end(name: string, { pod, relay }: Recycler, problem: string | undefined, client: Client) {
    const undeleted = await deletePod(pod, client)
    running.delete(name)
    volumes.delete(pod.metadata.uid ?? '')
    void relay.close()
    const volume = await current(name, client)
    if (!volume || !(await isWaiting(volume, client))) return
    if (problem !== undefined) await perform(failed(volume, `failed to recycle volume: ${problem}`), client)
    else if (undeleted !== undefined)
      await perform(failed(volume, `failed to delete recycler pod: ${undeleted}`), client)
    else await perform(recycled(volume), client)
  }

  return {
    async turn(name, client) {
      const recycler = running.get(name)
      if (!recycler && running.size >= recyclersMax) return { againAfterMs }
      if (!recycler) {
        const volume = await current(name, client)
        if (volume && (await isWaiting(volume, client))) await begin(volume, client)
        return undefined
      }
      const outcome = outcomeOf(recycler.pod, dependencies.pods.get(keyOf(recycler.pod)))
      if (outcome) await end(name, recycler, outcome.problem, client)
      return undefined
    },
  }
}

async function current(name: string, client: Client): Promise<Volume | undefined> {
  try {
    return await client.resource(persistentvolumes).get({ name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** An existing pod of that name may be anybody's: it is deleted. */
async function start(pod: Frozen<Pod>, client: Client): Promise<Frozen<Pod>> {
  const { namespace = '', name } = pod.metadata
  const unexpected = 'unexpected error creating recycler pod:  '
  if (namespace === '') throw new Error(`${unexpected}an empty namespace may not be set during creation`)
  try {
    return await client.resource(pods).create(pod)
  } catch (error) {
    if (!isAlreadyExists(error)) throw new Error(`${unexpected}${messageOf(error)}`, { cause: error })
  }
  try {
    await client.resource(pods).delete(pod.metadata)
  } catch (error) {
    throw new Error(`failed to delete old recycler pod ${namespace}/${name}: ${messageOf(error)}`, { cause: error })
  }
  throw new Error('old recycler pod found, will retry later')
}

/** Undefined: it is still running. `shown`: the informer's pod of that name, once it shows the creation. */
function outcomeOf(pod: Frozen<Pod>, shown: Frozen<Pod> | undefined): { problem: string | undefined } | undefined {
  if (shown?.metadata.uid !== pod.metadata.uid) return { problem: 'recycler pod was deleted' }
  const { phase, message = '' } = shown?.status ?? {}
  if (phase === 'Succeeded') return { problem: undefined }
  if (phase === 'Failed') return { problem: message || 'pod failed, pod.Status.Message unknown' }
  return undefined
}

/** Returns why the pod still exists. */
async function deletePod({ metadata }: Frozen<Pod>, client: Client): Promise<string | undefined> {
  try {
    await client.resource(pods).delete(metadata, { uid: metadata.uid })
    return undefined
  } catch (error) {
    return isNotFound(error) ? undefined : messageOf(error)
  }
}

/**
 * Records the pod's events about the volume, whose owner may not read the pod's namespace. Ends when the watch
 * breaks.
 */
function relayEvents({ metadata }: Frozen<Pod>, volume: Volume, { client, events: recorder }: ControllerContext) {
  const { namespace, name = '', uid } = metadata
  const relay = ({ involvedObject, type, message }: Frozen<Event>): void => {
    // Events of an earlier pod of that name were relayed while it ran.
    if (involvedObject.uid !== undefined && involvedObject.uid !== uid) return
    recorder.event(volume, type === 'Warning' ? 'Warning' : 'Normal', 'RecyclerPod', `Recycler pod: ${message ?? ''}`)
  }
  return client.resource(events).watch(
    { namespace, fieldSelector: `involvedObject.name=${name}` },
    {
      onEvents(changes) {
        for (const change of changes) if (change.type === 'ADDED') relay(change.object)
      },
      onEnd() {},
    },
  )
}

function recycled(volume: Volume): Plan {
  const message = 'Volume recycled'
  return { steps: unbind(volume), events: [{ about: volume, type: 'Normal', reason: 'VolumeRecycled', message }] }
}

/** It is retried at each turn of the volume, and the failure is reported once. */
function failed(volume: Volume, why: string): Plan {
  const message = `Recycle failed: ${why}`
  const steps = volumePhase(volume, 'Failed', message)
  if (steps.length === 0) return { steps, events: [] }
  return { steps, events: [{ about: volume, type: 'Warning', reason: 'VolumeFailedRecycle', message }] }
}
