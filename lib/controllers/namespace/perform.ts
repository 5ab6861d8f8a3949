import type { Client } from '../../client/index.ts'
import { type DiscoveredResource, type Discovery, isNotFound } from '../../controller/index.ts'
import { type ApiObject, type Frozen, StatusError } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import type { Pass, Remaining } from './plan.ts'

/** Page size of lists: a namespace may hold very many objects. */
const pageObjects = 500

/**
 * Deletes the content of a namespace by collections, and returns what is left. Pods are deleted first: while they
 * exist, the objects that they use stay.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  { resources, failed }: Discovery,
): Promise<Pass> {
  const deletable = resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'))
  const isPods = ({ group, resource }: DiscoveredResource): boolean => group === '' && resource === 'pods'
  const discoveryFailure =
    failed.size === 0
      ? undefined
      : `Discovery failed for some groups, ${failed.size} failing: unable to retrieve the complete list of server APIs: ${Array.from(
          failed,
          ([name, error]) => `${name}: ${error.message}`,
        )
          .sort()
          .join(', ')}`
  const first = await deleteAll(client, namespace, deletable.filter(isPods))
  if (first.remaining.length > 0 || first.failures.length > 0) return { discoveryFailure, ...first }
  const rest = await deleteAll(
    client,
    namespace,
    deletable.filter((each) => !isPods(each)),
  )
  return { discoveryFailure, ...rest }
}

async function deleteAll(
  client: Client,
  namespace: string,
  resources: readonly DiscoveredResource[],
): Promise<{ readonly failures: string[]; readonly remaining: Remaining[] }> {
  const failures: string[] = []
  const remaining: Remaining[] = []
  for (const resource of resources) {
    try {
      const objects = await deleteOne(client, namespace, resource)
      if (objects.length > 0) remaining.push({ resource, objects })
    } catch (error) {
      // A resource that is no longer served holds nothing.
      if (!isNotFound(error) && !isNotServed(error)) failures.push(messageOf(error))
    }
  }
  return { failures, remaining }
}

async function deleteOne(
  client: Client,
  namespace: string,
  resource: DiscoveredResource,
): Promise<readonly Frozen<ApiObject>[]> {
  const objects = client.resource(resource)
  const before = await objects.list({ namespace, limit: 1 })
  if (before.items.length === 0) return []
  if (resource.verbs.includes('deletecollection'))
    await objects.deleteCollection({ namespace }, { propagationPolicy: 'Background' })
  else await deleteEach(client, namespace, resource)
  const { items } = await objects.listAll({ namespace, limit: pageObjects })
  return items
}

async function deleteEach(client: Client, namespace: string, resource: DiscoveredResource): Promise<void> {
  const objects = client.resource(resource)
  const { items } = await objects.listAll({ namespace, limit: pageObjects })
  for (const { metadata } of items) {
    try {
      await objects.delete(metadata, { propagationPolicy: 'Background' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

function isNotServed(error: unknown): boolean {
  return error instanceof StatusError && error.code === 405
}
