import type { StructCodec } from '../structcodec.ts'
import { writeJson } from './write.ts'

/** A typed object as the API server writes it, without the line end. `pretty`: two spaces a level. */
export function encodeJson(object: object, codec: StructCodec, { pretty = false } = {}): Uint8Array {
  const context = { ordered: false }
  const tree = codec.canonical(object, context)
  return Buffer.from(writeJson(tree, { ordered: context.ordered, pretty }), 'utf8')
}
