import type { Clock, Random, WorkLimit } from '../base/index.ts'
import type { ApiObject, FieldError, GroupVersionKind } from '../object/index.ts'
import type { UserInfo } from '../request/index.ts'
import type { MirroredField } from '../scheme/index.ts'

/** The context that a kind's rules may read in addition to the object. */
export interface KindContext {
  readonly clock: Clock
  readonly random: Random
  readonly user: UserInfo
  readonly namespace: string
  /** True when a feature gate is on. */
  gate(name: string): boolean
  warn(text: string): void
  /** Bounds validation that may take long. */
  readonly work: WorkLimit
  /** Settings of the operator. */
  readonly settings?: KindSettings
}

/** Choices of the operator on which rules of kinds depend. */
export interface KindSettings {
  /** `--allow-privileged`: containers may request everything that the host can do. */
  readonly allowPrivileged: boolean
  /**
   * Minor of the oldest release that must understand new expressions (32 for 1.32). Default: they may use everything.
   */
  readonly newExpressionsMinor?: number
}

/** Makes absent fields explicit. Runs on every version when it is decoded, from a request and from the store. */
export type Defaults = (object: ApiObject, context: DefaultsContext) => void
interface DefaultsContext {
  gate(name: string): boolean
}

/**
 * The rules of one endpoint (a resource, or a subresource such as status) for objects in the hub version. All members
 * are pure except for documented changes of `object`. An absent member does nothing.
 */
export interface Strategy {
  /** Sets and clears fields that a client can't control (status on create, generation, …). Changes `object`. */
  prepareForCreate?(object: ApiObject, context: KindContext): void
  /** As prepareForCreate; also restores from `old` the fields that this endpoint may not change. Changes `object`. */
  prepareForUpdate?(object: ApiObject, old: ApiObject, context: KindContext): void
  /** Metadata is validated by the registry. */
  validateCreate?(object: ApiObject, context: KindContext): FieldError[]
  validateUpdate?(object: ApiObject, old: ApiObject, context: KindContext): FieldError[]
  warningsOnCreate?(object: ApiObject, context: KindContext): string[]
  warningsOnUpdate?(object: ApiObject, old: ApiObject, context: KindContext): string[]
  /** Gives equal objects one form before they are stored. Changes `object`. */
  canonicalize?(object: ApiObject): void
  /**
   * Graceful deletion: seconds that an object lives on after DELETE; undefined or 0: none.
   * `requestedSeconds` is undefined when the request names none.
   */
  gracePeriodSeconds?(object: ApiObject, requestedSeconds: number | undefined): number | undefined
  /** Why a request for this single object may not delete it; undefined: it may be deleted. */
  undeletable?(object: ApiObject): string | undefined
  /** Changes `object` when it is marked for deletion. */
  prepareForDelete?(object: ApiObject, context: KindContext): void
  /**
   * The first DELETE only marks the object, whatever its finalizers, and it stays while `isHeld` returns true (a
   * Namespace by its spec.finalizers).
   */
  readonly marksBeforeDelete?: { isHeld(object: ApiObject): boolean }
}

/** Checks `metadata.name`; returns messages, none when it is valid. `prefix`: the name is a generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[]

/** A rule that a feature gate may change. */
type GatedNameRule = (...given: [...Parameters<NameRule>, gate: KindContext['gate']]) => readonly string[]

/** The clock and the limit that the cells of one row share. */
export interface RowContext {
  readonly nowMs: number
  /** Values of the object that cells may still visit: cells with paths from a user's definition decrement it. */
  visitsLeft: number
}

/** A table's column: definition and cell. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  readonly priority: number
  cell(object: ApiObject, row: RowContext): string | number | boolean | null
}

/** A condition of a table's row, in addition to its cells. */
export interface RowCondition {
  /** Completed: the object has finished, and watchers of running objects may skip it. */
  readonly type: 'Completed'
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/** The number of replicas of an object, as `scale` reads and sets it. Objects are in the hub version. */
export interface ScaleAccess {
  /** Undefined for a custom resource that has none. */
  replicas(object: ApiObject): number | undefined
  /** The path of the replicas in a custom resource, whose own validation checks them. Absent for built-in kinds. */
  readonly replicasPath?: string
  /** The present number of replicas. */
  actualReplicas(object: ApiObject): number
  /** The label selector of the pods, as text. */
  selector(object: ApiObject): string
  /** A copy with this number of replicas; may share the rest with `object`. */
  withReplicas(object: ApiObject, replicas: number): ApiObject
}

/**
 * A kind: data and a few small functions. Absent members do what most kinds do. The files of a kind are in
 * `lib/kinds/<group>/<kind>/{defaults,validate,strategy,columns,convert}.ts`.
 */
export interface KindDefinition {
  readonly group: string
  readonly kind: string
  readonly nameRule: GatedNameRule
  /**
   * Names that are reserved for objects from files: refused for new objects while the gate is on, with a warning while
   * it is off.
   */
  readonly reservedNames?: { readonly suffix: string; readonly gate: string; readonly message: string }
  /** Defaults by version. */
  readonly defaults?: Readonly<Record<string, Defaults>>
  /** Defaults of fields with the same value; run after the others. */
  readonly mirrors?: readonly MirroredField[]
  readonly strategy?: Strategy
  /** By subresource name. */
  readonly subresources?: Readonly<Record<string, Strategy>>
  readonly columns?: readonly Column[]
  /** Paths that `columns` and `rowConditions` read; absent: they get the whole object. */
  readonly columnReads?: readonly string[]
  /**
   * Fields besides the metadata that controllers read often: clients in this process keep these decoded, and read the
   * others from the stored bytes when needed. Absent: they keep the whole object.
   */
  readonly heldFields?: readonly string[]
  /** Conditions of an object's row, usually none. */
  readonly rowConditions?: (object: ApiObject) => readonly RowCondition[]
  /** Values of selectable fields besides metadata.name and metadata.namespace, by their path. */
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>
  /** Paths that `selectableFields` read; absent: they get the whole object. */
  readonly selectableReads?: readonly string[]
  /** Selectable fields with an index for lists and watches; no default fills them. */
  readonly indexedFields?: readonly string[]
  /**
   * A selectable field by which many clients watch, each one value of it: a write concerns one of these watches at most,
   * and priority and fairness counts none of them.
   */
  readonly watchesDivideBy?: string
  /** An object counts as being in the namespace that it is: admission is asked about it as one within. */
  readonly isOwnNamespace?: true
  /** Defaults change metadata. */
  readonly defaultsMetadata?: true
  /** Aliases for a selectable field in a version's field selectors, and checks. */
  readonly fieldSelectorAliases?: Readonly<Record<string, string>>
  /** The error for a field that can't be used in a selector of this kind. */
  readonly unknownFieldLabel?: (label: string, gvk: GroupVersionKind) => string
  /** Seconds after which the store deletes an object. */
  readonly ttlSeconds?: (object: ApiObject, options: { eventTtlSeconds: number }) => number | undefined
  /**
   * Converts from the hub version to another and back, where the forms differ; the caller sets `apiVersion`. By
   * version, or by group and version (`events.k8s.io/v1`) if that is another group than the hub's. Versions that are
   * only read from storage have no `fromHub`.
   */
  readonly convert?: Readonly<
    Record<string, { fromHub?(object: ApiObject): ApiObject; toHub(object: ApiObject): ApiObject }>
  >
  /**
   * Objects of this kind are those of another one, which has the conversion: they share storage and cache, and the
   * strategy gets them in the other kind's hub version.
   */
  readonly viewOf?: { readonly group: string; readonly kind: string }
  /** Reads and changes an object for `scale`; for kinds whose tables have that subresource. */
  readonly scale?: ScaleAccess
  /** The rules that its tables declare refuse a write alone, whatever the gates are. */
  readonly isDeclared?: true
  /** False: owners and dependents are ignored, and deletion sets none of the garbage collector's finalizers. */
  readonly garbageCollected?: false
}
