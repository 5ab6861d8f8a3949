import type { JsonValue } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import { DecodeError } from '../error.ts'
import type { StructCodec } from '../structcodec.ts'
import { newDecodeContext } from '../typed/context.ts'
import { explainMisfit } from '../typed/explain.ts'
import { findStrictErrors } from '../typed/strict.ts'
import { type JsonScan, scanJson } from './scan.ts'
import { parseTree, treeValue } from './tree.ts'

export interface DecodedStruct {
  readonly object: Record<string, unknown>
  /** Unknown and duplicate fields, when they were asked for. */
  readonly strictErrors: readonly string[]
}

/** A typed object from JSON. Throws DecodeError with the text that clients see. */
export function decodeJson(bytes: Uint8Array, codec: StructCodec, { strict = false } = {}): DecodedStruct {
  const scan = scanJson(bytes)
  const context = newDecodeContext()
  const value = parse(bytes, scan, codec.struct)
  let object: Record<string, unknown>
  try {
    object = codec.decode(value, context)
  } catch (error) {
    const misfit = explainMisfit(parseTree(bytes), codec.struct)
    throw new DecodeError(misfit ?? `json: cannot unmarshal into ${codec.struct.name}`, { cause: error })
  }
  const suspicious = strict && (context.unknown || context.keys !== scan.keys)
  return { object, strictErrors: suspicious ? findStrictErrors(parseTree(bytes), codec.struct) : [] }
}

/** Any JSON value, integers beyond 2^53 as bigint. Throws DecodeError with Go's text for malformed JSON. */
export function parseJson(bytes: Uint8Array): JsonValue {
  return parse(bytes, scanJson(bytes), undefined)
}

function parse(bytes: Uint8Array, { inexact }: JsonScan, struct: StructType | undefined): JsonValue {
  if (!inexact) {
    try {
      return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    } catch {
      // Said again below in the words that clients know.
    }
  }
  const tree = parseTree(bytes)
  // 1.0 is no integer to Go, and a value would no longer show how it was written.
  const misfit = struct && explainMisfit(tree, struct)
  if (misfit !== undefined) throw new DecodeError(misfit)
  return treeValue(tree)
}
