import { isRecord } from '../base/index.ts'
import { decodeValue, type StructCodec } from '../codec/index.ts'
import type { JsonValue, ObjectMeta } from '../object/index.ts'

/** An object, or one that is embedded in it: its metadata as they came, and then as they are typed. */
export interface MetadataHolder {
  metadata?: unknown
}

/** Types the metadata of custom objects in place; their other fields are their schema's. */
export class CustomMetadata {
  readonly #codec: StructCodec

  constructor(codec: StructCodec) {
    this.#codec = codec
  }

  /** Answers the paths of fields that metadata do not have. Throws DecodeError. */
  coerce(holder: MetadataHolder, strict: boolean): string[] {
    const value = holder.metadata
    if (value === undefined || value === null) {
      holder.metadata = {}
      return []
    }
    const { object, strictErrors } = decodeValue(value as JsonValue, this.#codec, { strict })
    holder.metadata = object
    return strictErrors.map((text) => text.replace(/^[^"]*"|"$/g, '')).map((path) => `metadata.${path}`)
  }

  /** Fields of stored metadata that do not fit are dropped: there is no client to report them to. */
  coerceStored(holder: MetadataHolder): void {
    const value = isRecord(holder.metadata) ? holder.metadata : {}
    try {
      holder.metadata = decodeValue(value as JsonValue, this.#codec).object
    } catch {
      const kept: Record<string, unknown> = {}
      for (const [name, field] of Object.entries(value))
        try {
          Object.assign(kept, decodeValue({ [name]: field as JsonValue }, this.#codec).object)
        } catch {
          // It is dropped.
        }
      holder.metadata = kept as ObjectMeta
    }
  }
}
