import { isRecord } from '../base/index.ts'
import { encodeUntypedCbor, parseStored, readMembers, type StructCodec, wantedMembers } from '../codec/index.ts'
import {
  type ApiObject,
  copyObject,
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
  toResourceVersion,
} from '../object/index.ts'
import type {
  CodecCapabilities,
  Decoded,
  DecodeOptions,
  HeldConversions,
  JsonTree,
  MediaType,
  ObjectCodec,
  StoredObject,
  WatchFramer,
} from '../scheme/index.ts'
import { coerce } from './coerce.ts'
import { type Subject, subjectOfContent, subjectOfStored } from './conversion/subject.ts'
import type { WebhookConversion } from './conversion/webhook.ts'
import { CustomMetadata } from './custommetadata.ts'
import { decodeCustomBody } from './decodecustombody.ts'
import { bodyOfItem, createCustomFramer, encodeBody, encodeCustomItem } from './encode.ts'
import { joinText, type ObjectText, objectText } from './objecttext.ts'
import type { VersionSchema } from './schema/versionschema.ts'
import { apiVersionOf, CustomStoredReader } from './storedreader.ts'

/** The parts of a definition's current state that a codec works with. */
export interface CodecSource {
  readonly group: string
  readonly kind: string
  readonly storageVersion: string
  /** All versions share one schema: an object that is valid in one version is valid in the others. */
  readonly sharedSchema: boolean
  /** Objects are stored as CBOR. Objects stored as JSON are read as well. */
  readonly storesCbor: boolean
  /** Names of the versions that are served. */
  readonly servedVersions: readonly string[]
  /** Names of the versions whose defaults make any object a large one. */
  readonly largeDefaults: readonly string[]
  /** Undefined: the definition has no such version. */
  schema(version: string): VersionSchema | undefined
  readonly namespaced: boolean
  /** Converts where more than the apiVersion differs. Absent: only the apiVersion does. */
  readonly conversion?: WebhookConversion
}

/** A custom resource's codec. Its source may answer another definition at each call. */
export function createCustomCodec(source: () => CodecSource, metadata: StructCodec): ObjectCodec {
  return new CustomCodec(source, metadata)
}

/** Omits protobuf, which needs field numbers; CBOR is served where objects are stored as CBOR. */
function mediaTypesOf({ storesCbor }: CodecSource): readonly MediaType[] {
  return ['application/json', 'application/yaml', ...(storesCbor ? (['application/cbor'] as const) : [])]
}

class CustomCodec implements ObjectCodec {
  readonly #source: () => CodecSource
  readonly #metadata: CustomMetadata
  /** Objects as stored: their keys and revisions identify them. */
  readonly #unchanged = new WeakSet<ApiObject>()
  /** The stored-version form of objects that were just encoded. */
  readonly #storedForms = new WeakMap<ApiObject, ApiObject>()
  /** Stored objects that became large by their defaults. */
  readonly #grown = new WeakSet<ApiObject>()
  /** The stored text of objects that were just stored: the answer differs only in its resourceVersion. */
  readonly #stored = new WeakMap<ApiObject, ObjectText>()
  readonly stored: CustomStoredReader
  readonly capabilities: CodecCapabilities

  constructor(source: () => CodecSource, metadata: StructCodec) {
    this.#source = source
    this.capabilities = { mediaTypes: mediaTypesOf(source()), strategicMerge: false, convertsOnRead: true }
    this.#metadata = new CustomMetadata(metadata)
    this.stored = new CustomStoredReader(source, metadata.struct)
  }

  kind({ group, version, kind }: GroupVersionKind): { readonly struct: VersionSchema['struct'] } | undefined {
    const source = this.#source()
    return kind === source.kind && group === source.group ? source.schema(version) : undefined
  }

  convert(object: ApiObject, to: GroupVersion): ApiObject {
    const apiVersion = formatGroupVersion(to)
    if (object.apiVersion === apiVersion) return object
    const source = this.#source()
    const schema = source.schema(to.version)
    if (!schema || to.group !== source.group)
      throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`)
    if (source.conversion) return source.conversion.convert(object, to, this.#subjectOf(object))
    if (source.sharedSchema) return { ...object, apiVersion }
    return this.#coerced({ ...copyObject(object), apiVersion }, schema)
  }

  #subjectOf(object: ApiObject): Subject {
    if (!this.#unchanged.has(object)) return subjectOfContent(object)
    const { namespace = '', name = '', resourceVersion = '' } = object.metadata
    const place = this.#source().namespaced ? `${namespace}/${name}` : name
    return subjectOfStored(`${place}@${resourceVersion}`, () => object, 0)
  }

  #subjectOfEntry(entry: StoredObject): Subject {
    const text = (): Uint8Array | undefined => this.#textOf(entry)
    return subjectOfStored(this.#keyOf(entry), () => entry.object(), entry.stored.length, text)
  }

  /** The text of a canonical object, which needs no decoding. */
  #textOf({ stored, revision, canonical }: StoredObject): Uint8Array | undefined {
    const version = parseGroupVersion(canonical ? (apiVersionOf(stored) ?? '') : '')
    const encoder = version && this.stored.item({ ...version, kind: this.#source().kind }, 'application/json')
    return encoder?.encode(stored, toResourceVersion(revision))
  }

  /**
   * The key that #subjectOf gives the entry's object. The last state of a selection has the revision of another state,
   * too.
   */
  #keyOf({ key, revision, storedRevision }: StoredObject): string {
    const nameAt = key.lastIndexOf('/')
    const at = this.#source().namespaced ? key.lastIndexOf('/', nameAt - 1) : nameAt
    const name = `${key.slice(at + 1)}@${toResourceVersion(revision)}`
    return storedRevision === revision ? name : `${name} of ${toResourceVersion(storedRevision)}`
  }

  hasLargeDefaults(version: string): boolean {
    return this.#source().largeDefaults.includes(version)
  }

  isGrown(object: ApiObject): boolean {
    return this.#grown.has(object)
  }

  get convertsElsewhere(): boolean {
    return this.#source().conversion !== undefined
  }

  prepare(entries: readonly StoredObject[], to: GroupVersion): HeldConversions | Promise<HeldConversions> | undefined {
    const { conversion } = this.#source()
    if (!conversion) return undefined
    const subjects: Subject[] = []
    for (const entry of entries) if (this.isConverted(entry, to)) subjects.push(this.#subjectOfEntry(entry))
    return subjects.length > 0 ? conversion.prepare(subjects, to) : undefined
  }

  isConverted(entry: StoredObject, to: GroupVersion): boolean {
    if (!this.#source().conversion) return false
    return (apiVersionOf(entry.stored) ?? entry.object().apiVersion) !== formatGroupVersion(to)
  }

  convertedItem(entry: StoredObject, to: GroupVersion): Uint8Array | undefined {
    const { conversion } = this.#source()
    return conversion && this.isConverted(entry, to) ? conversion.item(this.#keyOf(entry), to) : undefined
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

  decodeObject(body: Uint8Array | JsonTree, options: DecodeOptions): Decoded {
    return decodeCustomBody(body, options, (version) => this.#source().schema(version), this.#metadata)
  }

  encodeObject(
    object: ApiObject,
    { mediaType, pretty = false }: { mediaType: MediaType; pretty?: boolean },
  ): Uint8Array {
    return encodeBody(object, mediaType, pretty)
  }

  encodeForStorage(object: ApiObject): Uint8Array {
    const converted = this.#toStorage(object)
    if (this.#source().storesCbor) return encodeUntypedCbor(withoutVersion(converted), { sorted: true })
    return this.#storedBytes(object, converted, objectText(converted))
  }

  #storedBytes(object: ApiObject, converted: ApiObject, text: ObjectText): Uint8Array {
    if (converted === object) this.#stored.set(object, text)
    return Buffer.from(`${joinText(text, undefined)}\n`, 'utf8')
  }

  /** The object in the storage version. */
  #toStorage(object: ApiObject): ApiObject {
    const { group, storageVersion, sharedSchema, schema, conversion } = this.#source()
    const to = { group, version: storageVersion }
    let converted = object
    if (object.apiVersion !== formatGroupVersion(to)) {
      const stored = schema(storageVersion)
      converted = { ...object, apiVersion: formatGroupVersion(to) }
      if (conversion) converted = conversion.convert(object, to, this.#subjectOf(object))
      // Drops fields that the storage version does not have; readers fill in its defaults.
      else if (!sharedSchema && stored) converted = this.#coerced(copyObject(converted), stored)
      this.#storedForms.set(object, converted)
    }
    return converted
  }

  afterWrite(object: ApiObject, isStored: boolean): ApiObject {
    const { group, storageVersion, sharedSchema, conversion } = this.#source()
    const from = parseGroupVersion(object.apiVersion)
    if (from?.version === storageVersion && isStored && conversion) this.#unchanged.add(object)
    if (!from || from.version === storageVersion || from.group !== group || (sharedSchema && !conversion)) return object
    const form = this.#storedForms.get(object) ?? this.#toStorage(object)
    const { resourceVersion } = object.metadata
    const metadata = { ...form.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
    const stored = copyObject({ ...form, metadata })
    this.applyDefaults(stored)
    if (isStored) this.#unchanged.add(stored)
    return this.convert(stored, from)
  }

  decodeFromStorage(stored: Uint8Array, resourceVersion: string): ApiObject {
    const { object, schema } = this.#fromStored(stored)
    this.#metadata.coerceStored(object)
    object.metadata.resourceVersion = resourceVersion
    if (!object.metadata.generation) object.metadata.generation = 1
    coerce(object, schema.root, this.#metadata)
    if (schema.defaults.apply(object)) this.#grown.add(object)
    if (resourceVersion !== '') this.#unchanged.add(object)
    return object
  }

  #fromStored(stored: Uint8Array): { readonly object: ApiObject; readonly schema: VersionSchema } {
    const source = this.#source()
    const value = parseStored(stored)
    if (!isRecord(value)) throw new Error('stored is no object')
    const object = value as ApiObject
    const groupVersion = typeof object.apiVersion === 'string' ? parseGroupVersion(object.apiVersion) : undefined
    if (groupVersion?.group !== source.group)
      throw new Error(`request to convert CR from an invalid group/version: ${String(object.apiVersion)}`)
    if (object.kind !== source.kind) throw new Error(`stored is a ${String(object.kind)}, no ${source.kind}`)
    const schema = source.schema(groupVersion.version)
    if (!schema) throw new Error(`request to convert CR from an invalid group/version: ${object.apiVersion}`)
    return { object, schema }
  }

  encodeItem(object: ApiObject, mediaType: MediaType): Uint8Array {
    return this.#storedItem(object, mediaType) ?? encodeCustomItem(object, mediaType)
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

  encodeWithin(_gvk: GroupVersionKind, item: Uint8Array): Uint8Array {
    return item
  }

  watchFramer(_gvk: GroupVersionKind, mediaType: MediaType): WatchFramer {
    return createCustomFramer(mediaType)
  }

  #schemaOf({ apiVersion }: ApiObject): VersionSchema | undefined {
    return this.#source().schema(parseGroupVersion(apiVersion)?.version ?? '')
  }

  /** Prunes an object, in place, to what its version's schema has. */
  #coerced(object: ApiObject, { root }: VersionSchema): ApiObject {
    coerce(object, root, this.#metadata)
    return object
  }
}

/** Removes the resourceVersion, which the stored form doesn't have. */
function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
