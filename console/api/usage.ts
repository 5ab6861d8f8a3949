import { type ApiObject, fieldOf, metadataOf, records, text } from '../state/values.ts'
import { findKind, objectPath } from './kinds.ts'
import { readJson } from './session.ts'

const group = 'metrics.k8s.io'

/** Whether a server of metrics (metrics.k8s.io) serves these. */
export function hasUsage(resource: 'pods' | 'nodes'): boolean {
  return findKind(group, resource) !== undefined
}

/** What a node uses, by resource, as quantities. Throws ApiError where that is not known. */
export async function readNodeUsage(name: string, signal: AbortSignal): Promise<unknown> {
  return fieldOf(await read('nodes', '', name, signal), 'usage')
}

/** What each container of a pod uses, by its name. Throws ApiError where that is not known. */
export async function readPodUsage(pod: ApiObject, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
  const { name, namespace } = metadataOf(pod)
  const found = await read('pods', text(namespace), text(name), signal)
  return new Map(records(fieldOf(found, 'containers')).map((each) => [text(each['name']), each['usage']]))
}

async function read(resource: string, namespace: string, name: string, signal: AbortSignal): Promise<ApiObject> {
  const kind = findKind(group, resource)
  return kind === undefined ? {} : await readJson(objectPath(kind, namespace, name), { signal })
}
