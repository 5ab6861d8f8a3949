import type { GroupVersionKind, GroupVersionResource } from './group.ts'
import type { ApiObject } from './meta.ts'

/** A resource in one version, with the type of its objects. The built-in ones: api/gen/resources.ts. */
export interface ResourceType<T extends ApiObject = ApiObject> extends GroupVersionResource, GroupVersionKind {
  readonly namespaced: boolean
  /** Holds the type; no such value exists. */
  readonly objectType?: T
}

export function resourceType<T extends ApiObject = ApiObject>(
  group: string,
  version: string,
  resource: string,
  kind: string,
  namespaced: boolean,
): ResourceType<T> {
  return Object.freeze({ group, version, resource, kind, namespaced })
}
