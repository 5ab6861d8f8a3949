import { sumOf } from '../state/quantity.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../state/values.ts'
import { findKind, type Kind, objectPath } from './kinds.ts'
import { readList } from './lists.ts'
import { readJson } from './session.ts'

const group = 'metrics.k8s.io'

/** Whether a server of metrics (metrics.k8s.io) measures objects of this kind. */
export function isMeasured(kind: Pick<Kind, 'group' | 'resource'>): boolean {
  return kind.group === '' && findKind(group, kind.resource) !== undefined
}

/** What objects of the kind use, by `namespace/name`, by resource. Throws ApiError where that is not known. */
export async function readUsages(
  kind: Kind,
  about: { readonly namespace: string; readonly labelSelector: string },
  signal: AbortSignal,
): Promise<Map<string, ReadonlyMap<string, number>>> {
  const found = await readList(group, kind.resource, { ...about, signal })
  return new Map(
    found.map((each) => {
      const { name, namespace } = metadataOf(each)
      const containers = records(each['containers']).map(({ usage }) => usage)
      return [`${text(namespace)}/${text(name)}`, sumOf([each['usage'], ...containers])] as const
    }),
  )
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
