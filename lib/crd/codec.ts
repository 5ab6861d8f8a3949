import { isRecord, runSlices, type Slices } from '../base/index.ts'
import {
  encodeUntypedCbor,
  encodeUntypedCborInSlices,
  parseStored,
  readMembers,
  type StructCodec,
  wantedMembers,
} from '../codec/index.ts'
import {
  type ApiObject,
  copyObject,
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from '../object/index.ts'
import type { Decoded, DecodeOptions, JsonTree, MediaType, ObjectCodec, WatchFramer } from '../scheme/index.ts'
import { CustomMetadata } from './custommetadata.ts'
import { decodeBody } from './decodebody.ts'
import {
  bodyOfItem,
  bodyOfItemInSlices,
  createCustomFramer,
  encodeBody,
  encodeCustomItem,
  encodeCustomItemInSlices,
} from './encode.ts'
import { joinText, type ObjectText, objectText, objectTextInSlices } from './objecttext.ts'
import { dropNulls } from './schema/defaults.ts'
import { coerceEmbedded } from './schema/embedded.ts'
import { prune } from './schema/prune.ts'
import { apiVersionOf, CustomStoredReader } from './storedreader.ts'
import type { VersionSchema } from './schema/versionschema.ts'

/** The parts of a definition, as it is now, that a codec works with. */
export interface CodecSource {
  readonly group: string
  readonly kind: string
  readonly storageVersion: string
  /** One schema for all versions: an object that is valid in one is valid in the others. */
  readonly sharedSchema: boolean
  /** Objects are stored as CBOR. Whatever is stored as JSON is read all the same. */
  readonly storesCbor: boolean
  /** Names of the versions that are served. */
  readonly servedVersions: readonly string[]
  /** Undefined: the definition has no such version. */
  schema(version: string): VersionSchema | undefined
  /** An object of another version than asked for, where more than its apiVersion differs. Absent: nothing does. */
  convert?(object: ApiObject, to: GroupVersion): ApiObject
  /** Asks for conversions of all of these; undefined when there is nothing to wait for. */
  prepare?(objects: readonly ApiObject[], to: GroupVersion): Promise<void> | undefined
}

/** A custom resource's codec. Its source may answer another definition at each call. */
export function createCustomCodec(source: () => CodecSource, metadata: StructCodec): ObjectCodec {
  return new CustomCodec(source, metadata)
}

class CustomCodec implements ObjectCodec {
  readonly #source: () => CodecSource
  readonly #metadata: CustomMetadata
  /** Objects as they were stored, that no version's schema has been applied to. */
  readonly #raw = new WeakSet<ApiObject>()
  /** Stored objects that their defaults made large. */
  readonly #grown = new WeakSet<ApiObject>()
  /** The stored text of objects that were just stored: the answer differs in its resourceVersion only. */
  readonly #stored = new WeakMap<ApiObject, ObjectText>()
  readonly stored: CustomStoredReader

  constructor(source: () => CodecSource, metadata: StructCodec) {
    this.#source = source
    this.#metadata = new CustomMetadata(metadata)
    this.stored = new CustomStoredReader(source, metadata.struct)
  }

  kind({ version, kind }: GroupVersionKind): { readonly struct: VersionSchema['struct'] } | undefined {
    const source = this.#source()
    return kind === source.kind ? source.schema(version) : undefined
  }

  convert(object: ApiObject, to: GroupVersion): ApiObject {
    const apiVersion = formatGroupVersion(to)
    const isRaw = this.#raw.has(object)
    if (object.apiVersion === apiVersion && !isRaw) return object
    const source = this.#source()
    const schema = source.schema(to.version)
    if (!schema || to.group !== source.group)
      throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`)
    if (object.apiVersion === apiVersion) return this.#normalized(copyObject(object), schema)
    if (source.convert) return this.#normalized(copyObject(source.convert(object, to)), schema)
    if (source.sharedSchema && !isRaw) return { ...object, apiVersion }
    return this.#normalized({ ...copyObject(object), apiVersion }, schema)
  }

  isGrown(object: ApiObject): boolean {
    return this.#grown.has(object)
  }

  prepare(
    objects: Iterable<{ object(): ApiObject; readonly stored?: Uint8Array }>,
    to: GroupVersion,
  ): Promise<void> | undefined {
    const source = this.#source()
    if (!source.prepare) return undefined
    const apiVersion = formatGroupVersion(to)
    const others: ApiObject[] = []
    for (const each of objects) if (!each.stored || apiVersionOf(each.stored) !== apiVersion) others.push(each.object())
    return source.prepare(others, to)
  }

  fieldReader(paths: readonly string[]): (stored: Uint8Array) => ApiObject {
    const wanted = wantedMembers(paths)
    return (stored) => {
      const object = readMembers(stored, wanted) as ApiObject | undefined
      const whole = object ?? this.decodeFromStorage(stored, '')
      whole.metadata ??= {}
      delete whole.metadata.resourceVersion
      return whole
    }
  }

  applyDefaults(object: ApiObject): void {
    this.#schemaOf(object)?.defaults.apply(object)
  }

  prepareDecoding({ version }: GroupVersionKind): Slices<void> | undefined {
    return this.#source().schema(version)?.defaults.measureInSlices()
  }

  decodeObject(body: Uint8Array | JsonTree, options: DecodeOptions): Decoded {
    return runSlices(this.decodeInSlices(body, options))
  }

  decodeInSlices(body: Uint8Array | JsonTree, options: DecodeOptions): Slices<Decoded> {
    return decodeBody(body, options, (version) => this.#source().schema(version), this.#metadata)
  }

  encodeObject(
    object: ApiObject,
    { mediaType, pretty = false }: { mediaType: MediaType; pretty?: boolean },
  ): Uint8Array {
    return encodeBody(object, mediaType, pretty)
  }

  encodeForStorage(object: ApiObject): Uint8Array {
    const converted = this.#toStorage(object)
    if (this.#source().storesCbor) return encodeUntypedCbor(withoutVersion(converted))
    return this.#storedBytes(object, converted, objectText(converted))
  }

  encodeForStorageInSlices(object: ApiObject): Slices<Uint8Array> {
    return this.#encodeInSlices(object, this.#toStorage(object))
  }

  *#encodeInSlices(object: ApiObject, converted: ApiObject): Slices<Uint8Array> {
    if (this.#source().storesCbor) return yield* encodeUntypedCborInSlices(withoutVersion(converted))
    return this.#storedBytes(object, converted, yield* objectTextInSlices(converted))
  }

  #storedBytes(object: ApiObject, converted: ApiObject, text: ObjectText): Uint8Array {
    if (converted === object) this.#stored.set(object, text)
    return Buffer.from(`${joinText(text, undefined)}\n`, 'utf8')
  }

  /** The object in the version that is stored. */
  #toStorage(object: ApiObject): ApiObject {
    const { group, storageVersion, sharedSchema, schema } = this.#source()
    const to = { group, version: storageVersion }
    let converted = object
    if (object.apiVersion !== formatGroupVersion(to)) {
      converted = this.#source().convert?.(object, to) ?? { ...object, apiVersion: formatGroupVersion(to) }
      // Fields that the stored version does not know are dropped; its defaults are filled in when it is read.
      if (!sharedSchema) {
        converted = copyObject(converted)
        const stored = schema(storageVersion)
        if (stored) prune(stored.root, converted, undefined)
      }
    }
    return converted
  }

  decodeFromStorage(stored: Uint8Array, resourceVersion: string): ApiObject {
    const parsed = this.#fromStored(stored)
    this.#metadata.coerceStored(parsed.object)
    return this.#finishStored(parsed, resourceVersion)
  }

  *decodeFromStorageInSlices(stored: Uint8Array, resourceVersion: string): Slices<ApiObject> {
    const parsed = this.#fromStored(stored)
    yield
    this.#metadata.coerceStored(parsed.object)
    yield
    return this.#finishStored(parsed, resourceVersion)
  }

  #fromStored(stored: Uint8Array): { readonly object: ApiObject; readonly schema: VersionSchema } {
    const source = this.#source()
    const value = parseStored(stored)
    if (!isRecord(value)) throw new Error('stored is no object')
    const object = value as unknown as ApiObject
    const groupVersion = typeof object.apiVersion === 'string' ? parseGroupVersion(object.apiVersion) : undefined
    if (groupVersion?.group !== source.group)
      throw new Error(`request to convert CR from an invalid group/version: ${String(object.apiVersion)}`)
    if (object.kind !== source.kind) throw new Error(`stored is a ${String(object.kind)}, no ${source.kind}`)
    const schema = source.schema(groupVersion.version)
    if (!schema) throw new Error(`request to convert CR from an invalid group/version: ${object.apiVersion}`)
    return { object, schema }
  }

  #finishStored(
    { object, schema }: { readonly object: ApiObject; readonly schema: VersionSchema },
    resourceVersion: string,
  ): ApiObject {
    object.metadata.resourceVersion = resourceVersion
    if (!object.metadata.generation) object.metadata.generation = 1
    if (this.#source().sharedSchema) return this.#normalized(object, schema)
    this.#raw.add(object)
    return object
  }

  encodeItem(object: ApiObject, mediaType: MediaType): Uint8Array {
    return this.#storedItem(object, mediaType) ?? encodeCustomItem(object, mediaType)
  }

  *encodeItemInSlices(object: ApiObject, mediaType: MediaType): Slices<Uint8Array> {
    return this.#storedItem(object, mediaType) ?? (yield* encodeCustomItemInSlices(object, mediaType))
  }

  /** The item of an object that was just stored. */
  #storedItem(object: ApiObject, mediaType: MediaType): Uint8Array | undefined {
    if (mediaType !== 'application/json') return undefined
    const known = this.#stored.get(object)
    if (known === undefined) return undefined
    this.#stored.delete(object)
    return Buffer.from(joinText(known, object.metadata.resourceVersion), 'utf8')
  }

  encodeFromItem(_gvk: GroupVersionKind, item: Uint8Array, mediaType: MediaType): Uint8Array {
    return bodyOfItem(item, mediaType)
  }

  encodeFromItemInSlices(_gvk: GroupVersionKind, item: Uint8Array, mediaType: MediaType): Slices<Uint8Array> {
    return bodyOfItemInSlices(item, mediaType)
  }

  encodeWithin(_gvk: GroupVersionKind, item: Uint8Array): Uint8Array {
    return item
  }

  watchFramer(_gvk: GroupVersionKind, mediaType: MediaType): WatchFramer {
    return createCustomFramer(mediaType)
  }

  #schemaOf({ apiVersion }: ApiObject): VersionSchema | undefined {
    return this.#source().schema(parseGroupVersion(apiVersion)?.version ?? '')
  }

  /** Brings an object, in place, to what its version's schema says; it is not judged. */
  #normalized(object: ApiObject, { root, defaults }: VersionSchema): ApiObject {
    prune(root, object, undefined)
    dropNulls(root, object)
    if (root.below.embedded) coerceEmbedded(root, object, (holder) => this.#metadata.coerceStored(holder))
    if (defaults.apply(object)) this.#grown.add(object)
    return object
  }
}

/** The stored form has no resourceVersion. */
function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
