import { assert, isRecord } from '../../base/index.ts'
import type { ApiObject, JsonValue } from '../../object/index.ts'
import { DecodeError, nestingMax } from '../error.ts'
import type { StructCodec } from '../structcodec.ts'
import { newDecodeContext } from '../typed/context.ts'
import { explainMismatch } from '../typed/explain.ts'
import { findStrictErrors, findUnknownFields } from '../typed/strict.ts'
import { copyPlain } from './plain.ts'
import { scanJson } from './scan.ts'
import { type JsonNode, parseTree, treeValue } from './tree.ts'
import { writeJson } from './write.ts'

interface DecodedStruct {
  readonly object: Record<string, unknown>
  /** Unknown and duplicate fields, in strict mode. */
  readonly strictErrors: readonly string[]
}

/** A parsed text that is not decoded yet: the caller looks at its kind first. */
interface JsonBody {
  readonly bytes: Uint8Array
  /** Decoding reuses its parts: don't use it afterwards. */
  readonly value: JsonValue
  /** Number of keys in the text, duplicates included. */
  readonly keys: number
  /**
   * Set when the value is not enough to decode from: 1.0 is no integer to Go, and a value doesn't show its notation.
   */
  readonly tree: JsonNode | undefined
}

/** Parses JSON; integers beyond 2^53 become bigint. Throws DecodeError with Go's text for malformed JSON. */
export function parseBody(bytes: Uint8Array, depthMax = nestingMax): JsonBody {
  const { keys, inexact } = scanJson(bytes, depthMax)
  if (!inexact) {
    try {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      return { bytes, keys, value: JSON.parse(text), tree: undefined }
    } catch {
      // parseTree below throws with Go's text.
    }
  }
  const tree = parseTree(bytes, depthMax)
  return { bytes, keys, value: treeValue(tree), tree }
}

/** Parses any JSON value. Throws like parseBody. */
export function parseJson(bytes: Uint8Array): JsonValue {
  return parseBody(bytes).value
}

/**
 * Parses JSON that this server wrote: lists and tables nest deeper than their items, which nest as deep as bodies may.
 */
export function parseOwnJson(bytes: Uint8Array): JsonValue {
  return parseBody(bytes, 2 * nestingMax).value
}

/** Parses an object whose JSON this server wrote. */
export function parseOwnObject(bytes: Uint8Array): ApiObject {
  const value = parseOwnJson(bytes)
  assert(isRecord(value), 'objects are records')
  return value as ApiObject
}

/** Decodes a typed object from JSON. Throws DecodeError with the text that clients see. */
export function decodeJson(bytes: Uint8Array, codec: StructCodec, options: { strict?: boolean } = {}): DecodedStruct {
  return decodeParsed(parseBody(bytes), codec, options)
}

/** Decodes like decodeJson, from a JSON value (of YAML or CBOR, or a patched one), which it does not change. */
export function decodeValue(value: JsonValue, codec: StructCodec, options: { strict?: boolean } = {}): DecodedStruct {
  const plain = decodePlain(value, codec, options)
  if (plain) return plain
  const text = Buffer.from(writeJson(value, { ordered: true }), 'utf8')
  return decodeParsed(parseBody(text), codec, options)
}

/** Undefined for values that do not fit the type: the caller decodes their JSON text, for the same error. */
function decodePlain(
  value: JsonValue,
  codec: StructCodec,
  { strict = false }: { strict?: boolean },
): DecodedStruct | undefined {
  const copy = copyPlain(value)
  if (copy === undefined) return undefined
  const context = newDecodeContext()
  let object: Record<string, unknown>
  try {
    object = codec.decode(copy, context)
  } catch {
    return undefined
  }
  const isSuspicious = strict && context.unknown
  return { object, strictErrors: isSuspicious ? findUnknownFields(value, codec.struct) : [] }
}

/** Decodes like decodeJson, from a parsed text. */
export function decodeParsed(
  { bytes, value, keys, tree }: JsonBody,
  codec: StructCodec,
  { strict = false }: { strict?: boolean } = {},
): DecodedStruct {
  const mismatch = tree && explainMismatch(tree, codec.struct)
  if (mismatch !== undefined) throw new DecodeError(mismatch)
  const context = newDecodeContext()
  let object: Record<string, unknown>
  try {
    object = codec.decode(value, context)
  } catch (error) {
    const text = explainMismatch(parseTree(bytes), codec.struct)
    throw new DecodeError(text ?? `json: cannot unmarshal into ${codec.struct.name}`, { cause: error })
  }
  const isSuspicious = strict && (context.unknown || context.keys !== keys)
  return { object, strictErrors: isSuspicious ? findStrictErrors(tree ?? parseTree(bytes), codec.struct) : [] }
}
