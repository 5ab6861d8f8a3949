import { untypedText } from '../../codec/index.ts'
import type { JsonValue } from '../../object/index.ts'
import { wordless } from './wordless.ts'

/** FNV-1, 32 bits, over the text of the revision's stored data and the number of collisions: the stock hash. */
export function revisionHash(data: JsonValue, collisions: number): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(untypedText(data) + String(collisions))) {
    hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0
  }
  return wordless(hash)
}
