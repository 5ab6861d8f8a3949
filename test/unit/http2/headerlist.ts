import assert from 'node:assert/strict'
import type { HeaderDecoder } from '../../../lib/http2/index.ts'
import { ProtocolError } from '../../../lib/http2/index.ts'

/** The headers of a block: names and values in turn. */
export function decodeList(decoder: HeaderDecoder, block: Buffer): string[] {
  const list: string[] = []
  decoder.decode(block, { onHeader: (name, value) => void list.push(name, value) })
  return list
}

/** What a value may have, but tabs: printable ASCII and all beyond it that has a byte. */
export const valueCharacters: readonly string[] = Array.from({ length: 256 }, (_, code) =>
  String.fromCharCode(code),
).filter((character) => character >= ' ' && character !== '\x7f')

/** Of bytes written as in an RFC. */
export function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex')
}

/** For assert.throws: a ProtocolError with this code. */
export function withCode(code: number): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof ProtocolError, String(error))
    assert.ok(error instanceof RangeError)
    assert.equal(error.code, code, error.message)
    return true
  }
}
