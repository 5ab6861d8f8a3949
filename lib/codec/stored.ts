import type { JsonValue } from '../object/index.ts'
import { decodeCbor } from './cbor/decode.ts'
import { parseJson } from './json/decode.ts'
import { decodeYaml } from './yaml/decode.ts'

const selfDescribedCbor = [0xd9, 0xd9, 0xf7]
const openBrace = 0x7b

/**
 * Parses stored bytes that are no protobuf envelope: tagged CBOR, JSON, else YAML, whatever the current storage format:
 * operators change it. Throws DecodeError.
 */
export function parseStored(stored: Uint8Array): JsonValue {
  if (stored[0] === openBrace) return parseJson(stored)
  if (selfDescribedCbor.every((byte, index) => stored[index] === byte)) return decodeCbor(stored)
  return decodeYaml(stored).value
}
