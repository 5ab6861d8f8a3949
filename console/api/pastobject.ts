import { collectionPath, type Kind, records } from './kinds.ts'
import type { ApiObject } from './liveobject.ts'
import { readJson } from './session.ts'

/** The object as it was at a revision. Undefined where it was not there. Throws ApiError: 410 for a revision that is compacted. */
export async function readPast(
  kind: Kind,
  namespace: string,
  name: string,
  resourceVersion: string,
): Promise<ApiObject | undefined> {
  const query = new URLSearchParams({
    fieldSelector: `metadata.name=${name}`,
    resourceVersion,
    resourceVersionMatch: 'Exact',
  })
  return records((await readJson(`${collectionPath(kind, namespace)}?${query}`))['items'])[0]
}
