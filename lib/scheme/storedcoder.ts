import { isRecord, systemRandom } from '../base/index.ts'
import {
  decodeFields,
  decodeMessage,
  decodeParsed,
  decodeValue,
  hasEnvelope,
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
} from '../object/index.ts'
import { narrowedTo } from '../schema/index.ts'
import { type Converter, groupVersionKindOf } from './convert.ts'
import { DefaultsProof } from './defaultsproof.ts'
import type { FormatEncoder } from './formats.ts'
import type { KindCoder } from './kindcoder.ts'
import { mirrorCheck } from './mirrors.ts'
import { isSameShape } from './sameshape.ts'
import type { SchemeOptions } from './scheme.ts'
import { createStoredReader, type StoredReader } from './storedreader.ts'
import type { TypeRegistry } from './typeregistry.ts'
import { withTypeMeta } from './withtypemeta.ts'

type FieldReader = (stored: Uint8Array) => ApiObject

const openBrace = 0x7b

/** Objects of resources as they are stored. */
export class StoredCoder {
  readonly #registry: TypeRegistry
  readonly #converter: Converter
  readonly #kinds: KindCoder
  readonly #storageFormat: FormatEncoder
  readonly #storageVersions: Readonly<Record<string, string>>
  readonly #readers = new Map<string, StoredReader | undefined>()

  constructor(
    registry: TypeRegistry,
    converter: Converter,
    kinds: KindCoder,
    { storageMediaType, storageVersions }: SchemeOptions,
  ) {
    this.#registry = registry
    this.#converter = converter
    this.#kinds = kinds
    this.#storageFormat = kinds.format(storageMediaType ?? 'application/vnd.kubernetes.protobuf')
    this.#storageVersions = storageVersions ?? {}
  }

  encodeForStorage(object: ApiObject): Uint8Array {
    const gvk = groupVersionKindOf(object)
    const stored = this.#storedGvk(gvk)
    const converted = this.#converter.convert(object, stored)
    const { resourceVersion: _, ...metadata } = converted.metadata
    const codec = this.#kinds.codec(stored)
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
    const codec = this.#kinds.known(gvk)
    if (!codec || codec.struct.message.length === 0 || !this.#isAlike(gvk, codec, hub.gvk)) return whole
    const envelope = storedEnvelope(formatGroupVersion(gvk), gvk.kind)
    const narrow = this.#kinds.codecOf(narrowedTo(codec.struct, paths, true))
    return (stored) => {
      const message = envelope.messageOf(stored)
      return message ? (decodeFields(message, narrow) as unknown as ApiObject) : whole(stored)
    }
  }

  #createReader(resource: GroupResource): StoredReader | undefined {
    const hub = this.#registry.hub(resource)
    if (!hub?.storage || this.#storageFormat !== this.#kinds.format('application/vnd.kubernetes.protobuf'))
      return undefined
    const gvk = this.#storedGvk(hub.gvk)
    const codec = this.#kinds.known(gvk)
    if (!codec || codec.struct.message.length === 0 || !this.#isAlike(gvk, codec, hub.gvk)) return undefined
    const writer = new MessageWriter()
    const applyDefaults = this.#kinds.defaultsOf(gvk)
    const proof =
      applyDefaults &&
      new DefaultsProof({
        random: systemRandom,
        codec,
        codecs: this.#kinds.codecOf,
        applyDefaults: (object) => applyDefaults(object as ApiObject, { gate: this.#kinds.gate }),
        decode: (message) => withTypeMeta(decodeMessage(message, codec), gvk),
        encode: (object) => writer.message(object, codec),
        isMirrored: this.#mirrorCheck(gvk, codec),
      })
    return createStoredReader({
      gvk,
      codec,
      metadataCodec: this.#kinds.codecOf(this.#registry.types.struct('meta/v1.PartialObjectMetadata')),
      proof,
      encodeAnew: (stored) => this.encodeForStorage(this.decodeFromStorage(stored, hub.gvk, '')),
      isSameShape: (served) => this.#isAlike(gvk, codec, served),
    })
  }

  /** Undefined: the kind has no mirrored fields. */
  #mirrorCheck(gvk: GroupVersionKind, { struct }: StructCodec): ((message: Uint8Array) => boolean) | undefined {
    const mirrors = this.#kinds.mirrorsOf(gvk)
    if (mirrors.length === 0) return undefined
    const checks = mirrors.map((mirror) => mirrorCheck(struct, mirror))
    return (message) => checks.every((isMirrored) => isMirrored(message))
  }

  /** Whether an object is the same in both versions, except for its apiVersion. */
  #isAlike(gvk: GroupVersionKind, codec: StructCodec, other: GroupVersionKind): boolean {
    const struct = this.#kinds.known(other)?.struct
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
    if (!isFormer) this.#kinds.applyDefaults(object, gvk)
    const converted = this.#converter.convert(object, hub)
    // A version that is not served has no defaults of its own.
    if (isFormer) this.#kinds.applyDefaults(converted, hub)
    converted.metadata.resourceVersion = resourceVersion
    return converted
  }

  #read(stored: Uint8Array): ApiObject {
    if (!hasEnvelope(stored)) {
      const parsed = stored[0] === openBrace ? parseBody(stored) : undefined
      const value = parsed ? parsed.value : parseStored(stored)
      if (!isRecord(value)) throw new Error('stored is no object')
      const gvk = storedKind(value['apiVersion'], value['kind'])
      const codec = this.#kinds.codec(gvk)
      const { object } = parsed ? decodeParsed(parsed, codec) : decodeValue(value, codec)
      return withTypeMeta(object, gvk)
    }
    const { apiVersion, kind, raw } = readEnvelope(stored)
    const gvk = storedKind(apiVersion, kind)
    return withTypeMeta(decodeMessage(raw, this.#kinds.codec(gvk)), gvk)
  }
}

function storedKind(apiVersion: unknown, kind: unknown): GroupVersionKind {
  const groupVersion = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined
  if (!groupVersion || typeof kind !== 'string')
    throw new Error(`stored has the apiVersion ${JSON.stringify(apiVersion)} and the kind ${JSON.stringify(kind)}`)
  return { ...groupVersion, kind }
}
