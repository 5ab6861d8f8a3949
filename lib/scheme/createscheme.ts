import { isRecord } from '../base/index.ts'
import {
  createStructCodecs,
  decodeBody as decodeParsed,
  decodeMessage,
  decodeValue,
  hasEnvelope,
  parseBody,
  parseStored,
  readEnvelope,
  type StructCodec,
} from '../codec/index.ts'
import {
  type ApiObject,
  formatGroupResource,
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
  statusErrors,
} from '../object/index.ts'
import { cannotBeHandled, decodeBody, decodeOptions } from './body.ts'
import { type Converter, createConverter, groupVersionKindOf } from './convert.ts'
import { createFormats, type Format } from './formats.ts'
import { createRegistry, type Registry } from './registry.ts'
import type { JsonTree, Decoded, DecodeOptions, KindHooks, MediaType, Scheme, SchemeOptions } from './scheme.ts'

/** Registers tables; nothing is compiled before it is used. */
export function createScheme(options: SchemeOptions): Scheme {
  const registry = createRegistry(options.tables, options.order)
  const hooks = options.kinds ?? ((): undefined => undefined)
  const converter = createConverter(registry, hooks)
  const coder = new Coder(registry, converter, hooks, options)
  const scheme: Scheme = {
    ...registry,
    codec: (resource) => ({
      ...scheme,
      decodeFromStorage: (stored, resourceVersion) => scheme.decodeFromStorage(stored, resource, resourceVersion),
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
    decodeFromStorage: (stored, resource, resourceVersion) => {
      const hub = registry.hub(resource)
      if (!hub) throw new Error(`${formatGroupResource(resource)} is not registered`)
      return coder.decodeFromStorage(stored, hub.gvk, resourceVersion)
    },
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
    watchFramer: (gvk, mediaType) => {
      const { watchFramer } = coder.format(mediaType)
      if (watchFramer === undefined) throw new Error(`watches do not speak ${mediaType}`)
      return watchFramer(formatGroupVersion(gvk), gvk.kind)
    },
  }
  return scheme
}

const openBrace = 0x7b

class Coder {
  readonly #registry: Registry
  readonly #converter: Converter
  readonly #hooks: (group: string, kind: string) => KindHooks | undefined
  readonly #codecOf = createStructCodecs()
  readonly #formats = createFormats()
  readonly #gate: (name: string) => boolean
  readonly #storageFormat: Format
  readonly #storageVersions: Readonly<Record<string, string>>

  constructor(
    registry: Registry,
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

  format(mediaType: MediaType): Format {
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
    const { group } = this.#converter.hubOf(gvk)
    const defaults = this.#hooks(group, gvk.kind)?.defaults
    const own = gvk.group === group ? gvk.version : formatGroupVersion(gvk)
    defaults?.[own]?.(object, { gate: this.#gate })
  }

  decode(
    body: Uint8Array | JsonTree,
    { mediaType, expected, fieldValidation = 'Ignore', defaults = true }: DecodeOptions,
  ): Decoded {
    const decoded = decodeBody(body, { mediaType, expected, fieldValidation, codecOf: (gvk) => this.#known(gvk) })
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

  /** Options have the same shape in every group version, and are taken from any. */
  #isShared(gvk: GroupVersionKind, expected: GroupVersionKind): boolean {
    const struct = this.#registry.kind(gvk)?.struct
    return struct !== undefined && gvk.kind === expected.kind && struct === this.#registry.kind(expected)?.struct
  }

  encodeForStorage(object: ApiObject): Uint8Array {
    const gvk = groupVersionKindOf(object)
    const resource = this.#registry.resourceOfKind(gvk)
    const group = resource?.table.storageGroup ?? gvk.group
    const version = this.#chosenVersion(group, gvk.kind) ?? resource?.storage?.version ?? gvk.version
    const converted = this.#converter.convert(object, { group, version })
    const { resourceVersion: _, ...metadata } = converted.metadata
    const codec = this.codec({ group, version, kind: gvk.kind })
    return this.#storageFormat.object({ ...converted, metadata }, codec, false)
  }

  #chosenVersion(group: string, kind: string): string | undefined {
    const version = this.#storageVersions[group]
    return version !== undefined && this.#registry.resourceOfKind({ group, version, kind }) ? version : undefined
  }

  decodeFromStorage(stored: Uint8Array, hub: GroupVersionKind, resourceVersion: string): ApiObject {
    const object = this.#read(stored)
    const gvk = groupVersionKindOf(object)
    if (gvk.kind !== hub.kind) throw new Error(`stored is a ${gvk.kind}, no ${hub.kind}`)
    this.applyDefaults(object, gvk)
    const converted = this.#converter.convert(object, hub)
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

/** A decoded struct of a kind, with its kind and apiVersion in their places. */
function typed(decoded: Record<string, unknown>, gvk: GroupVersionKind): ApiObject {
  if (decoded['kind'] === gvk.kind && decoded['apiVersion'] !== undefined) return decoded as ApiObject
  const typeMeta = { kind: gvk.kind, apiVersion: formatGroupVersion(gvk) }
  // Said twice: the first gives the order, the last wins over what is empty in the body.
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
