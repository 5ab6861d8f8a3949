import { DecodeError } from '../error.ts'
import { ProtobufReader } from './protobufreader.ts'
import { ProtobufWriter } from './protobufwriter.ts'
import { lengthRest, longLength } from './wire.ts'

// The envelope around every object: the bytes `k8s\0`, then a message {typeMeta=1 {apiVersion=1, kind=2}, raw=2,
// contentEncoding=3, contentType=4} whose `raw` is the object's own message.

const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00)
const tags = { typeMeta: 10, raw: 18, contentEncoding: 26, contentType: 34, apiVersion: 10, kind: 18 } as const

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  /** A view into the given bytes. */
  readonly raw: Uint8Array
}

export function hasEnvelope(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && magic.every((byte, index) => bytes[index] === byte)
}

/** Throws DecodeError when the bytes are no envelope. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (!hasEnvelope(bytes))
    throw new DecodeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  const reader = new ProtobufReader(bytes)
  reader.pos = magic.length
  let apiVersion = ''
  let kind = ''
  let raw = bytes.subarray(0, 0)
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === tags.typeMeta) {
      const outer = reader.enter()
      while (reader.pos < reader.end) {
        const inner = reader.uint32()
        if (inner === tags.apiVersion) apiVersion = reader.string()
        else if (inner === tags.kind) kind = reader.string()
        else reader.skip(inner)
      }
      reader.leave(outer)
    } else if (tag === tags.raw) {
      const outer = reader.enter()
      raw = bytes.subarray(reader.pos, reader.end)
      reader.pos = reader.end
      reader.leave(outer)
    } else reader.skip(tag)
  }
  return { apiVersion, kind, raw }
}

/** Writes the fields after `raw` of the envelope; the caller writes the message next, then calls `closeEnvelope`. */
export function openEnvelope(writer: ProtobufWriter): number {
  writer.string(tags.contentType, '')
  writer.string(tags.contentEncoding, '')
  return writer.mark()
}

export function closeEnvelope(writer: ProtobufWriter, mark: number, apiVersion: string, kind: string): void {
  writer.length(tags.raw, mark)
  const start = writer.mark()
  writer.string(tags.kind, kind)
  writer.string(tags.apiVersion, apiVersion)
  writer.length(tags.typeMeta, start)
  writer.raw(magic)
}

/** Finds the messages in stored envelopes of one version and kind. */
interface StoredEnvelope {
  /** A view; undefined when the envelope is of another version or kind, or not written like ours. */
  messageOf(stored: Uint8Array): Uint8Array | undefined
}

export function storedEnvelope(apiVersion: string, kind: string): StoredEnvelope {
  const writer = new ProtobufWriter()
  const mark = openEnvelope(writer)
  const tail = writer.finish()
  openEnvelope(writer)
  closeEnvelope(writer, mark, apiVersion, kind)
  const whole = writer.finish()
  // Without the length of the message, which is zero here.
  const head = whole.subarray(0, whole.length - tail.length - 1)
  return {
    messageOf(stored) {
      if (!startsWith(stored, head)) return undefined
      let length = stored[head.length] ?? 0
      if (length > 0x7f) length = longLength(stored, head.length + 1, length)
      const start = head.length + 1 + lengthRest(length)
      const end = start + length
      if (length < 0 || end + tail.length !== stored.length) return undefined
      for (let i = 0; i < tail.length; i++) if (stored[end + i] !== tail[i]) return undefined
      return stored.subarray(start, end)
    },
  }
}

function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  for (let i = 0; i < head.length; i++) if (bytes[i] !== head[i]) return false
  return true
}
