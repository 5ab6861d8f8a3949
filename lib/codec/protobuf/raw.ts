import type { StructCodec } from '../structcodec.ts'
import { checkMessage, type Digest } from './check.ts'
import type { MessageParts } from './frame.ts'
import { RecentTexts } from './recenttexts.ts'
import { isEmbedded, lengthRest, longLength } from './wire.ts'

// Serves messages without decoding them. Only for messages in canonical form: those that decoding and encoding don't
// change.

/** A digest that collects nothing. */
const noDigest: Digest = {
  fields: new Uint8Array(0),
  isEmbedded,
  isCanonicalPart: (table, _fieldId, bytes, from, to) => checkMessage(table, bytes, from, to, noDigest, false),
  add() {},
  addBytes() {},
}

/** Whether a message is in canonical form; `digest` gets its fields of interest. */
export function isCanonicalMessage(message: Uint8Array, codec: StructCodec, digest?: Digest): boolean {
  try {
    return checkMessage(codec.checkTable, message, 0, message.length, digest ?? noDigest, digest !== undefined)
  } catch (error) {
    // It nests too deep for the stack, and decoding it reports that.
    if (error instanceof RangeError) return false
    throw error
  }
}

const slabBytes = 64 * 1024

/** Allocates small pieces of larger buffers: a buffer for each costs ten times as much. */
class Slabs {
  #slab = Buffer.allocUnsafeSlow(0)
  #used = 0

  take(bytes: number): Buffer {
    if (bytes > slabBytes) return Buffer.allocUnsafeSlow(bytes)
    if (this.#used + bytes > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      this.#used = 0
    }
    const start = this.#used
    this.#used += bytes
    return this.#slab.subarray(start, this.#used)
  }
}

const scratchBytes = 64 * 1024
const scratchBytesMax = 4 * 1024 * 1024
/** Longer texts get memory of their own: the cache keeps no pieces of slabs and would copy them again. */
const ownBytesMin = 1024
/** Estimated ratio of JSON to message length. */
const expectedGrowth = 2

/** Makes JSON texts of canonical messages, one at a time, in a buffer that it reuses. */
export class MessageTranscoding {
  readonly #state = new RecentTexts()
  readonly #slabs = new Slabs()
  /** Allocated on first use: most kinds have no objects. */
  #scratch = Buffer.allocUnsafeSlow(0)
  #message = Buffer.allocUnsafeSlow(0)

  /**
   * The bytes that `encodeJson` gives for the decoded message, which may come in parts. The result shares memory with
   * others.
   */
  toJson(message: MessageParts, codec: StructCodec): Uint8Array {
    const text = this.write(message, codec)
    const json = text.length < ownBytesMin ? this.#slabs.take(text.length) : Buffer.allocUnsafeSlow(text.length)
    json.set(text)
    return json
  }

  /** Writes like toJson; the result is valid until the next call. */
  write(message: MessageParts, codec: StructCodec): Uint8Array {
    const bytes = this.#whole(message)
    if (bytes.length * expectedGrowth > this.#scratch.length)
      this.#scratch = Buffer.allocUnsafeSlow(Math.max(scratchBytes, bytes.length * expectedGrowth))
    let length = codec.transcode(bytes, 0, bytes.length, this.#scratch, 0, this.#state)
    if (length > this.#scratch.length) {
      this.#scratch = Buffer.allocUnsafeSlow(length)
      length = codec.transcode(bytes, 0, bytes.length, this.#scratch, 0, this.#state)
    }
    const text = this.#scratch.subarray(0, length)
    if (this.#scratch.length > scratchBytesMax) this.#scratch = Buffer.allocUnsafeSlow(scratchBytes)
    return text
  }

  #whole(message: MessageParts): Buffer {
    if (message instanceof Uint8Array) return Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    let length = 0
    for (const part of message) length += part.length
    if (length > this.#message.length) this.#message = Buffer.allocUnsafeSlow(Math.max(scratchBytes, length * 2))
    let at = 0
    for (const part of message) {
      this.#message.set(part, at)
      at += part.length
    }
    const whole = this.#message.subarray(0, length)
    if (length > scratchBytesMax) this.#message = Buffer.allocUnsafeSlow(scratchBytes)
    return whole
  }
}

const metadataTag = 0x0a
const resourceVersionTag = 0x32

/** Positions of an object's metadata in its message, and of the resourceVersion in it, as length and text. */
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
  // Name, generateName, namespace, selfLink and uid precede it, and are always written.
  let at = metadata
  while (at < behindMetadata && message[at] !== resourceVersionTag)
    at = contentAt(message, at + 1) + lengthAt(message, at + 1)
  if (at >= behindMetadata) return undefined
  const resourceVersion = at + 1
  const behindVersion = contentAt(message, resourceVersion) + lengthAt(message, resourceVersion)
  return { metadata, resourceVersion, behindVersion, behindMetadata }
}

/** Whether an object's message has metadata where the functions below expect it. */
export function hasMetadata(message: Uint8Array): boolean {
  return placesOf(message) !== undefined
}

/**
 * Replaces the resourceVersion in messages of objects. Returns two parts: new bytes up to and with the version, and the
 * rest of the message, which is not copied.
 */
export class MessageSplicing {
  readonly #slabs = new Slabs()

  /** The parts share memory with those of other calls: send or copy them, don't keep them. */
  whole(message: Uint8Array, resourceVersion: string): readonly Uint8Array[] {
    const places = placesOf(message)
    if (!places) return [message]
    return [this.#head(message, places, resourceVersion), message.subarray(places.behindVersion)]
  }

  /** The length of `whole`. */
  wholeBytes(message: Uint8Array, resourceVersion: string): number {
    const places = placesOf(message)
    if (!places) return message.length
    return headBytes(places, resourceVersion) + message.length - places.behindVersion
  }

  /** The metadata alone, as a message with metadata as its first and only field. */
  metadata(message: Uint8Array, resourceVersion: string): readonly Uint8Array[] {
    const places = placesOf(message)
    if (!places) return [message]
    const { behindVersion, behindMetadata } = places
    return [this.#head(message, places, resourceVersion), message.subarray(behindVersion, behindMetadata)]
  }

  /** The length of `metadata`. */
  metadataBytes(message: Uint8Array, resourceVersion: string): number {
    const places = placesOf(message)
    if (!places) return message.length
    return headBytes(places, resourceVersion) + places.behindMetadata - places.behindVersion
  }

  /** From the beginning of the metadata to behind its resourceVersion. */
  #head(message: Uint8Array, places: MetadataPlaces, version: string): Uint8Array {
    const { metadata, resourceVersion } = places
    const head = this.#slabs.take(headBytes(places, version))
    let at = 0
    head[at++] = metadataTag
    for (let rest = metadataBytes(places, version); ; rest >>>= 7) {
      head[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest
      if (rest <= 0x7f) break
    }
    for (let i = metadata; i < resourceVersion; i++) head[at++] = message[i] ?? 0
    head[at++] = version.length
    for (let i = 0; i < version.length; i++) head[at++] = version.charCodeAt(i)
    return head
  }
}

/** The length of the metadata with another resourceVersion. */
function metadataBytes(places: MetadataPlaces, version: string): number {
  const { metadata, resourceVersion, behindVersion, behindMetadata } = places
  return resourceVersion - metadata + 1 + version.length + behindMetadata - behindVersion
}

/** The length from the tag of the metadata to behind another resourceVersion. */
function headBytes(places: MetadataPlaces, version: string): number {
  const { metadata, resourceVersion } = places
  return 2 + lengthRest(metadataBytes(places, version)) + resourceVersion - metadata + 1 + version.length
}

function lengthAt(message: Uint8Array, at: number): number {
  const first = message[at] ?? 0
  return first < 0x80 ? first : longLength(message, at + 1, first)
}

function contentAt(message: Uint8Array, at: number): number {
  return at + 1 + lengthRest(lengthAt(message, at))
}
