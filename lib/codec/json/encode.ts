import type { StructCodec } from '../structcodec.ts'
import { writeJson } from './write.ts'

/** A typed object in the stock server's JSON. `pretty`: two spaces a level. `line`: with a newline at the end. */
export function encodeJson(object: object, codec: StructCodec, { pretty = false, line = false } = {}): Uint8Array {
  const text = textOf(object, codec, pretty)
  return Buffer.from(line ? `${text}\n` : text, 'utf8')
}

/** The same for a caller that keeps the bytes: they share no memory with others. */
export function encodeKeptJson(object: object, codec: StructCodec): Uint8Array {
  const text = textOf(object, codec, false)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text, 'utf8'))
  bytes.write(text, 'utf8')
  return bytes
}

function textOf(object: object, codec: StructCodec, pretty: boolean): string {
  const context = { ordered: false }
  const tree = codec.canonical(object, context)
  return writeJson(tree, { ordered: context.ordered, pretty })
}
