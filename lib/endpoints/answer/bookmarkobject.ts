import type { CacheWatchEvent } from '../../cache/index.ts'
import { type ApiObject, formatGroupVersion, type GroupVersionKind } from '../../object/index.ts'

/** The object of a bookmark: only the resourceVersion that the watch has reached. */
export function bookmarkObject(event: CacheWatchEvent, gvk: GroupVersionKind): ApiObject {
  return {
    apiVersion: formatGroupVersion(gvk),
    kind: gvk.kind,
    metadata: {
      resourceVersion: String(event.revision),
      ...(event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  }
}
