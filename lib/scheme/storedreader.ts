import {
  hasEnvelope,
  hasMetadata,
  isCanonicalMessage,
  largeBytesMin,
  MessageSplicing,
  MessageTranscoding,
  type StructCodec,
  storedEnvelope,
} from '../codec/index.ts'
import { formatGroupVersion, type GroupVersionKind } from '../object/index.ts'
import type { DefaultsProof } from './defaultsproof.ts'
import type { ItemBytes, MediaType } from './scheme.ts'

/** Makes items of the stored bytes of objects that are canonical. */
export interface StoredEncoder {
  encode(stored: Uint8Array, resourceVersion: string): ItemBytes
  /** In parts that share memory with what is stored, where that saves copying it. */
  parts?(stored: Uint8Array, resourceVersion: string): readonly Uint8Array[]
  /** The bytes of `encode`, valid until the next call, for callers that copy them at once. */
  transcode?(stored: Uint8Array, resourceVersion: string): Uint8Array
  /** Whether this canonical object is one of them; may change with its definition. Absent: all are. */
  fits?(stored: Uint8Array): boolean
}

/**
 * Serves stored objects without decoding them. Its bytes are exactly those that decoding and encoding would give: an
 * object for which that isn't certain is not canonical, and has to be decoded.
 */
export interface StoredReader {
  /** Costs some microseconds: remember it. */
  isCanonical(stored: Uint8Array): boolean
  /**
   * The same object in canonical form, of bytes that are not: those of older releases, say, which lack fields or have
   * more. Undefined: it has none, or is so large that it is decoded in slices. Costs what decoding and encoding do.
   */
  toCanonical?(stored: Uint8Array): Uint8Array | undefined
  /** Undefined: the version has another shape than what is stored, or the format has no short way. */
  item(gvk: GroupVersionKind, mediaType: MediaType): StoredEncoder | undefined
  /** The item of an object's PartialObjectMetadata. */
  metadata(mediaType: MediaType): StoredEncoder | undefined
}

interface StoredReaderParts {
  /** Version and kind in which the objects are stored, and worked on. */
  readonly gvk: GroupVersionKind
  readonly codec: StructCodec
  readonly metadataCodec: StructCodec
  /** Undefined: there are no defaults. */
  readonly proof: DefaultsProof | undefined
  /** The stored form of what the bytes decode to. */
  encodeAnew(stored: Uint8Array): Uint8Array
  /** True when objects look the same in that version. */
  isSameShape(gvk: GroupVersionKind): boolean
}

/** Kinds whose objects have no canonical form are found out by so many of them in a row. */
const vainTriesMax = 8

type Parts = (stored: Uint8Array, resourceVersion: string) => readonly Uint8Array[]

export function createStoredReader(parts: StoredReaderParts): StoredReader {
  const { gvk, codec, metadataCodec, proof } = parts
  const envelope = storedEnvelope(formatGroupVersion(gvk), gvk.kind)
  const transcoding = new MessageTranscoding()
  const splicing = new MessageSplicing()
  const spliced: Parts = (stored, resourceVersion) =>
    splicing.whole(envelope.messageOf(stored) ?? stored, resourceVersion)
  const metadata: Parts = (stored, resourceVersion) =>
    splicing.metadata(envelope.messageOf(stored) ?? stored, resourceVersion)
  const encoders = (parts: Parts, of: StructCodec): Readonly<Partial<Record<MediaType, StoredEncoder>>> => ({
    'application/vnd.kubernetes.protobuf': {
      encode: (stored, resourceVersion) => Buffer.concat(parts(stored, resourceVersion)),
      parts,
    },
    'application/json': {
      encode: (stored, resourceVersion) => transcoding.toJson(parts(stored, resourceVersion), of),
      transcode: (stored, resourceVersion) => transcoding.write(parts(stored, resourceVersion), of),
    },
  })
  const items = encoders(spliced, codec)
  const partials = encoders(metadata, metadataCodec)
  const isCanonical = (stored: Uint8Array): boolean => {
    const message = envelope.messageOf(stored)
    if (!message || !hasMetadata(message)) return false
    return proof ? proof.holds(message) : isCanonicalMessage(message, codec)
  }
  let vainTries = 0
  return {
    isCanonical,
    toCanonical(stored) {
      if (vainTries >= vainTriesMax || stored.length >= largeBytesMin) return undefined
      // Objects stored as JSON may tell an empty list from none.
      if (!hasEnvelope(stored)) return undefined
      let form: Uint8Array
      try {
        form = parts.encodeAnew(stored)
      } catch {
        return undefined // Decoding the object tells why it can't be read.
      }
      const isFound = isCanonical(form)
      vainTries = isFound ? 0 : vainTries + 1
      return isFound ? form : undefined
    },
    item: (served, mediaType) => (parts.isSameShape(served) ? items[mediaType] : undefined),
    metadata: (mediaType) => partials[mediaType],
  }
}
