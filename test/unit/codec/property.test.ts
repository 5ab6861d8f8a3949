import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tables } from '../../../api/index.ts'
import {
  decodeCbor,
  decodeJson,
  decodeMessage,
  decodeValue,
  decodeYaml,
  encodeCbor,
  encodeJson,
  encodeYaml,
  MessageWriter,
  parseJson,
} from '../../../lib/codec/index.ts'
import { tablePrefix } from '../../../lib/schema/index.ts'
import { objectsOf } from './generate.ts'
import { codecOf } from './kit.ts'

const runsEach = 4
const seed = 20240514

const kinds = tables.flatMap((table) =>
  Object.entries(table.types).flatMap(([name, type]) => (type.kind ? [`${tablePrefix(table)}.${name}`] : [])),
)

describe(`generated objects of ${kinds.length} kinds`, () => {
  const writer = new MessageWriter()

  it('stay the same through protobuf, CBOR and YAML', () => {
    for (const kind of kinds) {
      const codec = codecOf(kind)
      const text = (object: object): string => Buffer.from(encodeJson(object, codec)).toString('utf8')
      const property = fc.property(objectsOf(codec.struct, 3), (generated) => {
        const { object, strictErrors } = decodeJson(Buffer.from(JSON.stringify(generated)), codec, { strict: true })
        assert.deepEqual(strictErrors, [], kind)
        const json = text(object)
        assert.equal(text(decodeJson(Buffer.from(json), codec).object), json, `${kind}: JSON`)
        assert.equal(text(decodeValue(decodeCbor(encodeCbor(object, codec)), codec).object), json, `${kind}: CBOR`)
        const yaml = decodeYaml(encodeYaml(parseJson(Buffer.from(json))))
        // YAML is written with sorted keys, of embedded values as well.
        assert.deepEqual(JSON.parse(text(decodeValue(yaml.value, codec).object)), JSON.parse(json), `${kind}: YAML`)
        if (codec.struct.message.length === 0) return
        const once = writer.message(object, codec)
        const again = writer.message(decodeMessage(once, codec), codec)
        assert.deepEqual(Buffer.from(again), Buffer.from(once), `${kind}: protobuf`)
        const { kind: _, apiVersion: __, ...body } = decodeMessage(once, codec)
        assert.equal(
          normal(text(body)),
          normal(text({ ...object, kind: undefined, apiVersion: undefined })),
          `${kind}: protobuf to JSON`,
        )
      })
      fc.assert(property, { numRuns: runsEach, seed })
    }
  })
})

/** Protobuf has neither empty lists nor empty maps, and no kind and apiVersion within. */
function normal(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value) => {
    if (key === 'kind' || key === 'apiVersion') return undefined
    const isEmpty = value !== null && typeof value === 'object' && Object.keys(value).length === 0
    return isEmpty ? null : value
  })
}
