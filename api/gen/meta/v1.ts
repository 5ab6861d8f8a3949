// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
/** An API group: its name, its versions and the preferred version. */
export type APIGroup = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name of the group; empty for the core group. */
  name: string
  /** Versions of the group that are served. */
  versions?: GroupVersionForDiscovery[]
  /** Version that clients should use by default. */
  preferredVersion: GroupVersionForDiscovery
  /** Addresses of the server, by the network of the client. */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[]
}

/** The API groups of a server, the answer of /apis. */
export type APIGroupList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** One entry a group. */
  groups?: APIGroup[]
}

/** A resource of a group version, as discovery lists it. */
export type APIResource = {
  /** Plural name, as in paths; subresources as resource/subresource. */
  name: string
  /** True when objects of the resource live in namespaces. */
  namespaced: boolean
  /** Kind of the objects, such as Pod. */
  kind: string
  /** Verbs that the resource takes, such as get, list and watch. */
  verbs?: string[]
  /** Abbreviations that clients accept for the name. */
  shortNames?: string[]
  /** Singular name, as clients print it. */
  singularName: string
  /** Groups of resources that this one is listed under, such as all. */
  categories?: string[]
  /** Group of the kind where it differs from that of the list. */
  group?: string
  /** Version of the kind where it differs from that of the list. */
  version?: string
  /** Opaque hash of the version that objects are stored in; it changes when that version does. */
  storageVersionHash?: string
}

/** The resources of a group version, the answer of /apis/<group>/<version>. */
export type APIResourceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The group version that the resources belong to. */
  groupVersion: string
  /** One entry a resource or subresource. */
  resources?: APIResource[]
}

/** Versions of the core group, the answer of /api. */
export type APIVersions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Versions that are served. */
  versions?: string[]
  /** Addresses of the server, by the network of the client. */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[]
}

/** Options of a server-side apply. */
export type ApplyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** With All, the request runs through every stage but nothing is stored. */
  dryRun?: string[]
  /** Takes over fields that other managers own. */
  force: boolean
  /** Name under which the applied fields are owned; required. */
  fieldManager: string
}

/** One aspect of an object's state. */
export type Condition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: number
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason: string
  /** Details of the last change, for people. */
  message: string
}

/** Options of a create. */
export type CreateOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** With All, the request runs through every stage but nothing is stored. */
  dryRun?: string[]
  /** Name of the client that makes the change, for field ownership; at most 128 printable characters. */
  fieldManager?: string
  /** Treatment of unknown and duplicate fields: Ignore, Warn or Strict. */
  fieldValidation?: string
}

/** Options of a delete. */
export type DeleteOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Seconds until the object is removed; 0 removes it at once. Defaults to the kind's own period. */
  gracePeriodSeconds?: number
  /** Conditions on the stored object; otherwise the delete fails with a conflict. */
  preconditions?: Preconditions
  /** Deprecated: use propagationPolicy. Whether dependents lose their owner instead of being deleted. */
  orphanDependents?: boolean
  /** Treatment of dependents: Orphan, Background or Foreground. */
  propagationPolicy?: string
  /** With All, the request runs through every stage but nothing is stored. */
  dryRun?: string[]
  /** Removes an object that cannot be read from the store, regardless of finalizers and preconditions. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
}

/** A condition on one field of an object. */
export type FieldSelectorRequirement = {
  /** Path of the field. */
  key: string
  /** How the field relates to the values: In, NotIn, Exists or DoesNotExist. */
  operator: string
  /** Values to compare with; at least one for In and NotIn, none otherwise. */
  values?: string[]
}

/** Options of a get. */
export type GetOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Oldest state that the answer may show; see the resource versions of a list. */
  resourceVersion?: string
}

/** A kind without its version. */
export type GroupKind = {
  /** Name of the API group. */
  group: string
  /** Name of the kind. */
  kind: string
}

/** A resource without its version. */
export type GroupResource = {
  /** Name of the API group; empty for core. */
  group: string
  /** Plural name of the resource. */
  resource: string
}

/** A version of an API group. */
export type GroupVersion = {
  /** Name of the API group. */
  group: string
  /** Name of the version. */
  version: string
}

/** A version of a group in discovery. */
export type GroupVersionForDiscovery = {
  /** Group and version as one text: group/version, or the version alone for core. */
  groupVersion: string
  /** The version alone. */
  version: string
}

/** A kind, fully named. */
export type GroupVersionKind = {
  /** Name of the API group; empty for core. */
  group: string
  /** Name of the version. */
  version: string
  /** Name of the kind. */
  kind: string
}

/** A resource, fully named. */
export type GroupVersionResource = {
  /** Name of the API group; empty for core. */
  group: string
  /** Name of the version. */
  version: string
  /** Plural name of the resource. */
  resource: string
}

/** Selects objects by their labels; all parts must match. An empty selector matches everything. */
export type LabelSelector = {
  /** Labels that an object must have with exactly these values. */
  matchLabels?: Record<string, string>
  /** Further conditions on labels. */
  matchExpressions?: LabelSelectorRequirement[]
}

/** A condition on one label. */
export type LabelSelectorRequirement = {
  /** Key of the label. */
  key: string
  /** How the label relates to the values: In, NotIn, Exists or DoesNotExist. */
  operator: string
  /** Values to compare with; at least one for In and NotIn, none otherwise. */
  values?: string[]
}

/** A list of objects that may be of different kinds. */
export type List = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: ListMeta
  /** The objects. */
  items?: JsonValue[]
}

/** Metadata of a list. */
export type ListMeta = {
  /** Deprecated: no longer filled in. */
  selfLink?: string
  /** Version of the store at which the list was read; a watch can start from it. */
  resourceVersion?: string
  /** Token for the next chunk of the list; empty when this is the last. */
  continue?: string
  /** How many items follow this chunk; absent when unknown. */
  remainingItemCount?: number
  /** The part of the collection in the list, when a shard was requested. */
  shardInfo?: ShardInfo
}

/** Options of a list or watch. */
export type ListOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Keeps only objects whose labels match. */
  labelSelector?: string
  /** Keeps only objects whose fields match. */
  fieldSelector?: string
  /** Answers with a stream of changes instead of a list. */
  watch?: boolean
  /** Lets a watch send BOOKMARK events, which carry only a resource version. */
  allowWatchBookmarks?: boolean
  /** Which state an answer may show, read together with resourceVersionMatch. */
  resourceVersion?: string
  /** How resourceVersion applies to a list: Exact or NotOlderThan. */
  resourceVersionMatch?: string
  /** Seconds after which the call ends, whatever it does. */
  timeoutSeconds?: number
  /** Maximum number of items in one answer; the rest follows by the continue token. */
  limit?: number
  /** Token of the previous chunk: the list continues after it. */
  continue?: string
  /** Begins a watch with the present objects as ADDED events and a bookmark. */
  sendInitialEvents?: boolean
  /** Restricts the answer to a part of the collection, by hash of a field. */
  shardSelector?: string
}

/** Fields that one manager set by one operation. */
export type ManagedFieldsEntry = {
  /** Name of the manager: a program, controller or user. */
  manager?: string
  /** How the fields were set: Apply or Update. */
  operation?: string
  /** Version of the API that the field paths are written in. */
  apiVersion?: string
  /** When the entry was last changed. */
  time?: string
  /** Format of the field set; FieldsV1 is the only one. */
  fieldsType?: string
  /** The fields, as a tree of their paths. */
  fieldsV1?: JsonValue
  /** Subresource through which the object was written; empty for the object itself. */
  subresource?: string
}

/** Metadata that every stored object has. */
export type ObjectMeta = {
  /** Name of the object, unique among those of its resource in a namespace. Cannot be changed. */
  name?: string
  /** Prefix of a name that the server generates when name is empty. */
  generateName?: string
  /** Namespace of the object; empty for cluster-wide objects. Cannot be changed. */
  namespace?: string
  /** Deprecated: no longer filled in. */
  selfLink?: string
  /** Unique identifier of the object, never used again. Set by the server. */
  uid?: string
  /** Changes with every write; send it back to make an update fail if someone else wrote. */
  resourceVersion?: string
  /** Counts changes of the desired state. Set by the server. */
  generation?: number
  /** CreationTimestamp is a timestamp of when the object was made, set by the server. */
  creationTimestamp?: string
  /** When the object is to be removed; set when deletion was requested and finalizers or a grace period delay it. */
  deletionTimestamp?: string
  /** Seconds that the object has for its termination. Set together with deletionTimestamp. */
  deletionGracePeriodSeconds?: number
  /** Short keys and values to organize and select objects by. */
  labels?: Record<string, string>
  /** Keys and values for tools and people; selectors cannot use them. */
  annotations?: Record<string, string>
  /** Objects that this one belongs to; it is collected when all of them are deleted. */
  ownerReferences?: OwnerReference[]
  /** Names of tasks that must be done before the object is removed; each is removed by the component that did it. */
  finalizers?: string[]
  /** Which manager set which fields; maintained by the server for server-side apply. */
  managedFields?: ManagedFieldsEntry[]
}

/** Names an object that owns this one, in the same namespace or cluster-wide. */
export type OwnerReference = {
  /** Group version of the owner. */
  apiVersion: string
  /** Kind of the owner. */
  kind: string
  /** Name of the owner. */
  name: string
  /** UID of the owner. */
  uid: string
  /** True for the one owner that manages the object. */
  controller?: boolean
  /** Delays a foreground deletion of the owner until this object is deleted. */
  blockOwnerDeletion?: boolean
}

/** An object reduced to its metadata. */
export type PartialObjectMetadata = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: ObjectMeta
}

/** A list of objects reduced to their metadata. */
export type PartialObjectMetadataList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: ListMeta
  /** The objects. */
  items?: PartialObjectMetadata[]
}

/** Body of a PATCH; its form follows from the content type. */
export type Patch = {}

/** Options of a patch. */
export type PatchOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** With All, the request runs through every stage but nothing is stored. */
  dryRun?: string[]
  /** Takes over fields that other managers own. Only for apply. */
  force?: boolean
  /** Name of the client that makes the change, for field ownership; at most 128 printable characters. */
  fieldManager?: string
  /** Treatment of unknown and duplicate fields: Ignore, Warn or Strict. */
  fieldValidation?: string
}

/** Conditions on an object before it is changed or deleted. */
export type Preconditions = {
  /** The UID that the object must have. */
  uid?: string
  /** The resource version that the object must be at. */
  resourceVersion?: string
}

/** Paths that the server serves. */
export type RootPaths = {
  /** One entry a path. */
  paths?: string[]
}

/** Address of the server for clients of one network. */
export type ServerAddressByClientCIDR = {
  /** Network of the clients, as a CIDR block. */
  clientCIDR: string
  /** Host name, address, or address and port of the server. */
  serverAddress: string
}

/** The shard that a list covers. */
export type ShardInfo = {
  /** The shard selector that the list was asked with. */
  selector: string
}

/** Outcome of a request that returns no object: success or the reason of a failure. */
export type Status = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: ListMeta
  /** Success or Failure. */
  status?: string
  /** What happened, for people. */
  message?: string
  /** Machine-readable cause of a failure, such as NotFound; it refines the code. */
  reason?: string
  /** Further data about the failure; what is in it depends on the reason. */
  details?: StatusDetails
  /** HTTP status code of the answer. */
  code?: number
}

/** One of several causes of a failure. */
export type StatusCause = {
  /** Machine-readable kind of the cause. */
  reason?: string
  /** What is wrong, for people. */
  message?: string
  /** Path of the field at fault, such as spec.containers[0].name. */
  field?: string
}

/** Object and causes of a failure. */
export type StatusDetails = {
  /** Name of the object concerned. */
  name?: string
  /** API group of the object concerned. */
  group?: string
  /** Kind or resource of the object concerned. */
  kind?: string
  /** UID of the object concerned, when it is a single one. */
  uid?: string
  /** The single causes, such as one entry an invalid field. */
  causes?: StatusCause[]
  /** Seconds to wait before a retry, or before checking the operation's progress. */
  retryAfterSeconds?: number
}

/** Objects as rows for printing. */
export type Table = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: ListMeta
  /** The columns, in order. */
  columnDefinitions?: TableColumnDefinition[]
  /** One row an object. */
  rows?: TableRow[]
}

/** A column of a table. */
export type TableColumnDefinition = {
  /** Heading of the column. */
  name: string
  /** OpenAPI type of the cells: string, integer, number, boolean or date. */
  type: string
  /** OpenAPI format that refines the type; name marks the column with the object's name. */
  format: string
  /** Description of the column. */
  description: string
  /** 0 for columns that always show; higher ones show in wide output. */
  priority: number
}

/** Options of a call that answers with a table. */
export type TableOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** How much of each object a row carries: None, Metadata or Object. */
  includeObject?: string
}

/** One object of a table. */
export type TableRow = {
  /** One value a column. */
  cells?: JsonValue[]
  /** Conditions of the row, such as Completed. */
  conditions?: TableRowCondition[]
  /** The object or its metadata, as includeObject demands. */
  object?: JsonValue
}

/** A condition of a table's row. */
export type TableRowCondition = {
  /** Type of the condition; Completed is the only one. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** Machine-readable cause of the condition. */
  reason?: string
  /** Details of the condition, for people. */
  message?: string
}

/** An instant, as protobuf carries it. */
export type Timestamp = {
  /** Seconds since 1970-01-01T00:00:00Z. */
  seconds: number
  /** Nanoseconds within the second, 0 to 999999999. */
  nanos: number
}

/** Kind and version of an object. */
export type TypeMeta = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion?: string
}

/** Options of an update. */
export type UpdateOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** With All, the request runs through every stage but nothing is stored. */
  dryRun?: string[]
  /** Name of the client that makes the change, for field ownership; at most 128 printable characters. */
  fieldManager?: string
  /** Treatment of unknown and duplicate fields: Ignore, Warn or Strict. */
  fieldValidation?: string
}

/** One change that a watch reports. */
export type WatchEvent = {
  /** What happened: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  type: string
  /** The object after the change or, when deleted, before it; a Status for ERROR. */
  object?: JsonValue
}
