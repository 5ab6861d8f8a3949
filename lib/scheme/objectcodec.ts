import type { ApiObject, GroupVersion, GroupVersionKind, Revision } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'
import type { Decoded, DecodeOptions, ItemBytes, JsonTree, MediaType, WatchFramer } from './scheme.ts'
import type { StoredReader } from './storedreader.ts'

/** The differences between codecs that clients notice. */
export interface CodecCapabilities {
  /** Formats of whole objects. Their metadata has a form in every format. */
  readonly mediaTypes: readonly MediaType[]
  /** The kind's types say how their lists are merged, as a strategic merge patch needs it. */
  readonly strategicMerge: boolean
  /**
   * True: objects are converted when they are read. The registry gets each in the version that the request speaks, and gives
   * it in the one that it is stored in. False: the registry has them all in the hub version.
   */
  readonly convertsOnRead: boolean
}

/** An object of a store, as caches have it. */
export interface StoredObject {
  readonly key: string
  readonly revision: Revision
  /** At which it was stored; `revision` may be that of its deletion. */
  readonly storedRevision: Revision
  readonly stored: Uint8Array
  /** Its bytes are what decoding and encoding it gives. */
  readonly canonical: boolean
  object(): ApiObject
}

/** Objects that were converted elsewhere. */
export interface HeldConversions {
  /** To be called once what was made of them has been sent. */
  release(): void
}

/**
 * How the objects of one resource, in all its versions, become bytes and values again. `Scheme.codec` makes one from the
 * tables of a built-in kind; a resource that no table names (a custom one) is mounted with its own. Everything that reads,
 * writes, patches or stores objects of a resource goes through its codec, and needs no other knowledge of the kind.
 */
export interface ObjectCodec {
  readonly capabilities: CodecCapabilities
  /** The typed shape of the kind in a version, for apply, strategic merge and field ownership; undefined: no such version. */
  kind(gvk: GroupVersionKind): { readonly struct: StructType } | undefined
  /**
   * A copy in another version (the object itself when it is in that one already). Throws ConversionNeeded where that is to
   * be had from elsewhere.
   */
  convert(object: ApiObject, to: GroupVersion): ApiObject
  /** Stored objects may have to be converted elsewhere, so that what selectors see of them is not at hand. */
  readonly convertsElsewhere?: boolean
  /**
   * Has stored objects converted where that is done elsewhere, many at once, and holds what they became until it is
   * released: what is made of them meanwhile needs no ConversionNeeded. Undefined: none of them has to be. Rejects with
   * StatusError.
   */
  prepare?(entries: readonly StoredObject[], to: GroupVersion): HeldConversions | Promise<HeldConversions> | undefined
  /** The JSON item of a stored object that was converted elsewhere. Undefined: it is not known, or need not be. */
  convertedItem?(entry: StoredObject, to: GroupVersion): Uint8Array | undefined
  /** Whether a stored object is converted elsewhere, so that what is made of it may change although it does not. */
  isConverted?(entry: StoredObject, to: GroupVersion): boolean
  /**
   * The object as readers will see it that was written through another version than the stored one: fields that this does
   * not know are gone. `isStored`: it has been, under its resourceVersion. Throws ConversionNeeded.
   */
  afterWrite?(object: ApiObject, isStored: boolean): ApiObject
  /** Runs the defaults of the object's version over it, in place. */
  applyDefaults(object: ApiObject): void
  /** A request's body; see Scheme.decodeObject. */
  decodeObject(body: Uint8Array | JsonTree, options: DecodeOptions): Decoded
  encodeObject(object: ApiObject, options: { mediaType: MediaType; pretty?: boolean }): Uint8Array
  /** The stored form, without metadata.resourceVersion. Throws ConversionNeeded as `convert` does. */
  encodeForStorage(object: ApiObject): Uint8Array
  /** Throws Error when the bytes can't be read. */
  decodeFromStorage(stored: Uint8Array, resourceVersion: string): ApiObject
  /** Whether the defaults of a version make a large object of any. Absent: they don't. */
  hasLargeDefaults?(version: string): boolean
  /** Whether defaults made a large object of what was stored. */
  isGrown?(object: ApiObject): boolean
  /**
   * Reads those fields of stored objects, and as good as nothing else; without defaults, resourceVersion, apiVersion and
   * kind. Paths as of `narrowedTo`. May answer whole objects. Absent: there is no short way.
   */
  fieldReader?(paths: readonly string[]): (stored: Uint8Array) => ApiObject
  /** Serves stored objects without decoding them, where that is possible. */
  readonly stored?: StoredReader | undefined
  /** The bytes of an object in one format and version that caches keep, for the three methods below and for lists. */
  encodeItem(object: ApiObject, mediaType: MediaType): ItemBytes
  /** The body of a get. */
  encodeFromItem(gvk: GroupVersionKind, item: ItemBytes, mediaType: MediaType): Uint8Array
  /** The same as it stands in another body. */
  encodeWithin(gvk: GroupVersionKind, item: ItemBytes, mediaType: MediaType): Uint8Array
  watchFramer(gvk: GroupVersionKind, mediaType: MediaType): WatchFramer
}
