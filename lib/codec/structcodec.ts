import type { Field, StructType } from '../schema/index.ts'
import { compileMessageCheck, type MessageCheck } from './protobuf/check.ts'
import { compileMessageDecoder, type MessageDecoder } from './protobuf/decode.ts'
import { compileMessageEncoder, type MessageEncoder } from './protobuf/encode.ts'
import type { ProtobufReader } from './protobuf/protobufreader.ts'
import { compileTranscoder, type MessageTranscoder } from './protobuf/transcode.ts'
import { type Canonical, compileCanonical } from './typed/canonical.ts'
import { compileDecoder, type TypedDecoder } from './typed/decode.ts'

/** The functions of one struct, each compiled on its first call. */
export class StructCodec {
  readonly struct: StructType
  decode: TypedDecoder
  canonical: Canonical
  readMessage: MessageDecoder
  writeMessage: MessageEncoder
  checkMessage: MessageCheck
  transcode: MessageTranscoder

  constructor(
    struct: StructType,
    codecOf: (struct: StructType) => StructCodec,
    fieldIdOf: (struct: StructType, name: string) => number,
  ) {
    this.struct = struct
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
    this.checkMessage = (...from) => {
      this.checkMessage = compileMessageCheck(struct, codecOf, (field) => fieldIdOf(struct, field.name))
      return this.checkMessage(...from)
    }
    this.transcode = (...from) => {
      this.transcode = compileTranscoder(struct, codecOf, (field) => fieldIdOf(struct, field.name))
      return this.transcode(...from)
    }
  }

  readNested(reader: ProtobufReader): Record<string, unknown> {
    const outer = reader.enter()
    const value = this.readMessage(reader)
    reader.leave(outer)
    return value
  }
}

/** The structs' codecs, made on demand. */
export interface StructCodecs {
  (struct: StructType): StructCodec
  /** A number for every field of every struct, from 0 on, in the order of first use. */
  fieldId(struct: StructType, name: string): number
}

/** `leftOut`: true for fields that are neither read nor written. */
export function createStructCodecs(leftOut?: (struct: StructType, field: Field) => boolean): StructCodecs {
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
    const codec = new StructCodec(leftOut ? without(struct, leftOut) : struct, codecOf, fieldId)
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
