import type { ApiObject, Status } from '../../object/index.ts'
import { type ClientEncoding, jsonEncoding, protobufType } from './encoding.ts'

/** One decoded frame of a watch. */
export type WatchFrame =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: Status }

/** Longer frames end the watch: no object is that large. */
const frameBytesMax = 16 * 1024 * 1024

/** Splits a watch's answer into frames as it arrives. Throws for malformed frames. */
export function createFrameReader(contentType: string, encoding: ClientEncoding): (chunk: Buffer) => WatchFrame[] {
  return contentType.startsWith(protobufType) ? protobufFrames(encoding) : jsonLines()
}

function jsonLines(): (chunk: Buffer) => WatchFrame[] {
  const newline = 0x0a
  const rest = createRest()
  return (chunk) => {
    const frames: WatchFrame[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const line = rest.take(chunk.subarray(from, end))
      from = end + 1
      // The server determines the frame's form.
      if (line.length > 0) frames.push(jsonEncoding.decode('', line) as WatchFrame)
    }
    rest.keep(chunk.subarray(from))
    return frames
  }
}

const lengthBytes = 4

function protobufFrames(encoding: ClientEncoding): (chunk: Buffer) => WatchFrame[] {
  const rest = createRest()
  return (chunk) => {
    const bytes = rest.take(chunk)
    const frames: WatchFrame[] = []
    let from = 0
    while (bytes.length - from >= lengthBytes) {
      const length = bytes.readUInt32BE(from)
      if (length > frameBytesMax) throw new Error(`a frame of ${length} bytes`)
      const end = from + lengthBytes + length
      if (bytes.length < end) break
      frames.push(readEvent(bytes.subarray(from + lengthBytes, end), encoding))
      from = end
    }
    rest.keep(bytes.subarray(from))
    return frames
  }
}

/** Keeps the beginning of an incomplete frame. */
function createRest(): { take(more: Buffer): Buffer; keep(part: Buffer): void } {
  let parts: Buffer[] = []
  let bytes = 0
  return {
    take(more) {
      if (parts.length === 0) return more
      const whole = Buffer.concat([...parts, more])
      parts = []
      bytes = 0
      return whole
    },
    keep(part) {
      if (part.length === 0) return
      bytes += part.length
      if (bytes > frameBytesMax + lengthBytes) throw new Error(`a frame of more than ${frameBytesMax} bytes`)
      parts.push(part)
    },
  }
}

const tags = { type: 10, object: 18, raw: 10 }

/** WatchEvent { type = 1; object = 2 { raw = 1 } }, where raw is an object in its envelope. */
function readEvent(bytes: Buffer, encoding: ClientEncoding): WatchFrame {
  let type = ''
  let object: unknown
  for (const { tag, value } of fieldsOf(bytes)) {
    if (tag === tags.type) type = value.toString()
    if (tag !== tags.object) continue
    for (const inner of fieldsOf(value)) if (inner.tag === tags.raw) object = encoding.decode(protobufType, inner.value)
  }
  // The server determines the frame's form.
  return { type, object } as WatchFrame
}

/** Fields with length-delimited values; these messages have no others. */
function* fieldsOf(bytes: Buffer): Generator<{ readonly tag: number; readonly value: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++] ?? 0
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 28) throw new Error('a frame that is cut off')
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    if (at + length > bytes.length) throw new Error('a frame that is cut off')
    yield { tag, value: bytes.subarray(at, at + length) }
    at += length
  }
}
