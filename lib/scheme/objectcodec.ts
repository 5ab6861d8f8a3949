import type { ApiObject, GroupVersion, JsonObject, Revision } from '../object/index.ts'
import type { Codec, MediaType } from './kindcodec.ts'
import type { StoredReader } from './storedreader.ts'

/** The differences between codecs that clients notice. */
export interface CodecCapabilities {
  /** Formats of whole objects. Their metadata has a form in every format. */
  readonly mediaTypes: readonly MediaType[]
  /** The kind's types define how their lists are merged, which a strategic merge patch needs. */
  readonly strategicMerge: boolean
  /**
   * True: objects are converted when they are read. The registry gets each in the version of the request, and returns
   * it in the stored version. False: the registry has them all in the hub version.
   */
  readonly convertsOnRead: boolean
}

/** An object of a store, in the form of caches. */
export interface StoredObject {
  readonly key: string
  readonly revision: Revision
  /** The revision at which it was stored; `revision` may be that of its deletion. */
  readonly storedRevision: Revision
  readonly stored: Uint8Array
  /** Its bytes equal the result of decoding and encoding it. */
  readonly canonical: boolean
  object(): ApiObject
}

/** Objects that another server converted. */
export interface HeldConversions {
  /** Call it when everything made of them has been sent. */
  release(): void
}

/**
 * Converts the objects of one resource, in all its versions, to bytes and back. `Scheme.codec` makes one from the
 * tables of a built-in kind; a resource without a table (a custom one) is mounted with its own. Everything that reads,
 * writes, patches or stores objects of a resource uses its codec, and needs no other knowledge of the kind.
 */
export interface ObjectCodec extends Codec {
  readonly capabilities: CodecCapabilities
  /** Another server may have to convert stored objects, so that their selectable fields are not available at once. */
  readonly convertsElsewhere?: boolean
  /**
   * Lets another server convert many stored objects at once, and holds the results until they are released: meanwhile
   * they need no ConversionNeeded. Undefined: none needs a conversion. Rejects with StatusError.
   */
  prepare?(entries: readonly StoredObject[], to: GroupVersion): HeldConversions | Promise<HeldConversions> | undefined
  /**
   * The JSON item of a stored object that another server converted. Undefined: it is not known, or needs no conversion.
   */
  convertedItem?(entry: StoredObject, to: GroupVersion): Uint8Array | undefined
  /** Whether another server converts a stored object, so that the result may change although the object does not. */
  isConverted?(entry: StoredObject, to: GroupVersion): boolean
  /**
   * The object as readers will see it when it was written through another version than the stored one: fields that the
   * stored version lacks are dropped. `isStored`: it has been stored, with its resourceVersion. Throws
   * ConversionNeeded.
   */
  afterWrite?(object: ApiObject, isStored: boolean): ApiObject
  /**
   * Decodes a stored object, with defaults, to the working version, with metadata.resourceVersion set. Throws Error when the
   * bytes can't be read.
   */
  decodeFromStorage(stored: Uint8Array, resourceVersion: string): ApiObject
  /**
   * The value of the item's JSON, which shares parts with the object; undefined where only the text has it. Absent: always
   * read the item's text.
   */
  itemValue?(object: ApiObject): JsonObject | undefined
  /** Whether the defaults of a version can make any object large. Absent: they can't. */
  hasLargeDefaults?(version: string): boolean
  /** Whether defaults made the stored object large. */
  isGrown?(object: ApiObject): boolean
  /**
   * Reads at least those fields of stored objects, and few others; without defaults, resourceVersion, apiVersion and
   * kind. Paths as in `narrowedTo`. May return whole objects. Absent: not supported.
   */
  fieldReader?(paths: readonly string[]): (stored: Uint8Array) => ApiObject
  /** Serves stored objects without decoding them, where that is possible. */
  readonly stored?: StoredReader | undefined
}
