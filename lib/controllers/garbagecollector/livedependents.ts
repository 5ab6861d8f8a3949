import type { Client, PartialObject } from '../../client/index.ts'
import { isNotFound } from '../../controller/index.ts'
import type { Frozen, ResourceType } from '../../object/index.ts'

/** An object with owners, as read from the server. */
export interface LiveDependent {
  readonly type: ResourceType
  readonly object: Frozen<PartialObject>
}

type ByOwner = ReadonlyMap<string, readonly LiveDependent[]>

export interface LiveDependents {
  /**
   * The dependents of this owner. `namespace`: '' for a cluster-scoped owner, whose dependents may be in any
   * namespace.
   */
  of(uid: string, namespace: string): Promise<readonly LiveDependent[]>
}

/** Maximum number of concurrent lists. */
const atOnce = 8
/** A resource that has failed so often in a row is left out: one broken API must not block all deletions. */
const failuresMax = 5

/**
 * Lists all possible dependents from the server, since informers may not show a new object yet. Calls during a
 * listing of their namespace share the next one, since the running one may be too old.
 */
export function createLiveDependents(client: Client, resources: () => readonly ResourceType[]): LiveDependents {
  const running = new Map<string, Promise<ByOwner>>()
  const waiting = new Map<string, Promise<ByOwner>>()
  const failures = new WeakMap<ResourceType, number>()

  function run(namespace: string): Promise<ByOwner> {
    const result = listAll(namespace)
    running.set(namespace, result)
    const end = (): void => {
      if (running.get(namespace) === result) running.delete(namespace)
    }
    result.then(end, end)
    return result
  }

  async function listAll(namespace: string): Promise<ByOwner> {
    const byOwner = new Map<string, LiveDependent[]>()
    const left = resources().filter(({ namespaced }) => namespaced || namespace === '')
    const work = async (): Promise<void> => {
      for (let type = left.pop(); type; type = left.pop()) await listOne(type, namespace, byOwner)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return byOwner
  }

  async function listOne(type: ResourceType, namespace: string, into: Map<string, LiveDependent[]>): Promise<void> {
    try {
      for (const found of await list(client, type, namespace)) note(into, found)
      failures.delete(type)
    } catch (error) {
      const count = (failures.get(type) ?? 0) + 1
      failures.set(type, count)
      if (count <= failuresMax) throw error
    }
  }

  function next(namespace: string): Promise<ByOwner> {
    const before = running.get(namespace)
    if (!before) return run(namespace)
    const known = waiting.get(namespace)
    if (known) return known
    const begin = (): Promise<ByOwner> => {
      waiting.delete(namespace)
      return run(namespace)
    }
    const result = before.then(begin, begin)
    waiting.set(namespace, result)
    return result
  }

  return { of: async (uid, namespace) => (await next(namespace)).get(uid) ?? [] }
}

async function list(client: Client, type: ResourceType, namespace: string): Promise<LiveDependent[]> {
  try {
    const { items } = await client.metadata(type).listAll(namespace === '' ? {} : { namespace })
    return items.filter(({ metadata }) => metadata.ownerReferences !== undefined).map((object) => ({ type, object }))
  } catch (error) {
    // The resource is no longer served.
    if (isNotFound(error)) return []
    throw error
  }
}

function note(byOwner: Map<string, LiveDependent[]>, found: LiveDependent): void {
  for (const { uid } of found.object.metadata.ownerReferences ?? []) {
    const known = byOwner.get(uid)
    if (known) known.push(found)
    else byOwner.set(uid, [found])
  }
}
