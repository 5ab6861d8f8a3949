import type { Client, PartialObject } from '../../client/index.ts'
import type { DiscoveredResource } from '../../controller/index.ts'
import { type Frozen, type OwnerReference, type ResourceType, resourceType, StatusError } from '../../object/index.ts'
import { foregroundFinalizer, type Graph, groupOf, identityOf, isDeletedWith, type Node } from './graph.ts'
import type { Dependents, OwnerState } from './plan.ts'

/** Maps kinds to resources. */
export interface KindMap {
  /** Rejects for kinds that are not served: their objects may exist. */
  typeOf(apiVersion: string, kind: string): Promise<ResourceType>
  /** Replaces the list of served resources. */
  renew(served: readonly DiscoveredResource[]): void
}

export function createKindMap(client: Client): KindMap {
  let types = new Map<string, ResourceType>()
  return {
    async typeOf(apiVersion, kind) {
      const key = `${apiVersion} ${kind}`
      const known = types.get(key)
      if (known) return known
      const found = await ask(client, apiVersion, kind)
      types.set(key, found)
      return found
    },
    renew(served) {
      const typed = served.map((type) => [`${apiVersionOf(type)} ${type.kind}`, type] as const)
      types = new Map(typed)
    },
  }
}

/** Reads a version that its group does not prefer. */
async function ask(client: Client, apiVersion: string, kind: string): Promise<ResourceType> {
  const group = groupOf(apiVersion)
  const path = group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`
  const unknown = new Error(`no matches for kind "${kind}" in version "${apiVersion}"`)
  if (!/^[a-z0-9.\-/]+$/.test(apiVersion)) throw unknown
  const { resources = [] } = (await client.document(path, { accept: 'application/json' })) as {
    readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[]
  }
  const found = resources.find((each) => each.kind === kind && !each.name.includes('/'))
  if (!found) throw unknown
  const version = group === '' ? apiVersion : apiVersion.slice(group.length + 1)
  return resourceType(group, version, found.name, kind, found.namespaced)
}

function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`
}

/**
 * Reads the object from the server; undefined where none has that name. Rejects for other 404s, which don't concern
 * the object.
 */
export async function readLive(
  client: Client,
  type: ResourceType,
  name: { readonly namespace: string; readonly name: string },
): Promise<Frozen<PartialObject> | undefined> {
  try {
    return await client.metadata(type).get(type.namespaced ? name : { name: name.name })
  } catch (error) {
    if (error instanceof StatusError && error.code === 404 && error.details?.name === name.name) return undefined
    throw error
  }
}

/** An error for a reference whose owner is namespaced while its dependent is not. */
export class NamespacedOwnerError extends Error {
  constructor() {
    super('a cluster-scoped object names an owner that has a namespace')
  }
}

export async function observeOwner(
  { client, kinds, graph }: { readonly client: Client; readonly kinds: KindMap; readonly graph: Graph },
  reference: Frozen<OwnerReference>,
  dependent: Frozen<PartialObject>,
): Promise<OwnerState> {
  const { namespace = '' } = dependent.metadata
  const isAbsent = (within: string): boolean => graph.isAbsent(identityOf(reference, within), dependent)
  if (isAbsent(namespace) || isAbsent('')) return 'dangling'
  const asOf = graph.newest
  const type = await kinds.typeOf(reference.apiVersion, reference.kind)
  if (type.namespaced && namespace === '') throw new NamespacedOwnerError()
  const owner = await readLive(client, type, { namespace, name: reference.name })
  if (owner?.metadata.uid !== reference.uid) {
    graph.noteAbsent(identityOf(reference, type.namespaced ? namespace : ''), asOf)
    return 'dangling'
  }
  return isDeletedWith(owner.metadata, foregroundFinalizer) ? 'waiting' : 'solid'
}

export function observeDependents({ identity, dependents, owners }: Node, graph: Pick<Graph, 'get'>): Dependents {
  const blocking: string[] = []
  let blockedByDeleting = false
  let deleting = false
  let waiting: ReadonlySet<string> | undefined
  for (const dependent of dependents) {
    deleting ||= dependent.deletingDependents
    const isBlocking = dependent.owners.some(
      ({ uid, blockOwnerDeletion }) => uid === identity.uid && blockOwnerDeletion,
    )
    if (!isBlocking) continue
    if (!dependent.deletingDependents) blocking.push(dependent.identity.uid)
    else blockedByDeleting ||= !(waiting ??= waitingOwners(owners, graph)).has(dependent.identity.uid)
  }
  return { count: dependents.size, blocking, blockedByDeleting, deleting }
}

/** Maximum number of owners in the search for a cycle; larger cycles are not found. */
const ownersMax = 1000

/**
 * The owners that wait for this object, directly or through others. A dependent among them is in a cycle with the
 * object: each waits for the other. An object that owns itself is the smallest cycle.
 */
function waitingOwners(owners: Node['owners'], graph: Pick<Graph, 'get'>): ReadonlySet<string> {
  const found = new Set<string>()
  const left = [...owners]
  for (let reference = left.pop(); reference && found.size < ownersMax; reference = left.pop()) {
    const owner = reference.blockOwnerDeletion ? graph.get(reference.uid) : undefined
    if (!owner?.deletingDependents || found.has(reference.uid)) continue
    found.add(reference.uid)
    left.push(...owner.owners)
  }
  return found
}
