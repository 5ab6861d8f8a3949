import type { Namespace } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerDefinition,
  discover,
  isConflict,
  isNotFound,
  keyOf,
  type TurnResult,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { deleteContent } from './perform.ts'
import { conditionsAfter, estimateSeconds } from './plan.ts'

const { namespaces } = resources.core.v1
const finalizer = 'kubernetes'
const conflictTriesMax = 5

/** Deletes the content of namespaces that are being deleted, then removes their finalizer. */
export const namespace: ControllerDefinition = {
  name: 'namespace-controller',
  aliases: ['namespace'],
  account: 'namespace-controller',
  start(context) {
    const known = context.informer(namespaces)
    const queue = context.reconcile({
      name: 'namespace',
      workers: context.settings.concurrentNamespaceSyncs,
      maxMs: 60_000,
      turn: (name, { client, signal }) => finish(client, name, () => context.clock.now(), signal),
    })
    known.subscribe(({ object, deleted }) => {
      if (!deleted && object.metadata.deletionTimestamp !== undefined) queue.add(keyOf(object))
    })
  },
}

async function finish(
  client: Client,
  name: string,
  now: () => number,
  signal: AbortSignal,
): Promise<TurnResult | void> {
  const all = client.resource(namespaces)
  let live: Frozen<Namespace>
  try {
    live = await all.get({ name })
  } catch (error) {
    if (isNotFound(error)) return
    throw error
  }
  if (live.metadata.deletionTimestamp === undefined) return
  if (live.status.phase !== 'Terminating')
    live = await writeStatus(client, live, (each) => ({ ...each.status, phase: 'Terminating' }))
  if (!live.spec.finalizers?.includes(finalizer)) return await removeFinalizer(client, live)
  const pass = await deleteContent(client, name, await discover(client, signal))
  const { conditions, changed } = conditionsAfter(live, pass, now())
  if (changed) live = await writeStatus(client, live, ({ status }) => ({ ...status, conditions }))
  const { discoveryFailure, failures, remaining } = pass
  if (discoveryFailure !== undefined) throw new Error(discoveryFailure)
  if (failures.length > 0) throw new Error(failures.join('; '))
  if (remaining.length === 0) return await removeFinalizer(client, live)
  const seconds = estimateSeconds(remaining, live, now())
  if (seconds === undefined) throw new Error(`unexpected items still remain in namespace: ${name}`)
  return { againAfterMs: (Math.floor(seconds / 2) + 1) * 1000 }
}

async function writeStatus(
  client: Client,
  object: Frozen<Namespace>,
  change: (object: Frozen<Namespace>) => Frozen<Namespace>['status'],
): Promise<Frozen<Namespace>> {
  const all = client.resource(namespaces)
  let live = object
  for (let attempt = 1; ; attempt++) {
    try {
      return await all.updateStatus({ ...live, status: change(live) })
    } catch (error) {
      if (!isConflict(error) || attempt === conflictTriesMax) throw error
    }
    live = await all.get(object.metadata)
    if (live.metadata.uid !== object.metadata.uid) throw new Error('another namespace has the name by now')
  }
}

/** The server deletes a namespace without finalizers. */
async function removeFinalizer(client: Client, { spec, ...rest }: Frozen<Namespace>): Promise<void> {
  if (!spec.finalizers?.includes(finalizer)) return
  const finalizers = spec.finalizers.filter((each) => each !== finalizer)
  try {
    await client
      .resource(namespaces)
      .subresource<Namespace>('finalize')
      .update(rest.metadata, { ...rest, spec: { ...spec, finalizers } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
