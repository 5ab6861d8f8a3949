import type { ControllerContext, ControllerDefinition, TurnResult, WorkQueue } from '../../controller/index.ts'
import type { ApiObject, Frozen, OwnerReference } from '../../object/index.ts'
import { settleConcurrently } from '../shared/settleconcurrently.ts'
import { createGraph, type Graph, isDeletedWith, type Node, orphanFinalizer } from './graph.ts'
import { createLiveDependents, type LiveDependent, type LiveDependents } from './livedependents.ts'
import { followResources } from './monitors.ts'
import {
  createKindMap,
  type KindMap,
  NamespacedOwnerError,
  observeDependents,
  observeOwner,
  readLive,
} from './observe.ts'
import { deleteItem, nameOf, removeFinalizer, removeOwners } from './perform.ts'
import { type Intention, type OwnerState, plan } from './plan.ts'

/** How long an owner that is known from references only may take to appear before it is read. */
const virtualMs = 100

/**
 * Deletes objects that have lost all their owners; for a foreground deletion it waits for the dependents, and for
 * Orphan it releases them.
 */
export const garbagecollector: ControllerDefinition = {
  name: 'garbage-collector-controller',
  aliases: ['garbagecollector', 'garbage-collector'],
  account: 'generic-garbage-collector',
  component: 'garbage-collector-controller',
  disabled: ({ enableGarbageCollector }) => !enableGarbageCollector,
  start(context) {
    const workers = context.settings.concurrentGcSyncs
    const kinds = createKindMap(context.client)
    let held: (() => void)[] | undefined = []
    // Until all informers are synced, most missing owners are just not seen yet.
    const once = (work: () => void): void => void (held ? held.push(work) : work())
    const graph: Graph = createGraph({
      check: (uid, soon) =>
        once(() => (soon && graph.get(uid)?.seen === undefined ? checks.addAfter(uid, virtualMs) : checks.add(uid))),
      orphan: (uid) => once(() => orphans.add(uid)),
      invalidNamespace: (dependent, reference) => once(() => recordInvalid(context, dependent, reference)),
    })
    const live = createLiveDependents(context.client, () => {
      if (!followed.complete) throw new Error('not all groups of the API are known yet')
      return followed.types()
    })
    const parts = { context, graph, kinds, live }
    const checks: WorkQueue = context.reconcile({
      name: 'garbage_collector_attempt_to_delete',
      workers,
      turn: (uid) => check(parts, uid, (other) => checks.add(other)),
    })
    const orphans = context.reconcile({
      name: 'garbage_collector_attempt_to_orphan',
      workers,
      turn: (uid) => orphan(parts, uid),
    })
    const followed = followResources(context, graph, kinds, () => {
      const works = held ?? []
      held = undefined
      for (const work of works) work()
    })
  },
}

interface Parts {
  readonly context: ControllerContext
  readonly graph: Graph
  readonly kinds: KindMap
  readonly live: LiveDependents
}

async function check(parts: Parts, uid: string, add: (uid: string) => void): Promise<TurnResult | void> {
  const { graph } = parts
  const node = graph.get(uid)
  if (!node) return
  if (!node.seen) return await find(parts, node)
  const { object } = node.seen
  const isDone = object.metadata.deletionTimestamp !== undefined && !node.deletingDependents
  if (isDone || ((object.metadata.ownerReferences?.length ?? 0) === 0 && !node.deletingDependents)) return
  try {
    await collect(parts, node, add)
  } catch (error) {
    if (!(error instanceof NamespacedOwnerError)) throw error
  }
}

/** Reads an owner that was never seen. */
async function find({ context, graph, kinds }: Parts, node: Node): Promise<TurnResult | void> {
  const { apiVersion, kind, namespace, uid } = node.identity
  const type = await kinds.typeOf(apiVersion, kind)
  if (type.namespaced && namespace === '') return
  const asOf = graph.newest
  const live = await readLive(context.client, type, node.identity)
  if (node.seen) return
  if (live?.metadata.uid !== uid) {
    if (!type.namespaced) graph.noteAbsent({ ...node.identity, namespace: '' }, asOf)
    return graph.absent(node, asOf)
  }
  throw new Error('the owner exists, but is not seen yet')
}

/** Decides by the informer's state: the server refuses every write that is based on an older one. */
async function collect({ context, graph, kinds }: Parts, node: Node, add: (uid: string) => void): Promise<void> {
  const { client } = context
  const { seen } = node
  if (!seen) return
  const { object, type } = seen
  const states = new Map<Frozen<OwnerReference>, OwnerState>()
  if (!node.deletingDependents)
    for (const reference of object.metadata.ownerReferences ?? [])
      states.set(reference, await observeOwner({ client, kinds, graph }, reference, object))
  if (graph.get(node.identity.uid) !== node || node.seen !== seen) return add(node.identity.uid)
  const intention: Intention = plan(
    object,
    observeDependents(node, graph),
    (reference) => states.get(reference) ?? 'solid',
  )
  if (intention.do === 'checkDependents') for (const uid of intention.uids) add(uid)
  else if (intention.do === 'removeFinalizer') await removeFinalizer(client, type, object, intention.finalizer)
  else if (intention.do === 'removeOwners') await removeOwners(client, type, object, intention.uids)
  else if (intention.do === 'delete') await deleteItem(client, type, object, intention)
}

/**
 * Removes the owner from its dependents, then its finalizer. Dependents that the graph does not show yet would be
 * collected afterwards: they are read from the server.
 */
async function orphan({ context: { client }, graph, live }: Parts, uid: string): Promise<void> {
  const node = graph.get(uid)
  if (!node?.seen) return
  const { type, object } = node.seen
  const dependents = new Map<string, LiveDependent>()
  for (const { seen, identity } of node.dependents) if (seen) dependents.set(identity.uid, seen)
  for (const found of await live.of(uid, object.metadata.namespace ?? ''))
    dependents.set(found.object.metadata.uid ?? '', found)
  const results = await settleConcurrently([...dependents.values()], async (found) => {
    await removeOwners(client, found.type, found.object, [uid])
  })
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
  const owner = await readLive(client, type, nameOf(object))
  if (owner?.metadata.uid === uid && isDeletedWith(owner.metadata, orphanFinalizer))
    await removeFinalizer(client, type, owner, orphanFinalizer)
}

function recordInvalid(
  { events }: ControllerContext,
  { identity, seen }: Node,
  reference: Frozen<OwnerReference>,
): void {
  if (!seen) return
  const { apiVersion, kind, name, uid } = reference
  const about: Frozen<ApiObject> = { ...seen.object, apiVersion: identity.apiVersion, kind: identity.kind }
  const { namespace } = identity
  const text = `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] does not exist in namespace "${namespace}"`
  events.event(about, 'Warning', 'OwnerRefInvalidNamespace', text)
}
