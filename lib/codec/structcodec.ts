import type { StructType } from '../schema/index.ts'
import { compileMessageDecoder, type MessageDecoder } from './protobuf/decode.ts'
import { compileMessageEncoder, type MessageEncoder } from './protobuf/encode.ts'
import type { Reader } from './protobuf/reader.ts'
import { type Canonical, compileCanonical } from './typed/canonical.ts'
import { compileDecoder, type TypedDecoder } from './typed/decode.ts'

/** The functions of one struct, each compiled when it is first called. */
export class StructCodec {
  readonly struct: StructType
  decode: TypedDecoder
  canonical: Canonical
  readMessage: MessageDecoder
  writeMessage: MessageEncoder

  constructor(struct: StructType, codecOf: (struct: StructType) => StructCodec) {
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
  }

  readNested(reader: Reader): Record<string, unknown> {
    const outer = reader.enter()
    const value = this.readMessage(reader)
    reader.leave(outer)
    return value
  }
}

/** Codecs by struct, made on demand. */
export function createStructCodecs(): (struct: StructType) => StructCodec {
  const codecs = new Map<StructType, StructCodec>()
  const codecOf = (struct: StructType): StructCodec => {
    const known = codecs.get(struct)
    if (known) return known
    const codec = new StructCodec(struct, codecOf)
    codecs.set(struct, codec)
    return codec
  }
  return codecOf
}
