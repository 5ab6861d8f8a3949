import { isRecord } from '../base/index.ts'
import { decodeValue, type StructCodec } from '../codec/index.ts'
import type { JsonValue, ObjectMeta } from '../object/index.ts'

/** An object, or one embedded in it: first with raw metadata, then with typed ones. */
export interface MetadataHolder {
  metadata?: unknown
}

/**
 * Converts the metadata of custom objects to their type, in place; their schema is responsible for the other fields.
 */
export class CustomMetadata {
  readonly #codec: StructCodec

  constructor(codec: StructCodec) {
    this.#codec = codec
  }

  /** Answers the paths of unknown metadata fields. Throws DecodeError. */
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

  /** Drops fields of stored metadata that do not fit: no client could correct them. */
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
          // The catch drops the field.
        }
      holder.metadata = kept as ObjectMeta
    }
  }
}
