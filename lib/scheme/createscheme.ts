import { isRecord, systemRandom } from '../base/index.ts'
import {
  createStructCodecs,
  decodeMessage,
  decodeBody as decodeParsed,
  decodeValue,
  hasEnvelope,
  jsonFrames,
  MessageWriter,
  parseBody,
  parseStored,
  readEnvelope,
  type StructCodec,
  storedEnvelope,
} from '../codec/index.ts'
import {
  type ApiObject,
  formatGroupResource,
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  parseGroupVersion,
  statusErrors,
} from '../object/index.ts'
import { narrowedTo } from '../schema/index.ts'
import { cannotBeHandled, decodeBody, decodeOptions } from './body.ts'
import { type Converter, createConverter, groupVersionKindOf } from './convert.ts'
import { DefaultsProof } from './defaultsproof.ts'
import { createFormats, type FormatEncoder } from './formats.ts'
import { applyMirror, isMirrored, type MirroredField, mirrorReads } from './mirrors.ts'
import type { CodecCapabilities } from './objectcodec.ts'
import { isSameShape } from './sameshape.ts'
import type { Decoded, DecodeOptions, JsonTree, KindHooks, MediaType, Scheme, SchemeOptions } from './scheme.ts'
import { createStoredReader, type StoredReader } from './storedreader.ts'
import { createTypeRegistry, type TypeRegistry } from './typeregistry.ts'

/** Registers tables; types are compiled at their first use. */
export function createScheme(options: SchemeOptions): Scheme {
  const registry = createTypeRegistry(options.tables, options.order)
  const hooks = options.kinds ?? ((): undefined => undefined)
  const converter = createConverter(registry, hooks)
  const coder = new Coder(registry, converter, hooks, options)
  const hubOf = (resource: GroupResource): GroupVersionKind => {
    const hub = registry.hub(resource)
    if (!hub) throw new Error(`${formatGroupResource(resource)} is not registered`)
    return hub.gvk
  }
  const scheme: Scheme = {
    ...registry,
    codec: (resource) => ({
      ...scheme,
      capabilities: tableCapabilities,
      decodeFromStorage: (stored, resourceVersion) => scheme.decodeFromStorage(stored, resource, resourceVersion),
      fieldReader: (paths) => coder.fieldReader(resource, paths),
      get stored() {
        return coder.storedReader(resource)
      },
    }),
    convert: converter.convert,
    applyDefaults: (object) => coder.applyDefaults(object, groupVersionKindOf(object)),
    decodeObject: (body, decoding) => coder.decode(body, decoding),
    decodeOptions: (body, { mediaType, kind }) => {
      const expected = { group: '', version: 'v1', kind }
      return decodeOptions(body, { mediaType, expected, codec: coder.codec(expected) })
    },
    encodeObject: (object, { mediaType, pretty = false }) =>
      coder.format(mediaType).object(object, coder.codec(groupVersionKindOf(object)), pretty),
    encodeForStorage: (object) => coder.encodeForStorage(object),
    decodeFromStorage: (stored, resource, version) => coder.decodeFromStorage(stored, hubOf(resource), version),
    encodeItem: (object, mediaType) => coder.format(mediaType).item(object, coder.codec(groupVersionKindOf(object))),
    encodeFromItem: (gvk, item, mediaType) =>
      coder.format(mediaType).frameObject(formatGroupVersion(gvk), gvk.kind, item, true),
    encodeWithin: (gvk, item, mediaType) =>
      coder.format(mediaType).frameObject(formatGroupVersion(gvk), gvk.kind, item),
    encodeListFromItems: (listKind, metadata, items, mediaType) => {
      const format = coder.format(mediaType)
      const encoded = format.item(metadata as unknown as ApiObject, coder.listMetaCodec())
      return format.frameList(formatGroupVersion(listKind), listKind.kind, encoded, items)
    },
    jsonListFrame: (listKind, metadata) => {
      const encoded = coder.format('application/json').item(metadata as unknown as ApiObject, coder.listMetaCodec())
      return jsonFrames.listFrame(formatGroupVersion(listKind), listKind.kind, encoded)
    },
    watchFramer: (gvk, mediaType) => {
      const { watchFramer } = coder.format(mediaType)
      if (watchFramer === undefined) throw new Error(`watches do not speak ${mediaType}`)
      return watchFramer(formatGroupVersion(gvk), gvk.kind)
    },
  }
  return scheme
}

const tableCapabilities: CodecCapabilities = {
  mediaTypes: ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor'],
  strategicMerge: true,
  convertsOnRead: false,
}

const openBrace = 0x7b
const noMirrors: readonly MirroredField[] = []

type FieldReader = (stored: Uint8Array) => ApiObject

class Coder {
  readonly #registry: TypeRegistry
  readonly #converter: Converter
  readonly #hooks: (group: string, kind: string) => KindHooks | undefined
  readonly #codecOf = createStructCodecs()
  readonly #formats = createFormats()
  readonly #gate: (name: string) => boolean
  readonly #storageFormat: FormatEncoder
  readonly #storageVersions: Readonly<Record<string, string>>
  readonly #readers = new Map<string, StoredReader | undefined>()

  constructor(
    registry: TypeRegistry,
    converter: Converter,
    hooks: (group: string, kind: string) => KindHooks | undefined,
    { gate, storageMediaType, storageVersions }: SchemeOptions,
  ) {
    this.#registry = registry
    this.#converter = converter
    this.#hooks = hooks
    this.#gate = gate ?? (() => false)
    this.#storageVersions = storageVersions ?? {}
    this.#storageFormat = this.format(storageMediaType ?? 'application/vnd.kubernetes.protobuf')
  }

  format(mediaType: MediaType): FormatEncoder {
    return this.#formats[mediaType]
  }

  /** Throws for a kind that is not registered: objects within the server are. */
  codec(gvk: GroupVersionKind): StructCodec {
    const codec = this.#known(gvk)
    if (!codec) throw new Error(`${formatGroupVersion(gvk)} ${gvk.kind} is not registered`)
    return codec
  }

  listMetaCodec(): StructCodec {
    return this.#codecOf(this.#registry.types.struct('meta/v1.ListMeta'))
  }

  #known(gvk: GroupVersionKind): StructCodec | undefined {
    const entry = this.#registry.kind(gvk)
    return entry && this.#codecOf(entry.struct)
  }

  applyDefaults(object: ApiObject, gvk: GroupVersionKind): void {
    this.#defaultsOf(gvk)?.(object, { gate: this.#gate })
    for (const mirror of this.#mirrorsOf(gvk)) applyMirror(object, mirror)
  }

  #mirrorsOf(gvk: GroupVersionKind): readonly MirroredField[] {
    return this.#hooks(this.#converter.hubOf(gvk).group, gvk.kind)?.mirrors ?? noMirrors
  }

  #defaultsOf(gvk: GroupVersionKind): NonNullable<KindHooks['defaults']>[string] | undefined {
    const { group } = this.#converter.hubOf(gvk)
    const own = gvk.group === group ? gvk.version : formatGroupVersion(gvk)
    return this.#hooks(group, gvk.kind)?.defaults?.[own]
  }

  decode(
    body: Uint8Array | JsonTree,
    { mediaType, expected, fieldValidation = 'Ignore', defaults = true, needsTypeMeta = false }: DecodeOptions,
  ): Decoded {
    const decoded = decodeBody(body, {
      mediaType,
      expected,
      fieldValidation,
      needsTypeMeta,
      codecOf: (gvk) => this.#known(gvk),
    })
    const { gvk, strictErrors } = decoded
    const same = gvk.kind === expected.kind && gvk.version === expected.version && gvk.group === expected.group
    if (!same && !this.#isVersionOf(gvk, expected))
      throw cannotBeHandled(gvk, expected, unknownConversion(gvk, expected))
    if (fieldValidation === 'Strict' && strictErrors.length > 0)
      throw cannotBeHandled(gvk, expected, new Error(`strict decoding error: ${strictErrors.join(', ')}`))
    if (!same && !this.#isShared(gvk, expected))
      throw statusErrors.badRequest(
        `the API version in the data (${formatGroupVersion(gvk)}) does not match the expected API version (${formatGroupVersion(expected)})`,
      )
    const object = typed(decoded.object, gvk)
    if (defaults) this.applyDefaults(object, gvk)
    return { object, strictErrors }
  }

  #isVersionOf(gvk: GroupVersionKind, expected: GroupVersionKind): boolean {
    if (gvk.kind !== expected.kind) return false
    if (this.#isShared(gvk, expected)) return true
    const [own, wanted] = [this.#converter.hubOf(gvk), this.#converter.hubOf(expected)]
    return own.group === wanted.group
  }

  /** Options have the same form in every group version, and are accepted in any. */
  #isShared(gvk: GroupVersionKind, expected: GroupVersionKind): boolean {
    if (this.#registry.formerResourceOfKind(gvk)) return false
    const struct = this.#registry.kind(gvk)?.struct
    return struct !== undefined && gvk.kind === expected.kind && struct === this.#registry.kind(expected)?.struct
  }

  encodeForStorage(object: ApiObject): Uint8Array {
    const gvk = groupVersionKindOf(object)
    const stored = this.#storedGvk(gvk)
    const converted = this.#converter.convert(object, stored)
    const { resourceVersion: _, ...metadata } = converted.metadata
    const codec = this.codec(stored)
    const stripped = { ...converted, metadata }
    return this.#storageFormat.object(stripped, codec, false)
  }

  /** Undefined when objects are not stored as messages, or in another form than the hub version's. */
  storedReader(resource: GroupResource): StoredReader | undefined {
    const name = formatGroupResource(resource)
    if (!this.#readers.has(name)) this.#readers.set(name, this.#createReader(resource))
    return this.#readers.get(name)
  }

  /** Created at its first call: most kinds have no objects, and their types are not compiled. */
  fieldReader(resource: GroupResource, paths: readonly string[]): FieldReader {
    let reader: FieldReader | undefined
    return (stored) => {
      reader ??= this.#createFieldReader(resource, paths)
      return reader(stored)
    }
  }

  #createFieldReader(resource: GroupResource, paths: readonly string[]): FieldReader {
    const hub = this.#registry.hub(resource)
    if (!hub) throw new Error(`${formatGroupResource(resource)} is not registered`)
    const whole: FieldReader = (stored) => this.decodeFromStorage(stored, hub.gvk, '')
    const gvk = this.#storedGvk(hub.gvk)
    const codec = this.#known(gvk)
    if (!codec || codec.struct.message.length === 0 || !this.#isAlike(gvk, codec, hub.gvk)) return whole
    const envelope = storedEnvelope(formatGroupVersion(gvk), gvk.kind)
    const narrow = this.#codecOf(narrowedTo(codec.struct, paths))
    return (stored) => {
      const message = envelope.messageOf(stored)
      return message ? (decodeMessage(message, narrow) as unknown as ApiObject) : whole(stored)
    }
  }

  #createReader(resource: GroupResource): StoredReader | undefined {
    const hub = this.#registry.hub(resource)
    if (!hub?.storage || this.#storageFormat !== this.#formats['application/vnd.kubernetes.protobuf']) return undefined
    const gvk = this.#storedGvk(hub.gvk)
    const codec = this.#known(gvk)
    if (!codec || codec.struct.message.length === 0 || !this.#isAlike(gvk, codec, hub.gvk)) return undefined
    const writer = new MessageWriter()
    const applyDefaults = this.#defaultsOf(gvk)
    const proof =
      applyDefaults &&
      new DefaultsProof({
        random: systemRandom,
        codec,
        codecs: this.#codecOf,
        applyDefaults: (object) => applyDefaults(object as ApiObject, { gate: this.#gate }),
        decode: (message) => typed(decodeMessage(message, codec), gvk),
        encode: (object) => writer.message(object, codec),
        isMirrored: this.#mirrorCheck(gvk, codec),
      })
    return createStoredReader({
      gvk,
      codec,
      metadataCodec: this.#codecOf(this.#registry.types.struct('meta/v1.PartialObjectMetadata')),
      proof,
      encodeAnew: (stored) => this.encodeForStorage(this.decodeFromStorage(stored, hub.gvk, '')),
      isSameShape: (served) => this.#isAlike(gvk, codec, served),
    })
  }

  /** Undefined: the kind has no mirrored fields. */
  #mirrorCheck(gvk: GroupVersionKind, { struct }: StructCodec): ((message: Uint8Array) => boolean) | undefined {
    const mirrors = this.#mirrorsOf(gvk)
    if (mirrors.length === 0) return undefined
    const narrow = this.#codecOf(narrowedTo(struct, mirrors.flatMap(mirrorReads)))
    return (message) => {
      const read = decodeMessage(message, narrow)
      return mirrors.every((mirror) => isMirrored(read, mirror))
    }
  }

  /** Whether an object is the same in both versions, except for its apiVersion. */
  #isAlike(gvk: GroupVersionKind, codec: StructCodec, other: GroupVersionKind): boolean {
    const struct = this.#known(other)?.struct
    if (!struct || !this.#converter.isPlain(gvk) || !this.#converter.isPlain(other)) return false
    return isSameShape(codec.struct, struct)
  }

  #storedGvk({ group, version, kind }: GroupVersionKind): GroupVersionKind {
    const resource = this.#registry.resourceOfKind({ group, version, kind })
    const storedGroup = resource?.table.storageGroup ?? group
    const storedVersion = this.#chosenVersion(storedGroup, kind) ?? resource?.storage?.version ?? version
    return { group: storedGroup, version: storedVersion, kind }
  }

  #chosenVersion(group: string, kind: string): string | undefined {
    const version = this.#storageVersions[group]
    return version !== undefined && this.#registry.resourceOfKind({ group, version, kind }) ? version : undefined
  }

  decodeFromStorage(stored: Uint8Array, hub: GroupVersionKind, resourceVersion: string): ApiObject {
    const object = this.#read(stored)
    const gvk = groupVersionKindOf(object)
    if (gvk.kind !== hub.kind) throw new Error(`stored is a ${gvk.kind}, no ${hub.kind}`)
    const isFormer = this.#registry.formerResourceOfKind(gvk) !== undefined
    if (!isFormer) this.applyDefaults(object, gvk)
    const converted = this.#converter.convert(object, hub)
    // A version that is not served has no defaults of its own.
    if (isFormer) this.applyDefaults(converted, hub)
    converted.metadata.resourceVersion = resourceVersion
    return converted
  }

  #read(stored: Uint8Array): ApiObject {
    if (!hasEnvelope(stored)) {
      const parsed = stored[0] === openBrace ? parseBody(stored) : undefined
      const value = parsed ? parsed.value : parseStored(stored)
      if (!isRecord(value)) throw new Error('stored is no object')
      const gvk = storedKind(value['apiVersion'], value['kind'])
      const codec = this.codec(gvk)
      const { object } = parsed ? decodeParsed(parsed, codec) : decodeValue(value, codec)
      return typed(object, gvk)
    }
    const { apiVersion, kind, raw } = readEnvelope(stored)
    const gvk = storedKind(apiVersion, kind)
    return typed(decodeMessage(raw, this.codec(gvk)), gvk)
  }
}

function storedKind(apiVersion: unknown, kind: unknown): GroupVersionKind {
  const groupVersion = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined
  if (!groupVersion || typeof kind !== 'string')
    throw new Error(`stored has the apiVersion ${JSON.stringify(apiVersion)} and the kind ${JSON.stringify(kind)}`)
  return { ...groupVersion, kind }
}

/** Adds kind and apiVersion to a decoded struct. */
function typed(decoded: Record<string, unknown>, gvk: GroupVersionKind): ApiObject {
  if (decoded['kind'] === gvk.kind && decoded['apiVersion'] !== undefined) return decoded as ApiObject
  const typeMeta = { kind: gvk.kind, apiVersion: formatGroupVersion(gvk) }
  // Spread twice: the first gives the order, the last replaces empty values of the body.
  return { ...typeMeta, ...decoded, ...typeMeta } as unknown as ApiObject
}

function unknownConversion(gvk: GroupVersionKind, expected: GroupVersionKind): Error {
  return new Error(
    `converting (${gvk.version}.${gvk.kind}) to (${internalPackage(expected.group)}.${expected.kind}): unknown conversion`,
  )
}

/** Name of the Go package with a group's internal types. */
function internalPackage(group: string): string {
  if (group === '') return 'core'
  if (group === 'internal.apiserver.k8s.io') return 'apiserverinternal'
  return group.split('.')[0] ?? group
}
