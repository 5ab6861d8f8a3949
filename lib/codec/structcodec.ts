import type { Field, StructType } from '../schema/index.ts'
import { CheckTable } from './protobuf/check.ts'
import { compileMessageDecoder, type MessageDecoder } from './protobuf/decode.ts'
import { compileMessageEncoder, type MessageEncoder } from './protobuf/encode.ts'
import type { ProtobufReader } from './protobuf/protobufreader.ts'
import { RecentParts } from './protobuf/recentparts.ts'
import { RecentStrings } from './protobuf/recentstrings.ts'
import { compileTranscoder, type MessageTranscoder } from './protobuf/transcode.ts'
import { type Canonical, compileCanonical } from './typed/canonical.ts'
import { compileDecoder, type TypedDecoder } from './typed/decode.ts'

/** The functions of one struct, each compiled on its first call. */
export class StructCodec {
  readonly struct: StructType
  readonly #shared: SharedParts | undefined
  decode: TypedDecoder
  canonical: Canonical
  readMessage: MessageDecoder
  writeMessage: MessageEncoder
  readonly checkTable: CheckTable
  transcode: MessageTranscoder

  constructor(
    struct: StructType,
    codecOf: (struct: StructType) => StructCodec,
    fieldIdOf: (struct: StructType, name: string) => number,
    shared?: SharedParts,
  ) {
    this.struct = struct
    this.#shared = shared
    this.decode = (value, context) => {
      this.decode = compileDecoder(struct, codecOf)
      return this.decode(value, context)
    }
    this.canonical = (value, context) => {
      this.canonical = compileCanonical(struct, codecOf)
      return this.canonical(value, context)
    }
    this.readMessage = (reader) => {
      this.readMessage = compileMessageDecoder(struct, codecOf)
      return this.readMessage(reader)
    }
    this.writeMessage = (value, writer) => {
      this.writeMessage = compileMessageEncoder(struct, codecOf)
      this.writeMessage(value, writer)
    }
    this.checkTable = new CheckTable(
      struct,
      (nested) => codecOf(nested).checkTable,
      ({ name }) => fieldIdOf(struct, name),
    )
    this.transcode = (...from) => {
      this.transcode = compileTranscoder(struct, codecOf, (field) => fieldIdOf(struct, field.name))
      return this.transcode(...from)
    }
  }

  /** Strings that the messages of all codecs of one set share. */
  get strings(): RecentStrings | undefined {
    return this.#shared?.strings
  }

  readNested(reader: ProtobufReader): Record<string, unknown> {
    const outer = reader.enter()
    const value = this.#shared ? this.#sharedPart(reader, this.#shared) : this.readMessage(reader)
    reader.leave(outer)
    return value
  }

  #sharedPart(reader: ProtobufReader, { parts, site }: SharedParts): Record<string, unknown> {
    const { whole: bytes, pos, end } = reader
    if (!parts.wants(site, end - pos)) return this.readMessage(reader)
    const known = parts.find(site, bytes, pos, end)
    if (known !== undefined) {
      reader.pos = end
      return known
    }
    const value = this.readMessage(reader)
    parts.keep(site, bytes, pos, end, value)
    return value
  }

  readNestedUnlessEmpty(reader: ProtobufReader): Record<string, unknown> | undefined {
    const outer = reader.enter()
    const value = reader.hasAnyOf(this.struct.message) ? this.readMessage(reader) : undefined
    reader.leave(outer)
    return value
  }
}

/** Decoded parts of recent messages. A site is the number of a struct. */
interface SharedParts {
  readonly parts: RecentParts<Record<string, unknown>>
  readonly strings: RecentStrings
  readonly site: number
}

/** Parts of messages that are shared: from a toleration on, at most a thousand of them. */
const sharedParts = { bytesMin: 24, bytesMax: 2048, sets: 256 } as const

/** The structs' codecs, made on demand. */
export interface StructCodecs {
  (struct: StructType): StructCodec
  /** A number for every field of every struct, from 0 on, in the order of first use. */
  fieldId(struct: StructType, name: string): number
}

interface StructCodecOptions {
  /** True for fields that are neither read nor written. */
  leftOut?(struct: StructType, field: Field): boolean
  /**
   * Whether decoded messages may share parts whose bytes are equal, such as the tolerations of a Deployment's pods: less to
   * decode, and less to keep. For readers that don't change what they get. Default false.
   */
  readonly sharesParts?: boolean
}

export function createStructCodecs({ leftOut, sharesParts = false }: StructCodecOptions = {}): StructCodecs {
  const recent = sharesParts
    ? { parts: new RecentParts<Record<string, unknown>>(sharedParts), strings: new RecentStrings() }
    : undefined
  const codecs = new Map<StructType, StructCodec>()
  const ids = new Map<StructType, Map<string, number>>()
  let idCount = 0
  const fieldId = (struct: StructType, name: string): number => {
    let known = ids.get(struct)
    if (!known) ids.set(struct, (known = new Map()))
    let id = known.get(name)
    if (id === undefined) known.set(name, (id = idCount++))
    return id
  }
  const codecOf = (struct: StructType): StructCodec => {
    const known = codecs.get(struct)
    if (known) return known
    const shared = recent && { ...recent, site: codecs.size }
    const codec = new StructCodec(leftOut ? without(struct, leftOut) : struct, codecOf, fieldId, shared)
    codecs.set(struct, codec)
    return codec
  }
  return Object.assign(codecOf, { fieldId })
}

function without(struct: StructType, leftOut: (struct: StructType, field: Field) => boolean): StructType {
  const fields = struct.fields.filter((field) => !leftOut(struct, field))
  if (fields.length === struct.fields.length) return struct
  return {
    ...struct,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    message: struct.message.filter(({ field }) => field === undefined || fields.includes(field)),
  }
}
