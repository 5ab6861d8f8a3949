import { createStructCodecs, type StructCodec } from '../codec/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  type GroupVersionKind,
  type ListMeta,
  statusErrors,
} from '../object/index.ts'
import { cannotBeHandled, decodeKindBody } from './body.ts'
import type { Converter } from './convert.ts'
import { createFormats, type FormatEncoder } from './formats.ts'
import type { Decoded, DecodeOptions, JsonTree, MediaType } from './kindcodec.ts'
import { applyMirror, type MirroredField } from './mirrors.ts'
import type { KindHooks, SchemeOptions } from './scheme.ts'
import type { TypeRegistry } from './typeregistry.ts'
import { withTypeMeta } from './withtypemeta.ts'

const noMirrors: readonly MirroredField[] = []

/** Bodies of objects of registered kinds, and their defaults. */
export class KindCoder {
  readonly codecOf = createStructCodecs()
  readonly gate: (name: string) => boolean
  readonly #registry: TypeRegistry
  readonly #converter: Converter
  readonly #hooks: (group: string, kind: string) => KindHooks | undefined
  readonly #formats = createFormats()

  constructor(registry: TypeRegistry, converter: Converter, { kinds, gate }: SchemeOptions) {
    this.#registry = registry
    this.#converter = converter
    this.#hooks = kinds ?? (() => undefined)
    this.gate = gate ?? (() => false)
  }

  format(mediaType: MediaType): FormatEncoder {
    return this.#formats[mediaType]
  }

  /** Throws for a kind that is not registered: objects within the server are. */
  codec(gvk: GroupVersionKind): StructCodec {
    const codec = this.known(gvk)
    if (!codec) throw new Error(`${formatGroupVersion(gvk)} ${gvk.kind} is not registered`)
    return codec
  }

  encodeListMeta(metadata: ListMeta, mediaType: MediaType): Uint8Array {
    const codec = this.codecOf(this.#registry.types.struct('meta/v1.ListMeta'))
    return this.format(mediaType).item(metadata as ApiObject, codec)
  }

  /** Undefined: it is not registered. */
  known(gvk: GroupVersionKind): StructCodec | undefined {
    const entry = this.#registry.kind(gvk)
    return entry && this.codecOf(entry.struct)
  }

  applyDefaults(object: ApiObject, gvk: GroupVersionKind): void {
    this.defaultsOf(gvk)?.(object, { gate: this.gate })
    for (const mirror of this.mirrorsOf(gvk)) applyMirror(object, mirror)
  }

  mirrorsOf(gvk: GroupVersionKind): readonly MirroredField[] {
    return this.#hooks(this.#converter.hubOf(gvk).group, gvk.kind)?.mirrors ?? noMirrors
  }

  defaultsOf(gvk: GroupVersionKind): NonNullable<KindHooks['defaults']>[string] | undefined {
    const { group } = this.#converter.hubOf(gvk)
    const own = gvk.group === group ? gvk.version : formatGroupVersion(gvk)
    return this.#hooks(group, gvk.kind)?.defaults?.[own]
  }

  decode(
    body: Uint8Array | JsonTree,
    { mediaType, expected, fieldValidation = 'Ignore', defaults = true, needsTypeMeta = false }: DecodeOptions,
  ): Decoded {
    const decoded = decodeKindBody(body, {
      mediaType,
      expected,
      fieldValidation,
      needsTypeMeta,
      codecOf: (gvk) => this.known(gvk),
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
    const object = withTypeMeta(decoded.object, gvk)
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
