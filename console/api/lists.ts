import type { ApiObject } from '../state/values.ts'
import { collectionPath, findKind, records } from './kinds.ts'
import { readJson } from './session.ts'

interface ListOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly signal: AbortSignal
}

/** Objects of a kind, at most `limit` (500); none where the server does not have the kind. Throws ApiError. */
export async function readList(
  group: string,
  resource: string,
  { namespace = '', labelSelector = '', fieldSelector = '', limit = 500, signal }: ListOptions,
): Promise<ApiObject[]> {
  const kind = findKind(group, resource)
  if (!kind) return []
  const query = new URLSearchParams({ limit: String(limit) })
  if (labelSelector !== '') query.set('labelSelector', labelSelector)
  if (fieldSelector !== '') query.set('fieldSelector', fieldSelector)
  return records((await readJson(`${collectionPath(kind, namespace)}?${query}`, { signal }))['items'])
}
