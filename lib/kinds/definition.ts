import type { Clock, Random, Slices } from '../base/index.ts'
import type { ApiObject, FieldError, GroupVersionKind } from '../object/index.ts'
import type { UserInfo } from '../request/index.ts'
import type { MirroredField } from '../scheme/index.ts'

/** The surroundings that a kind's rules may look at besides the object. */
export interface KindContext {
  readonly clock: Clock
  readonly random: Random
  readonly user: UserInfo
  readonly namespace: string
  /** True when a feature gate is on. */
  gate(name: string): boolean
  warn(text: string): void
  /** Settings of the operator. */
  readonly settings?: KindSettings
}

/** Choices of the operator that rules of kinds depend on. */
export interface KindSettings {
  /** `--allow-privileged`: containers may ask for all that the host can do. */
  readonly allowPrivileged: boolean
  /** Minor of the oldest release that has to understand new expressions (32 for 1.32). Default: they may use all there is. */
  readonly newExpressionsMinor?: number
}

/** Makes absent fields explicit. Runs on every version as it is decoded, from a request and from the store. */
export type Defaults = (object: ApiObject, context: DefaultsContext) => void
interface DefaultsContext {
  gate(name: string): boolean
}

/**
 * The rules of one endpoint (a resource, or a subresource such as status) for objects in the hub version. All members
 * are pure but for changing `object` where that is said. An absent member does nothing.
 */
export interface Strategy {
  /** Sets and clears what a client can't decide (status on create, generation, …). Changes `object`. */
  prepareForCreate?(object: ApiObject, context: KindContext): void
  /** As prepareForCreate, and keeps from `old` what this endpoint may not change. Changes `object`. */
  prepareForUpdate?(object: ApiObject, old: ApiObject, context: KindContext): void
  /** As prepareForUpdate, with pauses, for a large object. */
  prepareForUpdateInSlices?(object: ApiObject, old: ApiObject, context: KindContext): Slices<void>
  /** Metadata is validated by the registry. */
  validateCreate?(object: ApiObject, context: KindContext): FieldError[]
  validateUpdate?(object: ApiObject, old: ApiObject, context: KindContext): FieldError[]
  /**
   * The same validation for objects that may take long, with pauses between slices; `old` undefined: the object is new.
   * Answers undefined where validateCreate or validateUpdate is quick. A kind that has no others is validated by this one.
   */
  validateInSlices?(
    object: ApiObject,
    old: ApiObject | undefined,
    context: KindContext,
  ): Slices<FieldError[]> | undefined
  warningsOnCreate?(object: ApiObject, context: KindContext): string[]
  warningsOnUpdate?(object: ApiObject, old: ApiObject, context: KindContext): string[]
  /** Brings equal objects to one form just before they are stored. Changes `object`. */
  canonicalize?(object: ApiObject): void
  /**
   * Graceful deletion: seconds that an object is to live on after DELETE; undefined or 0: none.
   * `requestedSeconds` is undefined when the request names none.
   */
  gracePeriodSeconds?(object: ApiObject, requestedSeconds: number | undefined): number | undefined
  /** Why a request for this object alone may not delete it; undefined: it may be deleted. */
  undeletable?(object: ApiObject): string | undefined
  /** Changes `object` when it is marked for deletion. */
  prepareForDelete?(object: ApiObject, context: KindContext): void
  /**
   * The first DELETE only marks the object, whatever its finalizers, and it stays for as long as `isHeld` says so
   * (a Namespace by its spec.finalizers).
   */
  readonly marksBeforeDelete?: { isHeld(object: ApiObject): boolean }
}

/** Checks `metadata.name`; answers messages, none when it is fine. `prefix`: the name is a generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[]

/** The clock and the limit that the cells of one row share. */
export interface RowContext {
  readonly nowMs: number
  /** Values of the object that cells may still visit: those that follow paths of a user's definition count it down. */
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

/** A mark on a row of a table, beside its cells. */
export interface RowCondition {
  /** Completed: the object has come to its end, and what watches for one that still runs may pass it over. */
  readonly type: 'Completed'
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/** The number of replicas of an object, as `scale` shows and sets it. Objects are in the hub version. */
export interface ScaleAccess {
  /** Undefined for a custom resource that has none. */
  replicas(object: ApiObject): number | undefined
  /** Where they stand in a custom resource, whose own validation judges them. Absent for built-in kinds. */
  readonly replicasPath?: string
  /** Replicas that there are. */
  actualReplicas(object: ApiObject): number
  /** Which pods they are, as a label selector's text. */
  selector(object: ApiObject): string
  /** A copy with so many replicas; may share the rest with `object`. */
  withReplicas(object: ApiObject, replicas: number): ApiObject
}

/**
 * A kind: data and a few small functions. Everything not given is what most kinds do. The files of a kind stand in
 * `lib/kinds/<group>/<kind>/{defaults,validate,strategy,columns,convert}.ts`.
 */
export interface KindDefinition {
  readonly group: string
  readonly kind: string
  readonly nameRule: NameRule
  /** Names of new objects that are kept for those from files: refused while the gate is on, warned of while it is off. */
  readonly reservedNames?: { readonly suffix: string; readonly gate: string; readonly message: string }
  /** Defaults by version. */
  readonly defaults?: Readonly<Record<string, Defaults>>
  /** Defaults of fields that say the same; run after the others. */
  readonly mirrors?: readonly MirroredField[]
  readonly strategy?: Strategy
  /** By subresource name. */
  readonly subresources?: Readonly<Record<string, Strategy>>
  readonly columns?: readonly Column[]
  /** Paths of all that `columns` and `rowConditions` read; absent: they are given the whole object. */
  readonly columnReads?: readonly string[]
  /**
   * Fields beside the metadata that controllers look at often: clients in this process hold these decoded, and read the
   * others from the stored bytes when they are asked for. Absent: they hold the whole object.
   */
  readonly heldFields?: readonly string[]
  /** Marks of an object's row; mostly there are none. */
  readonly rowConditions?: (object: ApiObject) => readonly RowCondition[]
  /** Values of selectable fields besides metadata.name and metadata.namespace, by their path. */
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>
  /** Paths of all that `selectableFields` read; absent: they are given the whole object. */
  readonly selectableReads?: readonly string[]
  /** Selectable fields that lists and watches find objects by without looking at the others; no default fills them. */
  readonly indexedFields?: readonly string[]
  /** Defaults change metadata. */
  readonly defaultsMetadata?: true
  /** Aliases that a version's field selectors accept for a selectable field, and checks. */
  readonly fieldSelectorAliases?: Readonly<Record<string, string>>
  /** The error for a field that objects of this kind can't be selected by. */
  readonly unknownFieldLabel?: (label: string, gvk: GroupVersionKind) => string
  /** Seconds after which an object is deleted by the store. */
  readonly ttlSeconds?: (object: ApiObject, options: { eventTtlSeconds: number }) => number | undefined
  /**
   * From the hub version to another and back, where the shapes differ; `apiVersion` is set by the caller. By version, or
   * by group and version (`events.k8s.io/v1`) where that is another group than the hub's. Versions that are read from
   * storage alone have no `fromHub`.
   */
  readonly convert?: Readonly<
    Record<string, { fromHub?(object: ApiObject): ApiObject; toHub(object: ApiObject): ApiObject }>
  >
  /**
   * Objects of this kind are those of another one, which has the conversion: they share storage and cache, and the
   * strategy sees them in the other kind's hub version.
   */
  readonly viewOf?: { readonly group: string; readonly kind: string }
  /** Reads and changes an object for `scale`; for kinds whose tables have that subresource. */
  readonly scale?: ScaleAccess
  /** The rules that its tables declare refuse a write by themselves, whatever the gates say. */
  readonly isDeclared?: true
  /** False: owners and dependents don't matter, deletion sets none of the garbage collector's finalizers. */
  readonly garbageCollected?: false
}
