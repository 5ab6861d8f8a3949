import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom } from '../../../lib/base/index.ts'
import {
  DecodeError,
  decodeCbor,
  decodeJson,
  decodeMessage,
  decodeValue,
  decodeYaml,
  encodeCbor,
  encodeYaml,
  readEnvelope,
  readObjectMeta,
} from '../../../lib/codec/index.ts'
import { codecOf } from './kit.ts'

const rounds = 1500

/** Damages bytes in one of the ways in which bytes get damaged. */
function damage(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * bytes.length)
  const damaged = Buffer.from(bytes)
  const way = random()
  if (way < 0.4) damaged[at] = Math.floor(random() * 256)
  else if (way < 0.6) return damaged.subarray(0, at)
  else if (way < 0.8)
    return Buffer.concat([damaged.subarray(0, at), damaged.subarray(Math.floor(random() * bytes.length))])
  else damaged.fill(Math.floor(random() * 256), at, Math.min(bytes.length, at + Math.floor(random() * 8)))
  return damaged
}

describe('damaged bytes decode or end in a DecodeError', () => {
  const folder = join(import.meta.dirname, '../../golden')
  const json = readFileSync(join(folder, 'pod.json'))
  const protobuf = readFileSync(join(folder, 'pod.pb'))
  const codec = codecOf('core/v1.Pod')
  const { object } = decodeJson(json, codec)
  const formats: [name: string, bytes: Uint8Array, decode: (bytes: Uint8Array) => unknown][] = [
    ['JSON', json, (bytes) => decodeJson(bytes, codec, { strict: true })],
    ['protobuf', protobuf, (bytes) => decodeMessage(readEnvelope(bytes).raw, codec)],
    ['metadata of protobuf', protobuf, (bytes) => bytes.length > 4 && bytes[3] === 0 && readObjectMeta(bytes)],
    ['CBOR', encodeCbor(object, codec), (bytes) => decodeValue(decodeCbor(bytes), codec, { strict: true })],
    [
      'YAML',
      encodeYaml(JSON.parse(json.toString('utf8'))).subarray(0, 700),
      (bytes) => decodeValue(decodeYaml(bytes).value, codec),
    ],
  ]
  for (const [name, bytes, decode] of formats)
    it(name, () => {
      const random = createSeededRandom(7).fraction
      let failed = 0
      const count = name === 'YAML' ? rounds / 5 : rounds
      for (let i = 0; i < count; i++) {
        const damaged = damage(bytes, random)
        try {
          decode(damaged)
        } catch (error) {
          failed++
          if (!(error instanceof DecodeError) && !(error instanceof SyntaxError && name.startsWith('metadata')))
            throw new Error(`${Buffer.from(damaged).toString('base64')}`, { cause: error })
        }
      }
      assert.ok(failed > count / 20 && failed < count, `${failed} of ${count} failed`)
    })
})
