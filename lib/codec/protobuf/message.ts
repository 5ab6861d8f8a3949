import { DecodeError } from '../error.ts'
import type { StructCodec } from '../structcodec.ts'
import { closeEnvelope, openEnvelope } from './envelope.ts'
import { ProtobufReader } from './protobufreader.ts'
import { ProtobufWriter } from './protobufwriter.ts'

/** Decodes a typed object from its bare message. Throws DecodeError. `messagesMax` is set for messages from clients. */
export function decodeMessage(
  message: Uint8Array,
  codec: StructCodec,
  messagesMax = Number.POSITIVE_INFINITY,
): Record<string, unknown> {
  return read(new ProtobufReader(message, messagesMax, false, codec.strings), codec)
}

/** As decodeMessage, with the codec of a struct that is narrowed to a few texts of the message. */
export function decodeFields(message: Uint8Array, narrow: StructCodec): Record<string, unknown> {
  return read(new ProtobufReader(message, Number.POSITIVE_INFINITY, true), narrow)
}

function read(reader: ProtobufReader, codec: StructCodec): Record<string, unknown> {
  try {
    return codec.readMessage(reader)
  } catch (error) {
    if (error instanceof DecodeError) throw error
    // An embedded JSON text is malformed, or nests too deep for the stack.
    throw new DecodeError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Encodes messages, one at a time, in a buffer that it reuses. */
export class MessageWriter {
  readonly #writer = new ProtobufWriter()

  /** The bare message of a typed object, without its kind and apiVersion. */
  message(object: object, codec: StructCodec): Uint8Array {
    return this.#write(() => codec.writeMessage(object, this.#writer))
  }

  /** The message in its envelope, with the object's own kind and apiVersion. */
  envelope(object: { readonly apiVersion: string; readonly kind: string }, codec: StructCodec): Uint8Array {
    const write = (): void => {
      const mark = openEnvelope(this.#writer)
      codec.writeMessage(object, this.#writer)
      closeEnvelope(this.#writer, mark, object.apiVersion, object.kind)
    }
    return this.#write(write)
  }

  #write(write: () => void): Uint8Array {
    try {
      write()
    } catch (error) {
      this.#writer.reset()
      throw error
    }
    return this.#writer.finish()
  }
}
