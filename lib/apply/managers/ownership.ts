import { type ApiObject, type GroupVersion, type GroupVersionKind, parseGroupVersion } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import { createFieldFilter, type FieldFilter } from '../fieldset/filter.ts'
import { applyConfiguration } from './apply.ts'
import { createEngine } from './fieldmanager.ts'
import type { ApplyResult, ChangeContext } from './request.ts'
import { updateOwners } from './update.ts'
import type { Versions } from './versions.ts'

/** The kinds and their versions; a scheme provides them. */
interface KindVersions {
  kind(gvk: GroupVersionKind): { readonly struct: StructType } | undefined
  /** Must not change the object. */
  convert(object: ApiObject, to: GroupVersion): ApiObject
}

/** The manager and the endpoint of a change. */
export interface EndpointChange {
  readonly manager: string
  readonly subresource: string
  readonly gvk: GroupVersionKind
  readonly struct: StructType
  /** Other versions of the kind; absent: those given when the ownership was created. */
  readonly versions?: KindVersions
  /** Paths that the endpoint resets, so that no manager owns them. */
  readonly resetFields: readonly string[]
  /** The only paths that the endpoint accepts; empty: it accepts everything that it does not reset. */
  readonly onlyFields?: readonly string[]
  readonly nowMs: number
}

/**
 * Ownership of fields (`metadata.managedFields`) for endpoints. Objects are in the version of the request. Those passed
 * as `object` are changed and returned; `live` is shared and not changed.
 */
export interface FieldOwnership {
  onCreate(object: ApiObject, change: EndpointChange): ApiObject
  onUpdate(live: ApiObject, object: ApiObject, change: EndpointChange): ApiObject
  /**
   * Applies a configuration to `live` (undefined: the object is new), as FieldManager's applyObject: the caller
   * converts the result to its type. Throws 409 on conflicts.
   */
  onApply(
    live: ApiObject | undefined,
    configuration: ApiObject,
    change: EndpointChange & { readonly force: boolean },
  ): ApplyResult
}

/** Field ownership over a scheme's kinds. */
export function createFieldOwnership(kinds: KindVersions): FieldOwnership {
  const engine = createEngine()
  const filters = createFilters()
  const contextOf = (change: EndpointChange): ChangeContext => ({
    manager: change.manager,
    subresource: change.subresource,
    gvk: change.gvk,
    type: change.struct,
    nowMs: change.nowMs,
    filter: filters(change),
    versions: versionsOf(change.versions ?? kinds, change.gvk.kind),
  })
  function update(live: ApiObject | undefined, object: ApiObject, change: EndpointChange): ApiObject {
    updateOwners({ ...contextOf(change), live, object }, engine)
    return object
  }
  return {
    onCreate: (object, change) => update(undefined, object, change),
    onUpdate: update,
    onApply(live, configuration, change) {
      const request = { ...contextOf(change), live, applied: configuration, force: change.force }
      return applyConfiguration(request, engine)
    },
  }
}

/** Creates each filter once: endpoints always pass the same lists of their tables. */
function createFilters(): (change: EndpointChange) => FieldFilter | undefined {
  const known = new WeakMap<readonly string[], FieldFilter>()
  return ({ resetFields, onlyFields = [] }) => {
    const key = onlyFields.length > 0 ? onlyFields : resetFields
    if (key.length === 0) return undefined
    let filter = known.get(key)
    if (!filter) {
      filter = createFieldFilter(resetFields, onlyFields)
      if (filter) known.set(key, filter)
    }
    return filter
  }
}

function versionsOf(kinds: KindVersions, kind: string): Versions {
  return {
    type(apiVersion) {
      const groupVersion = parseGroupVersion(apiVersion)
      return groupVersion && kinds.kind({ ...groupVersion, kind })?.struct
    },
    convert(object, apiVersion) {
      const groupVersion = parseGroupVersion(apiVersion)
      return groupVersion && kinds.convert(object, groupVersion)
    },
  }
}
