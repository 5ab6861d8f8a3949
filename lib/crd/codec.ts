import { isRecord, runSlices, type Slices } from '../base/index.ts'
import {
  DecodeError,
  decodeUntyped,
  decodeValue,
  encodeUntyped,
  encodeUntypedCbor,
  encodeYaml,
  encodeYamlInSlices,
  parseStored,
  readMembers,
  type StructCodec,
  strictErrorsMax,
  TooManyValues,
  untypedTextInSlices,
  wantedMembers,
} from '../codec/index.ts'
import {
  type ApiObject,
  copyObject,
  fieldErrors,
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
  type JsonValue,
  type ObjectMeta,
  parseGroupVersion,
  StatusError,
  statusErrors,
} from '../object/index.ts'
import type { Decoded, DecodeOptions, JsonTree, MediaType, ObjectCodec, WatchFramer } from '../scheme/index.ts'
import { checkTypeMeta, parseCustomBody, summarize } from './custombody.ts'
import { joinText, type ObjectText, objectText, objectTextInSlices } from './objecttext.ts'
import { applyDefaults, dropNulls } from './schema/defaults.ts'
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
  readonly #metadata: StructCodec
  /** Objects as they were stored, that no version's schema has been applied to. */
  readonly #raw = new WeakSet<ApiObject>()
  /** The stored text of objects that were just stored: the answer differs in its resourceVersion only. */
  readonly #stored = new WeakMap<ApiObject, ObjectText>()
  readonly stored: CustomStoredReader

  constructor(source: () => CodecSource, metadata: StructCodec) {
    this.#source = source
    this.#metadata = metadata
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
    const schema = this.#schemaOf(object)
    if (schema) applyDefaults(schema.root, object)
  }

  decodeObject(body: Uint8Array | JsonTree, options: DecodeOptions): Decoded {
    return runSlices(this.decodeInSlices(body, options))
  }

  *decodeInSlices(
    body: Uint8Array | JsonTree,
    { mediaType, expected, fieldValidation = 'Ignore', defaults = true }: DecodeOptions,
  ): Slices<Decoded> {
    const strict = fieldValidation !== 'Ignore'
    const { object, duplicates } = yield* this.#parse(body, mediaType, expected, strict)
    yield
    const schema = this.#source().schema(expected.version)
    if (!schema) throw statusErrors.noSuchResource()
    const unknown: string[] = []
    try {
      const report = (path: string): void => void (strict && unknown.push(path))
      for (const path of this.#coerceMetadata(object, strict)) report(path)
      yield
      prune(schema.root, object, strict ? unknown : undefined)
      yield
      dropNulls(schema.root, object)
      yield
      if (schema.root.below.embedded)
        coerceEmbedded(schema.root, object, (holder, path) => {
          for (const each of this.#coerceMetadata(holder, strict)) report(`${path}.${each}`)
        })
      unknown.sort()
    } catch (error) {
      throw cannotBeHandled(expected, error)
    }
    if (defaults) applyDefaults(schema.root, object)
    const strictErrors = [...duplicates, ...unknown.map((path) => `unknown field "${path}"`)]
    if (strictErrors.length > strictErrorsMax) strictErrors.length = strictErrorsMax
    if (fieldValidation === 'Strict' && strictErrors.length > 0)
      throw cannotBeHandled(expected, new Error(`strict decoding error: ${strictErrors.join(', ')}`))
    return { object, strictErrors }
  }

  encodeObject(
    object: ApiObject,
    { mediaType, pretty = false }: { mediaType: MediaType; pretty?: boolean },
  ): Uint8Array {
    switch (mediaType) {
      case 'application/yaml':
        return encodeYaml(copyObject(object) as unknown as JsonValue)
      case 'application/cbor':
        return encodeUntypedCbor(object)
      default: {
        refuseProtobuf(mediaType)
        const json = encodeUntyped(object as unknown as JsonValue, { pretty })
        return pretty ? json : withLine(json)
      }
    }
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
    if (this.#source().storesCbor) return encodeUntypedCbor(withoutVersion(converted))
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
    this.#coerceStoredMetadata(parsed.object)
    return this.#finishStored(parsed, resourceVersion)
  }

  *decodeFromStorageInSlices(stored: Uint8Array, resourceVersion: string): Slices<ApiObject> {
    const parsed = this.#fromStored(stored)
    yield
    this.#coerceStoredMetadata(parsed.object)
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
    if (mediaType === 'application/cbor') return encodeUntypedCbor(object, { item: true })
    refuseProtobuf(mediaType)
    return this.#storedItem(object) ?? encodeUntyped(object as unknown as JsonValue)
  }

  *encodeItemInSlices(object: ApiObject, mediaType: MediaType): Slices<Uint8Array> {
    if (mediaType !== 'application/json') return this.encodeItem(object, mediaType)
    const known = this.#storedItem(object)
    if (known) return known
    return Buffer.from(yield* untypedTextInSlices(object as unknown as JsonValue), 'utf8')
  }

  /** The item of an object that was just stored. */
  #storedItem(object: ApiObject): Uint8Array | undefined {
    const known = this.#stored.get(object)
    if (known === undefined) return undefined
    this.#stored.delete(object)
    return Buffer.from(joinText(known, object.metadata.resourceVersion), 'utf8')
  }

  encodeFromItem(_gvk: GroupVersionKind, item: Uint8Array, mediaType: MediaType): Uint8Array {
    switch (mediaType) {
      case 'application/yaml':
        return encodeYaml(decodeUntyped(item).value)
      case 'application/cbor':
        return Buffer.concat([selfDescribedCbor, item])
      default:
        refuseProtobuf(mediaType)
        return withLine(item)
    }
  }

  *encodeFromItemInSlices(gvk: GroupVersionKind, item: Uint8Array, mediaType: MediaType): Slices<Uint8Array> {
    if (mediaType !== 'application/yaml') return this.encodeFromItem(gvk, item, mediaType)
    const { value } = decodeUntyped(item)
    yield
    return yield* encodeYamlInSlices(value)
  }

  encodeWithin(_gvk: GroupVersionKind, item: Uint8Array): Uint8Array {
    return item
  }

  watchFramer(_gvk: GroupVersionKind, mediaType: MediaType): WatchFramer {
    refuseProtobuf(mediaType)
    const heads = new Map<string, Uint8Array>()
    const isCbor = mediaType === 'application/cbor'
    const headOf = (type: string): Uint8Array => {
      let head = heads.get(type)
      if (!head) heads.set(type, (head = isCbor ? cborHead(type) : Buffer.from(`{"type":"${type}","object":`)))
      return head
    }
    if (isCbor) return (type, item) => [headOf(type), item]
    return Object.assign((type: string, item: Uint8Array) => [headOf(type), item, frameEnd], {
      ofParts: (type: string, item: readonly Uint8Array[]) => [headOf(type), ...item, frameEnd],
    })
  }

  #schemaOf({ apiVersion }: ApiObject): VersionSchema | undefined {
    return this.#source().schema(parseGroupVersion(apiVersion)?.version ?? '')
  }

  /** Brings an object, in place, to what its version's schema says; it is not judged. */
  #normalized(object: ApiObject, { root }: VersionSchema): ApiObject {
    prune(root, object, undefined)
    dropNulls(root, object)
    if (root.below.embedded) coerceEmbedded(root, object, (holder) => this.#coerceStoredMetadata(holder))
    applyDefaults(root, object)
    return object
  }

  *#parse(
    body: Uint8Array | JsonTree,
    mediaType: MediaType,
    expected: GroupVersionKind,
    strict: boolean,
  ): Slices<{ object: ApiObject; duplicates: readonly string[] }> {
    let parsed: { value: JsonValue; duplicates: readonly string[] }
    try {
      parsed = yield* parseCustomBody(body, mediaType, strict)
      checkTypeMeta(parsed.value)
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      if (error instanceof TooManyValues) throw statusErrors.tooLarge(error.message)
      const why = `the object provided is unrecognized (must be of type ${expected.kind}): ${error.message}`
      throw statusErrors.badRequest(`${why} (${summarize(body)})`, error)
    }
    const object = parsed.value as unknown as ApiObject
    if (object.kind !== expected.kind) {
      const { name } = isRecord(object.metadata) ? object.metadata : { name: '' }
      const group = parseGroupVersion(object.apiVersion)?.group ?? ''
      throw statusErrors.invalid({ group, kind: object.kind }, typeof name === 'string' ? name : '', [
        fieldErrors.invalid('kind', object.kind, `must be ${expected.kind}`),
      ])
    }
    if (object.apiVersion !== formatGroupVersion(expected))
      throw statusErrors.badRequest(
        `the API version in the data (${object.apiVersion}) does not match the expected API version (${formatGroupVersion(expected)})`,
      )
    return { object, duplicates: parsed.duplicates }
  }

  /** Metadata as they are typed; answers the paths of fields that metadata do not have. Throws DecodeError. */
  #coerceMetadata(holder: { metadata?: unknown }, strict: boolean): string[] {
    const value = holder.metadata
    if (value === undefined || value === null) {
      holder.metadata = {}
      return []
    }
    const { object, strictErrors } = decodeValue(value as JsonValue, this.#metadata, { strict })
    holder.metadata = object
    return strictErrors.map((text) => text.replace(/^[^"]*"|"$/g, '')).map((path) => `metadata.${path}`)
  }

  /** Fields of stored metadata that do not fit are dropped: there is no client to report them to. */
  #coerceStoredMetadata(holder: { metadata?: unknown }): void {
    const value = isRecord(holder.metadata) ? holder.metadata : {}
    try {
      holder.metadata = decodeValue(value as JsonValue, this.#metadata).object
    } catch {
      const kept: Record<string, unknown> = {}
      for (const [name, field] of Object.entries(value))
        try {
          Object.assign(kept, decodeValue({ [name]: field as JsonValue }, this.#metadata).object)
        } catch {
          // It is dropped.
        }
      holder.metadata = kept as ObjectMeta
    }
  }
}

const frameEnd = Buffer.from('}\n')
const lineEnd = Buffer.from('\n')
const selfDescribedCbor = Uint8Array.of(0xd9, 0xd9, 0xf7)

/** `{type, object}` up to the object itself. */
function cborHead(type: string): Uint8Array {
  const whole = encodeUntypedCbor({ type, object: null })
  return whole.subarray(0, -1)
}

/** The stored form has no resourceVersion. */
function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function withLine(json: Uint8Array): Uint8Array {
  return Buffer.concat([json, lineEnd])
}

function refuseProtobuf(mediaType: MediaType): void {
  if (mediaType === 'application/vnd.kubernetes.protobuf')
    throw statusErrors.notAcceptable('custom resources have no protobuf form')
}

function cannotBeHandled({ kind, version }: GroupVersionKind, cause: unknown): StatusError {
  if (cause instanceof StatusError) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return statusErrors.badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`, cause)
}
