import type { StructCodec } from '../structcodec.ts'
import type { Digest } from './check.ts'
import { lengthRest, longLength } from './wire.ts'

// Messages that are served without being decoded. All of this holds for messages in canonical form only: those that
// encoding the decoded object would give again.

/** For those who are not interested in what a message holds. */
export const noDigest: Digest = { fields: new Uint8Array(0), add() {}, addBytes() {} }

/** Whether a message is in canonical form; `digest` is told of the fields that it is interested in. */
export function isCanonicalMessage(message: Uint8Array, codec: StructCodec, digest?: Digest): boolean {
  return codec.checkMessage(message, 0, message.length, digest ?? noDigest, digest !== undefined)
}

const scratchBytes = 256 * 1024
const scratchBytesMax = 4 * 1024 * 1024
/** JSON is about this much longer than its message. */
const expectedGrowth = 2

/** Makes JSON texts of messages in canonical form, one at a time, in a buffer that it keeps. */
export class MessageTranscoding {
  readonly #state = { empty: false }
  #scratch = Buffer.allocUnsafeSlow(scratchBytes)

  /** The bytes that `encodeJson` gives for the decoded message. */
  toJson(message: Uint8Array, codec: StructCodec): Uint8Array {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    if (bytes.length * expectedGrowth > this.#scratch.length)
      this.#scratch = Buffer.allocUnsafeSlow(bytes.length * expectedGrowth)
    let length = codec.transcode(bytes, 0, bytes.length, this.#scratch, 0, this.#state)
    if (length > this.#scratch.length) {
      this.#scratch = Buffer.allocUnsafeSlow(length)
      length = codec.transcode(bytes, 0, bytes.length, this.#scratch, 0, this.#state)
    }
    const json = Buffer.allocUnsafeSlow(length)
    this.#scratch.copy(json, 0, 0, length)
    if (this.#scratch.length > scratchBytesMax) this.#scratch = Buffer.allocUnsafeSlow(scratchBytes)
    return json
  }
}

const metadataTag = 0x0a
const resourceVersionTag = 0x32

/** Where an object's metadata is in its message, and the resourceVersion in it, length and text. */
interface MetadataPlaces {
  readonly metadata: number
  readonly resourceVersion: number
  readonly behindVersion: number
  readonly behindMetadata: number
}

function placesOf(message: Uint8Array): MetadataPlaces | undefined {
  if (message[0] !== metadataTag) return undefined
  const metadata = contentAt(message, 1)
  const behindMetadata = metadata + lengthAt(message, 1)
  // Name, generateName, namespace, selfLink and uid come before it, and are always written.
  let at = metadata
  while (at < behindMetadata && message[at] !== resourceVersionTag)
    at = contentAt(message, at + 1) + lengthAt(message, at + 1)
  if (at >= behindMetadata) return undefined
  const resourceVersion = at + 1
  const behindVersion = contentAt(message, resourceVersion) + lengthAt(message, resourceVersion)
  return { metadata, resourceVersion, behindVersion, behindMetadata }
}

/** The message of an object with another resourceVersion; undefined when it has no metadata. */
export function withResourceVersion(message: Uint8Array, resourceVersion: string): Uint8Array | undefined {
  const places = placesOf(message)
  return places && splice(message, places, resourceVersion, true)
}

/** Its metadata alone, as a message that has metadata as its first field and nothing else. */
export function metadataMessage(message: Uint8Array, resourceVersion: string): Uint8Array | undefined {
  const places = placesOf(message)
  return places && splice(message, places, resourceVersion, false)
}

function splice(message: Uint8Array, places: MetadataPlaces, version: string, whole: boolean): Uint8Array {
  const { metadata, resourceVersion, behindVersion, behindMetadata } = places
  const behind = whole ? message.length : behindMetadata
  const inner = resourceVersion - metadata + 1 + version.length + (behindMetadata - behindVersion)
  const head = 2 + lengthRest(inner)
  const result = Buffer.allocUnsafeSlow(head + inner + behind - behindMetadata)
  result[0] = metadataTag
  let at = 1
  for (let rest = inner; ; rest >>>= 7) {
    result[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest
    if (rest <= 0x7f) break
  }
  result.set(message.subarray(metadata, resourceVersion), at)
  at += resourceVersion - metadata
  result[at++] = version.length
  for (let i = 0; i < version.length; i++) result[at++] = version.charCodeAt(i)
  result.set(message.subarray(behindVersion, behind), at)
  return result
}

function lengthAt(message: Uint8Array, at: number): number {
  const first = message[at] ?? 0
  return first < 0x80 ? first : longLength(message, at + 1, first)
}

function contentAt(message: Uint8Array, at: number): number {
  return at + 1 + lengthRest(lengthAt(message, at))
}
