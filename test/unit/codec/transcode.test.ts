import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { tables } from '../../../api/index.ts'
import {
  decodeJson,
  decodeMessage,
  encodeJson,
  isCanonicalMessage,
  MessageTranscoding,
  MessageWriter,
  type StructCodec,
} from '../../../lib/codec/index.ts'
import { tablePrefix } from '../../../lib/schema/index.ts'
import { objectsOf } from './generate.ts'
import { codecOf } from './kit.ts'

const kinds = tables.flatMap((table) =>
  Object.entries(table.types).flatMap(([name, type]) => (type.kind ? [`${tablePrefix(table)}.${name}`] : [])),
)
const inputs = Number(process.env['PILOTHOUSE_TRANSCODE_INPUTS'] ?? 20_000)
const seed = 20261123

/** What the way through the object makes of a message; undefined when it can't be decoded. */
function throughObject(message: Uint8Array, codec: StructCodec): { message: Uint8Array; json: string } | undefined {
  try {
    const object = decodeMessage(message, codec)
    return {
      message: new MessageWriter().message(object, codec),
      json: Buffer.from(encodeJson(object, codec)).toString('latin1'),
    }
  } catch {
    return undefined
  }
}

/** Other encodings of the same fields, and damage: what other writers, later releases and enemies may have stored. */
function mutate(message: Uint8Array, random: () => number): Uint8Array {
  const bytes = [...message]
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
    const at = Math.floor(random() * bytes.length)
    const to = at + Math.floor(random() * 12)
    const choice = Math.floor(random() * 7)
    if (choice === 0) bytes[at] = Math.floor(random() * 256)
    else if (choice === 1) bytes.splice(at, 1)
    else if (choice === 2) bytes.splice(at, 0, Math.floor(random() * 256))
    else if (choice === 3) bytes.splice(at, 0, ...bytes.slice(at, to))
    else if (choice === 4) bytes.push(...bytes.slice(0, to))
    else if (choice === 5) bytes.splice(at, 1, (bytes[at] ?? 0) | 0x80, 0)
    else bytes.push(...bytes.splice(0, to))
  }
  return Uint8Array.from(bytes)
}

function randomOf(state: number): () => number {
  let x = state | 1
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) / 2 ** 32
  }
}

describe('messages that are not decoded', () => {
  const writer = new MessageWriter()
  const transcoding = new MessageTranscoding()
  const served = kinds.map(codecOf).filter(({ struct }) => struct.message.length > 0)

  function check(message: Uint8Array, codec: StructCodec): boolean {
    // Among other bytes, so that a read beyond the end would be noticed.
    const padded = Buffer.concat([Buffer.from([10, 3]), message, Buffer.from([10, 200, 1, 18, 0])])
    const view = padded.subarray(2, 2 + message.length)
    const canonical = isCanonicalMessage(view, codec)
    if (!canonical) return false
    const expected = throughObject(message, codec)
    assert.ok(
      expected,
      `${codec.struct.name}: canonical, but can't be decoded: ${Buffer.from(message).toString('hex')}`,
    )
    assert.deepEqual(Buffer.from(message), Buffer.from(expected.message), codec.struct.name)
    assert.equal(Buffer.from(transcoding.toJson(view, codec)).toString('latin1'), expected.json, codec.struct.name)
    return true
  }

  it(`report and become in JSON the same as decoding and encoding them, in ${inputs} inputs`, function () {
    this.timeout(0)
    const each = Math.ceil(inputs / served.length / 4)
    let canonical = 0
    let mutatedCanonical = 0
    let total = 0
    for (const [index, codec] of served.entries()) {
      const property = fc.property(objectsOf(codec.struct, 3), fc.integer({ min: 1 }), (generated, state) => {
        const { object } = decodeJson(Buffer.from(JSON.stringify(generated)), codec)
        const message = writer.message(object, codec)
        if (check(message, codec)) canonical++
        const random = randomOf(state)
        for (let i = 0; i < 3; i++) if (check(mutate(message, random), codec)) mutatedCanonical++
        total++
      })
      fc.assert(property, { numRuns: each, seed: seed + index })
    }
    // Nothing would be shown by a check that refuses everything, or mutations that change nothing.
    assert.ok(canonical > total * 0.5, `${canonical} of ${total} were canonical`)
    assert.ok(mutatedCanonical > 0 && mutatedCanonical < total * 2.5, `${mutatedCanonical} mutated were canonical`)
  })

  it('keep long texts as they are: repeated, with escapes, of many bytes a character, differing in one byte, cut short', () => {
    const codec = codecOf('core/v1.ConfigMap')
    const letters = ['x', '"', '\\', '<', '\n', '\u0001', 'é', '\u2028', '😀']
    for (const letter of letters)
      for (const length of [95, 96, 255, 256, 257, 5000]) {
        const text = letter.repeat(length)
        for (const value of [text, text, `y${text.slice(1)}`, `${text}z`, text]) {
          const { object } = decodeJson(Buffer.from(JSON.stringify({ data: { a: value, b: value } })), codec)
          assert.ok(check(writer.message(object, codec), codec), `${length} of ${JSON.stringify(letter)}`)
        }
      }
  })

  it('are not canonical where they nest too deep for the stack', () => {
    const codec = codecOf('apiextensions.k8s.io/v1.JSONSchemaProps')
    // What `not` adds around the schema within it: the bytes before, a length, and the bytes behind.
    const leaf = Buffer.from(writer.message({}, codec))
    const one = Buffer.from(writer.message({ not: {} }, codec))
    const inner = one.indexOf(Buffer.concat([Buffer.of(leaf.length), leaf]))
    const nested = (depth: number): Buffer => {
      const [before, behind] = [one.subarray(0, inner), one.subarray(inner + 1 + leaf.length)]
      const heads: Buffer[] = []
      let length = leaf.length
      for (let i = 0; i < depth; i++) {
        const prefix: number[] = []
        for (let rest = length; rest > 0; rest >>>= 7) prefix.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
        heads.unshift(Buffer.concat([before, Buffer.from(prefix)]))
        length += before.length + prefix.length + behind.length
      }
      return Buffer.concat([...heads, leaf, ...Array<Buffer>(depth).fill(behind)])
    }
    assert.deepEqual(nested(1), one)
    assert.equal(check(nested(50), codec), true)
    const deep = nested(20_000)
    assert.equal(isCanonicalMessage(deep, codec), false)
    assert.throws(() => decodeMessage(deep, codec), { name: 'DecodeError' })
  })

  it('are not canonical where a long text is no UTF-8, wherever in it', () => {
    const codec = codecOf('core/v1.ConfigMap')
    const { object } = decodeJson(Buffer.from(JSON.stringify({ data: { a: 'x'.repeat(300) } })), codec)
    const message = Buffer.from(writer.message(object, codec))
    const start = message.indexOf('xxx')
    for (let at = start; at < start + 300; at++) {
      const broken = Buffer.from(message)
      broken[at] = 0xc3
      assert.equal(check(broken, codec), false, String(at - start))
    }
  })
})
