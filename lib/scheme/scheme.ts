import type { PausableWork } from '../base/index.ts'
import type { jsonFrames } from '../codec/index.ts'
import type {
  ApiObject,
  GroupResource,
  GroupVersion,
  GroupVersionKind,
  GroupVersionResource,
  JsonValue,
  ListMeta,
} from '../object/index.ts'
import type { GroupVersionTable, ResourceTable, StructType, SubresourceTable } from '../schema/index.ts'
import type { MirroredField } from './mirrors.ts'
import type { ObjectCodec } from './objectcodec.ts'
import type { TypeRegistry } from './typeregistry.ts'

/** Formats of bodies; endpoints handle parameters (`;stream=watch`, `;as=Table`). */
export type MediaType =
  | 'application/json'
  | 'application/yaml'
  | 'application/vnd.kubernetes.protobuf'
  | 'application/cbor'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** One resource in one version, whether or not a server serves it (by its runtime-config). */
export interface ResourceDefinition {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  /** '' without lists. */
  readonly listKind: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: Readonly<Record<string, SubresourceTable>>
  /** Undefined: not stored (reviews, bindings). */
  readonly storage: StorageDefinition | undefined
  /** Version in which the registry works on objects of this resource. */
  readonly hubVersion: string
  readonly table: ResourceTable
  /** Compiled at its first use. */
  readonly struct: StructType
}

interface StorageDefinition {
  /** Path below the store's prefix: `configmaps`, `services/specs`. */
  readonly prefix: string
  /** Version of the stored bytes. */
  readonly version: string
  /** The hash in discovery. */
  readonly hash: string
}

export interface GroupDefinition {
  /** '' is the core group. */
  readonly group: string
  /** In the order of preference. */
  readonly versions: readonly string[]
}

/** A registered kind: of a resource, a list, options or a review. */
export interface KindEntry {
  readonly gvk: GroupVersionKind
  /** Compiled at its first use. */
  readonly struct: StructType
  /** Kind of the items, when this is a list. */
  readonly itemKind: string | undefined
}

/** The parts of a KindDefinition that decoding needs; kinds provide them. */
export interface KindHooks {
  /** By version; by `group/version` where the version is of another group than the hub (events.k8s.io/v1). */
  readonly defaults?: Readonly<Record<string, (object: ApiObject, context: { gate(name: string): boolean }) => void>>
  /** Run after the defaults, in every version. */
  readonly mirrors?: readonly MirroredField[]
  /** `fromHub` is left out for versions that are only read from storage. */
  readonly convert?: Readonly<
    Record<string, { fromHub?(object: ApiObject): ApiObject; toHub(object: ApiObject): ApiObject }>
  >
}

export interface SchemeOptions {
  readonly tables: readonly GroupVersionTable[]
  /** Groups and versions in the order of preference; others follow in the order of `tables`. */
  readonly order?: readonly GroupDefinition[]
  readonly kinds?: (group: string, kind: string) => KindHooks | undefined
  /** Default 'application/vnd.kubernetes.protobuf'. */
  readonly storageMediaType?: MediaType
  /** By group: version in which to store objects of kinds that have it, instead of their own storage version. */
  readonly storageVersions?: Readonly<Record<string, string>> | undefined
  /** Feature gates, for defaults. Default: every gate is off. */
  readonly gate?: (name: string) => boolean
}

/** Parsed JSON or YAML, such as the result of a patch; it is not changed. */
export interface JsonTree {
  readonly tree: JsonValue
  /** Duplicate keys of a tree from YAML: `line 7: key "a" already set in map`. */
  readonly duplicates?: readonly string[]
}

export interface DecodeOptions {
  readonly mediaType: MediaType
  /** Kind that the endpoint accepts; also the default of kind and apiVersion in the body. */
  readonly expected: GroupVersionKind
  /** True: the body must contain its kind and apiVersion. */
  readonly needsTypeMeta?: boolean
  /** Default 'Ignore'. */
  readonly fieldValidation?: FieldValidation
  /** Default true: absent fields get their defaults. */
  readonly defaults?: boolean
  /**
   * True: nulls of a custom resource that its schema doesn't allow stay, and are refused. Default: they are dropped.
   */
  readonly keepsNulls?: boolean
}

export interface Decoded {
  /** In the version of the body, which is the expected version. */
  readonly object: ApiObject
  /** `unknown field "spec.foo"`, `duplicate field "spec.foo"`; 'Warn' sends a Warning header each, 'Strict' throws. */
  readonly strictErrors: readonly string[]
  /** Defaults have made a large object of a possibly small body. */
  readonly isGrown?: boolean
}

/** An object's bytes in one format without its kind and apiVersion, as in caches and lists. */
export type ItemBytes = Uint8Array

/** An item whole, or (in protobuf, and of custom resources in JSON) in consecutive parts. */
export type ItemParts = ItemBytes | readonly Uint8Array[]

/** Frames an event of a watch, in consecutive parts; the item is among them, not copied. */
export interface WatchFramer {
  (type: string, item: ItemBytes): Uint8Array[]
  /** The same for an item in parts; absent: for whole items only. */
  ofParts?(type: string, item: readonly Uint8Array[]): Uint8Array[]
}

export interface Scheme extends TypeRegistry {
  /** The codec of a resource's objects, made from its tables. */
  codec(resource: GroupResource): ObjectCodec

  /** A deep copy in another version of its kind (the object itself if it has that version). */
  convert(object: ApiObject, to: GroupVersion): ApiObject
  /** Runs the defaults of the object's version over it. */
  applyDefaults(object: ApiObject): void

  /**
   * Decodes a request's body. Throws StatusError 400 with the texts that clients match on when the body is no object of
   * the expected kind and version, or has unknown or duplicate fields under 'Strict'.
   */
  decodeObject(body: Uint8Array | JsonTree, options: DecodeOptions): Decoded
  /**
   * Decodes a request's body with options, such as `DeleteOptions`, in any group and version. Throws StatusError 400
   * for every other body; unknown fields are dropped.
   */
  decodeOptions(body: Uint8Array, options: { mediaType: MediaType; kind: string }): Record<string, unknown>
  /**
   * Encodes a response's body, of any registered kind; kind and apiVersion are the object's own. JSON ends its line,
   * unless it is pretty.
   */
  encodeObject(object: ApiObject, options: { mediaType: MediaType; pretty?: boolean }): Uint8Array

  /** Encodes the stored form: the storage version, without metadata.resourceVersion. Takes the hub version. */
  encodeForStorage(object: ApiObject): Uint8Array
  /**
   * Decodes a stored object (a protobuf envelope or JSON), with defaults, to its hub version, with
   * metadata.resourceVersion set. `resource` is the expected one. Throws Error when the bytes can't be read.
   */
  decodeFromStorage(stored: Uint8Array, resource: GroupResource, resourceVersion: string): ApiObject

  /** For caches: called once an object, version and format. YAML items are JSON items. */
  encodeItem(object: ApiObject, mediaType: MediaType): ItemBytes
  /** The body of a get. Equal to encodeObject. */
  encodeFromItem(gvk: GroupVersionKind, item: ItemBytes, mediaType: MediaType): Uint8Array
  /** The same as a part of another body. */
  encodeWithin(gvk: GroupVersionKind, item: ItemBytes, mediaType: MediaType): Uint8Array
  /**
   * The body of a list, in consecutive parts; the items are among them, not copied. Yields after some hundred items,
   * where a long list should pause.
   */
  encodeListFromItems(
    listKind: GroupVersionKind,
    metadata: ListMeta,
    items: readonly ItemParts[],
    mediaType: MediaType,
  ): PausableWork<Uint8Array[]>
  /** The bytes around the items of a list in JSON, for bodies that are sent while they are made. */
  jsonListFrame(listKind: GroupVersionKind, metadata: ListMeta): jsonFrames.ListFrame
  /** For watches of a kind: JSON lines, length-prefixed protobuf messages, entries of a CBOR sequence; not YAML. */
  watchFramer(gvk: GroupVersionKind, mediaType: MediaType): WatchFramer
}
