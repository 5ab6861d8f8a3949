/**
 * The form of the API's tables in api/: one table a group version, plain data.
 *  A field's `type` is written as:
 *   string bool int32 int64 double bytes                    scalars (bytes are base64 in JSON)
 *   Time MicroTime Duration Quantity IntOrString            scalars with their own JSON and protobuf forms
 *   RawExtension FieldsV1 JSON                              any embedded JSON value
 *   Port                                                    a type of the same table
 *   meta/v1.ObjectMeta, core/v1.PodTemplateSpec             a type of another table (`core` is the group '')
 *   []T, map[string]T, *T                                   list, map, and "absent differs from zero"
 */
export interface FieldTable {
  /** Protobuf field number; absent: the field has no protobuf form. */
  readonly n?: number
  readonly type: string
  /** One line, in our own words: appears in `kubectl explain` and OpenAPI. */
  readonly doc?: string
  /**
   * When JSON output leaves the field out. Default 'empty': when "", 0, false, null, empty list or map (a struct that
   * is not a pointer is always written). 'zero': also a struct whose fields are all zero. 'never': always written, a
   * missing list or map as null, a missing struct as {}.
   */
  readonly omit?: 'empty' | 'zero' | 'never'
  /**
   * An empty list differs from an absent one until it is stored: it prevents defaults, and is refused. Other lists are
   * the same empty and absent.
   */
  readonly emptyDiffers?: true
  /** Inlined: the type's fields are among its parent's in JSON, and in a sub-message in protobuf. */
  readonly inline?: true
  readonly required?: true
  readonly default?: unknown
  readonly list?: 'atomic' | 'set' | 'map'
  readonly keys?: readonly string[]
  readonly map?: 'atomic' | 'granular'
  /** Strategic merge patch. */
  readonly patch?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys' | 'replace,retainKeys'
  readonly patchKey?: string
  /** Name of a string, list or map type in errors (`v1.PullPolicy`) and in static types. */
  readonly alias?: string
  readonly enum?: readonly string[]
  /** Allowed values of a list's items. */
  readonly itemEnum?: readonly string[]
  readonly format?: string
  readonly itemFormat?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly maxBytes?: number
  readonly deprecated?: true
  /** Name of the protobuf field where it is not the JSON name. */
  readonly protoName?: string
  /** Dropped on write when all of these gates are off, unless the stored object has it already. */
  readonly gate?: readonly string[]
  /** Declarative validation, as in facts (`optional`, `immutable`, `unionMember`, `format=k8s-short-name`, …). */
  readonly rules?: readonly string[]
}

export interface UnionTable {
  readonly discriminator?: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Types whose JSON form is the value of one of their fields: 'list' is a bare list (the only field); the others are the
 * alternatives of JSON Schema: a schema or a boolean (fields `allows`, `schema`), a schema or a list of schemas
 * (`schema`,
 * `jSONSchemas`), a schema or a list of strings (`schema`, `property`). Protobuf has the message with these fields.
 */
type Wrapper = 'list' | 'schemaOrBool' | 'schemaOrList' | 'schemaOrStrings'

export interface TypeTable {
  readonly doc?: string
  /** Set on top-level types (with apiVersion and kind). */
  readonly kind?: true
  /**
   * Earlier versions in which the kind has the same form: `v1beta1`, or `extensions/v1beta1` of another group. They are
   * not served; objects stored in them can still be read.
   */
  readonly earlierVersions?: readonly string[]
  /** In the order of JSON output. */
  readonly fields: Readonly<Record<string, FieldTable>>
  readonly map?: 'atomic'
  /** The JSON form is not a struct, although the protobuf form is a message. */
  readonly wrapper?: Wrapper
  /** Unions: the discriminator and, by field, the value that selects it. */
  readonly unions?: readonly UnionTable[]
  readonly rules?: readonly string[]
}

export interface SubresourceTable {
  readonly kind: string
  /** The group version of the subresource's kind, if it is not the resource's. */
  readonly groupVersion?: string
  readonly verbs: readonly string[]
  /** False: only with a feature gate or runtime-config. */
  readonly served?: false
}

/** One resource of a group version, by its plural name. */
export interface ResourceTable {
  readonly kind: string
  readonly singular: string
  readonly listKind?: string
  readonly namespaced: boolean
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources?: Readonly<Record<string, SubresourceTable>>
  /** Version of stored objects; absent: a virtual resource (a review, a binding). */
  readonly storageVersion?: string
  readonly storageVersionHash?: string
  /** Group of stored objects and of the hub version, if it is not the resource's own. */
  readonly storageGroup?: string
  /** The hub version, in which the registry works, if it isn't the storage version. */
  readonly hubVersion?: string
  /** Path below the store's prefix: `configmaps`, `services/specs`. */
  readonly storagePrefix?: string
  /** False: only by --runtime-config or a gate. */
  readonly served?: false
  readonly gate?: string
  readonly introduced?: string
  readonly deprecated?: string
  readonly removed?: string
  /** `group/version Kind` to use instead. */
  readonly replacement?: string
  readonly fieldSelectors?: readonly string[]
  /** The answer of DELETE. */
  readonly deleteReturns?: 'object' | 'Status'
  /** PUT to a missing name creates. */
  readonly createOnUpdate?: true
  /** PUT without resourceVersion is refused. */
  readonly conditionalUpdateOnly?: true
  /** Field paths that an endpoint resets, so that they get no owner: by endpoint ('' is the main one). */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>
  /** The only field paths that an endpoint accepts: it resets every other one. `[*]` is any item. By endpoint. */
  readonly onlyFields?: Readonly<Record<string, readonly string[]>>
  /** Default deletion propagation. */
  readonly orphanByDefault?: true
  /** Its objects hold credentials: no error text and no audit event at level Metadata shows their content. */
  readonly confidential?: true
}

export interface GroupVersionTable {
  readonly group: string
  readonly version: string
  readonly protoPackage: string
  readonly doc?: string
  readonly types: Readonly<Record<string, TypeTable>>
  readonly resources?: Readonly<Record<string, ResourceTable>>
}
