import type { ApiObject, GroupVersionKind } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import type { FieldFilter } from '../fieldset/filter.ts'
import type { ShapeOf } from '../typed/shape.ts'
import type { NewFields } from './newfields.ts'
import type { Versions } from './versions.ts'

/** The state that the engine keeps between requests. */
export interface Engine {
  readonly shapeOf: ShapeOf
  readonly newFields: NewFields
}

/** The manager of a change, and the kind and endpoint. Objects are in the version of the request. */
export interface ChangeContext {
  readonly manager: string
  /** '' for the object itself. */
  readonly subresource: string
  readonly gvk: GroupVersionKind
  /** Type of the kind in this version; undefined: without a schema, everything is deduced from the values. */
  readonly type: StructType | undefined
  readonly nowMs: number
  /** Keeps the part of a change that the endpoint can make, if it resets fields (see createFieldFilter). */
  readonly filter?: FieldFilter | undefined
  /** Absent: owners of other versions are read as if all versions had the same shape. */
  readonly versions?: Versions | undefined
}

export interface UpdateRequest extends ChangeContext {
  /** The stored object; undefined: the object is being created. Not changed. */
  readonly live: ApiObject | undefined
  /** The object to be stored; its metadata.managedFields are set. */
  readonly object: ApiObject
}

export interface ApplyRequest extends ChangeContext {
  /** The stored object; undefined: there is none yet. Not changed. */
  readonly live: ApiObject | undefined
  /** The configuration as it was sent: JSON values that no codec has decoded. Not changed. */
  readonly applied: ApiObject
  readonly force: boolean
}

export interface ApplyResult {
  /**
   * The resulting object, which the caller converts to its type with defaults. Shares with `live` and
   * `applied`.
   */
  readonly object: ApiObject
  /** Only owners may differ from `live`. */
  readonly unchanged: boolean
}
