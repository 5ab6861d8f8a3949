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
import type { ItemBytes, MediaType } from './kindcodec.ts'

/** Makes items from the stored bytes of canonical objects. */
export interface StoredEncoder {
  encode(stored: Uint8Array, resourceVersion: string): ItemBytes
  /** In parts that share memory with the stored bytes, where that avoids a copy. */
  parts?(stored: Uint8Array, resourceVersion: string): readonly Uint8Array[]
  /** The length of `parts`; only with it. */
  partsBytes?(stored: Uint8Array, resourceVersion: string): number
  /** The bytes of `encode`, valid until the next call, for callers that copy them at once. */
  transcode?(stored: Uint8Array, resourceVersion: string): Uint8Array
  /** Whether this canonical object is supported; may change with its definition. Absent: all are. */
  fits?(stored: Uint8Array): boolean
}

/**
 * Serves stored objects without decoding them. Its bytes are exactly those of decoding and encoding: an object for
 * which that isn't certain is not canonical, and must be decoded.
 */
export interface StoredReader {
  /** Costs some microseconds: cache the result. */
  isCanonical(stored: Uint8Array): boolean
  /**
   * The canonical form of other bytes: for example those of older releases, with fewer or more fields. Undefined: it
   * has none, or is so large that it is decoded with pauses. Costs as much as decoding and encoding.
   */
  toCanonical?(stored: Uint8Array): Uint8Array | undefined
  /** Undefined: the version has another form than the stored one, or the format is not supported. */
  item(gvk: GroupVersionKind, mediaType: MediaType): StoredEncoder | undefined
  /** The item of an object's PartialObjectMetadata. */
  metadata(mediaType: MediaType): StoredEncoder | undefined
}

interface StoredReaderParts {
  /** Version and kind of the stored objects, which is the hub version. */
  readonly gvk: GroupVersionKind
  readonly codec: StructCodec
  readonly metadataCodec: StructCodec
  /** Undefined: there are no defaults. */
  readonly proof: DefaultsProof | undefined
  /** The stored form of the decoded bytes. */
  encodeAnew(stored: Uint8Array): Uint8Array
  /** True when objects have the same form in that version. */
  isSameShape(gvk: GroupVersionKind): boolean
}

/** After this many objects in a row without a canonical form, the kind counts as having none. */
const vainTriesMax = 8

type Encoders = Readonly<Partial<Record<MediaType, StoredEncoder>>>
type Parts = (stored: Uint8Array, resourceVersion: string) => readonly Uint8Array[]

export function createStoredReader(parts: StoredReaderParts): StoredReader {
  const { gvk, codec, metadataCodec, proof } = parts
  const envelope = storedEnvelope(formatGroupVersion(gvk), gvk.kind)
  const transcoding = new MessageTranscoding()
  const splicing = new MessageSplicing()
  const messageOf = (stored: Uint8Array): Uint8Array => envelope.messageOf(stored) ?? stored
  const encoders = (spliced: 'whole' | 'metadata', of: StructCodec): Encoders => {
    const parts: Parts = (stored, resourceVersion) => splicing[spliced](messageOf(stored), resourceVersion)
    return {
      'application/vnd.kubernetes.protobuf': {
        encode: (stored, resourceVersion) => Buffer.concat(parts(stored, resourceVersion)),
        parts,
        partsBytes: (stored, resourceVersion) => splicing[`${spliced}Bytes`](messageOf(stored), resourceVersion),
      },
      'application/json': {
        encode: (stored, resourceVersion) => transcoding.toJson(parts(stored, resourceVersion), of),
        transcode: (stored, resourceVersion) => transcoding.write(parts(stored, resourceVersion), of),
      },
    }
  }
  const items = encoders('whole', codec)
  const partials = encoders('metadata', metadataCodec)
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
      // Objects stored as JSON may distinguish an empty list from an absent one.
      if (!hasEnvelope(stored)) return undefined
      let form: Uint8Array
      try {
        form = parts.encodeAnew(stored)
      } catch {
        return undefined // Decoding the object reports why it can't be read.
      }
      const isFound = isCanonical(form)
      vainTries = isFound ? 0 : vainTries + 1
      return isFound ? form : undefined
    },
    item: (served, mediaType) => (parts.isSameShape(served) ? items[mediaType] : undefined),
    metadata: (mediaType) => partials[mediaType],
  }
}
