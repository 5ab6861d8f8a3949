import type { StructCodec } from '../structcodec.ts'
import { writeJson } from './write.ts'

/** A typed object in the stock server's JSON. `pretty`: two spaces a level. `line`: with a newline at the end. */
export function encodeJson(object: object, codec: StructCodec, { pretty = false, line = false } = {}): Uint8Array {
  const context = { ordered: false }
  const tree = codec.canonical(object, context)
  const text = writeJson(tree, { ordered: context.ordered, pretty })
  return Buffer.from(line ? `${text}\n` : text, 'utf8')
}
