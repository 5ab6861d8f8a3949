import type { PausableWork } from '../base/index.ts'
import type { jsonFrames, protobufFrames } from '../codec/index.ts'
import type { ApiObject, GroupVersion, GroupVersionKind, JsonValue, ListMeta } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'

/** Formats of bodies; endpoints handle parameters (`;stream=watch`, `;as=Table`). */
export type MediaType =
  | 'application/json'
  | 'application/yaml'
  | 'application/vnd.kubernetes.protobuf'
  | 'application/cbor'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

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

/** The way between objects and bytes. */
export interface Codec {
  /** The typed form of a kind in a version, for apply, strategic merge and field ownership; undefined: there is none. */
  kind(gvk: GroupVersionKind): { readonly struct: StructType } | undefined
  /**
   * A copy in another version of its kind (the object itself if it has that version). Throws ConversionNeeded when another
   * server must convert it.
   */
  convert(object: ApiObject, to: GroupVersion): ApiObject
  /** Runs the defaults of the object's version over it, in place. */
  applyDefaults(object: ApiObject): void
  /**
   * Decodes a request's body. Throws StatusError 400 with the texts that clients match on when the body is no object of
   * the expected kind and version, or has unknown or duplicate fields under 'Strict'.
   */
  decodeObject(body: Uint8Array | JsonTree, options: DecodeOptions): Decoded
  /** Encodes a response's body; kind and apiVersion are the object's own. JSON ends its line, unless it is pretty. */
  encodeObject(object: ApiObject, options: { mediaType: MediaType; pretty?: boolean }): Uint8Array
  /**
   * Encodes the stored form: the storage version, without metadata.resourceVersion. Takes the working version. Throws
   * ConversionNeeded as `convert` does.
   */
  encodeForStorage(object: ApiObject): Uint8Array
  /** For caches: called once an object, version and format. YAML items are JSON items. */
  encodeItem(object: ApiObject, mediaType: MediaType): ItemBytes
  /** The body of a get. Equal to encodeObject. */
  encodeFromItem(gvk: GroupVersionKind, item: ItemBytes, mediaType: MediaType): Uint8Array
  /** The same as a part of another body. */
  encodeWithin(gvk: GroupVersionKind, item: ItemBytes, mediaType: MediaType): Uint8Array
  /** For watches of a kind: JSON lines, length-prefixed protobuf messages, entries of a CBOR sequence; not YAML. */
  watchFramer(gvk: GroupVersionKind, mediaType: MediaType): WatchFramer
}

/** Objects of every registered kind: of resources, and lists, reviews, options, a Status. */
export interface KindCodec extends Codec {
  /**
   * Decodes a request's body with options, such as `DeleteOptions`, in any group and version. Throws StatusError 400
   * for every other body; unknown fields are dropped.
   */
  decodeOptions(body: Uint8Array, options: { mediaType: MediaType; kind: string }): Record<string, unknown>
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
  /** The same in protobuf; `itemsBytes` is the length of all items with their prefixes (protobufFrames). */
  protobufListFrame(
    listKind: GroupVersionKind,
    metadata: ListMeta,
    itemsBytes: number,
  ): protobufFrames.ProtobufListFrame
}
