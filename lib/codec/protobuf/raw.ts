import type { StructCodec } from '../structcodec.ts'
import type { Digest } from './check.ts'
import { isEmbedded, lengthRest, longLength } from './wire.ts'

// Messages that are served without being decoded. All of this holds for messages in canonical form only: those that
// encoding the decoded object would give again.

/** For those who are not interested in what a message holds. */
export const noDigest: Digest = { fields: new Uint8Array(0), isEmbedded, add() {}, addBytes() {} }

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

/** Whether an object's message has metadata in the place where the functions below look for it. */
export function hasMetadata(message: Uint8Array): boolean {
  return placesOf(message) !== undefined
}

const slabBytes = 256 * 1024

/**
 * Makes messages of messages. What it answers shares its memory with others: it is to be sent or copied, not kept, as
 * one that is kept keeps all of them.
 */
export class MessageSplicing {
  #slab = Buffer.allocUnsafeSlow(0)
  #used = 0

  /** The message of an object with another resourceVersion. */
  withResourceVersion(message: Uint8Array, resourceVersion: string): Uint8Array {
    return this.#splice(message, resourceVersion, true)
  }

  /** Its metadata alone, as a message that has metadata as its first field and nothing else. */
  metadata(message: Uint8Array, resourceVersion: string): Uint8Array {
    return this.#splice(message, resourceVersion, false)
  }

  #splice(message: Uint8Array, resourceVersion: string, whole: boolean): Uint8Array {
    const places = placesOf(message)
    if (!places) return message
    const { metadata, behindMetadata } = places
    const bytesMax = message.length + resourceVersion.length + spliceBytesMax
    const out = this.#room(bytesMax)
    const head = resourceVersion.length - (places.behindVersion - places.resourceVersion) + 1
    const inner = behindMetadata - metadata + head
    const behind = whole ? message.length : behindMetadata
    const length = writeSpliced(message, places, resourceVersion, { out, at: this.#used, inner, behind })
    const result = out.subarray(this.#used, this.#used + length)
    this.#used += length
    return result
  }

  #room(bytes: number): Buffer {
    if (this.#used + bytes > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, bytes))
      this.#used = 0
    }
    return this.#slab
  }
}

/** Tag and length of the metadata, and length of the version. */
const spliceBytesMax = 16

interface SpliceTarget {
  readonly out: Buffer
  readonly at: number
  /** Bytes that the metadata has then. */
  readonly inner: number
  /** Where in the message to stop. */
  readonly behind: number
}

function writeSpliced(
  message: Uint8Array,
  { metadata, resourceVersion, behindVersion }: MetadataPlaces,
  version: string,
  { out: result, at: start, inner, behind }: SpliceTarget,
): number {
  let at = start
  result[at++] = metadataTag
  for (let rest = inner; ; rest >>>= 7) {
    result[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest
    if (rest <= 0x7f) break
  }
  result.set(message.subarray(metadata, resourceVersion), at)
  at += resourceVersion - metadata
  result[at++] = version.length
  for (let i = 0; i < version.length; i++) result[at++] = version.charCodeAt(i)
  result.set(message.subarray(behindVersion, behind), at)
  return at + behind - behindVersion - start
}

function lengthAt(message: Uint8Array, at: number): number {
  const first = message[at] ?? 0
  return first < 0x80 ? first : longLength(message, at + 1, first)
}

function contentAt(message: Uint8Array, at: number): number {
  return at + 1 + lengthRest(lengthAt(message, at))
}
