import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  readEnvelope,
  type StructCodec,
} from '../../../lib/codec/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { filled } from '../../support/filled.ts'
import { type Golden, readOwnGoldens, readSharedGoldens } from '../../support/goldens.ts'
import { assertRecorded } from '../../support/recorded.ts'
import { codecOf, codecOfKind } from './kit.ts'

// Objects as a stock server wrote them, but for one: hack/decisions/2026-11-22-golden-that-differs.md.
const differ = [/^apiextensions.* CustomResourceDefinition(List)? \(full\)$/]

const writer = new MessageWriter()

function checkFormats(codec: StructCodec, json: string, protobuf: Uint8Array): void {
  const text = (object: object): string => Buffer.from(encodeJson(object, codec)).toString('utf8')
  const { object, strictErrors } = decodeJson(Buffer.from(json), codec, { strict: true })
  assert.deepEqual(strictErrors, [])
  assert.equal(text(object), json)
  // A watch event has no kind and apiVersion.
  const typeMeta = { kind: String(object['kind'] ?? ''), apiVersion: String(object['apiVersion'] ?? '') }
  const written = writer.envelope({ ...object, ...typeMeta }, codec)
  assert.deepEqual(Buffer.from(written), Buffer.from(protobuf))
  const { raw, ...found } = readEnvelope(written)
  assert.deepEqual(found, typeMeta)
  assert.equal(text({ ...decodeMessage(raw, codec), ...typeMeta }), json)
  assert.equal(text(decodeValue(decodeCbor(encodeCbor(object, codec)), codec).object), json)
  const yaml = decodeYaml(encodeYaml(JSON.parse(json)))
  assert.deepEqual(yaml.duplicates, [])
  assert.equal(text(decodeValue(yaml.value, codec).object), json)
}

function* filledObjects(): Generator<readonly [string, string, string, StructCodec, Record<string, unknown>]> {
  const seen = new Set<string>()
  for (const { gvk, struct } of createScheme({ tables }).resources) {
    const apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
    const title = `${apiVersion} ${gvk.kind}`
    const codec = codecOfKind(apiVersion, gvk.kind)
    // Its schemas are embedded in forms of their own (hack/decisions/2026-11-22-golden-that-differs.md).
    if (seen.has(title) || codec === undefined || gvk.kind === 'CustomResourceDefinition') continue
    seen.add(title)
    yield [`${title} (full)`, apiVersion, gvk.kind, codec, filled(struct)]
    yield [`${title} (empty)`, apiVersion, gvk.kind, codec, {}]
  }
}

describe('goldens', () => {
  it('a Pod is the same in every format', () => {
    const folder = join(import.meta.dirname, '../../golden')
    const json = readFileSync(join(folder, 'pod.json'), 'utf8').trim()
    checkFormats(codecOf('core/v1.Pod'), json, readFileSync(join(folder, 'pod.pb')))
  })

  const goldens = [...readOwnGoldens(), ...readSharedGoldens()].filter(
    ({ title }) => !differ.some((pattern) => pattern.test(title)),
  )
  for (const [apiVersion, group] of Map.groupBy(goldens, (golden) => golden.apiVersion)) checkGroup(apiVersion, group)

  it('goldens of every kind with all of its fields equal the recorded ones @recorded', () => {
    const entries = [...filledObjects()].map(([title, apiVersion, kind, codec, object]) => {
      const body = Buffer.from(JSON.stringify({ ...object, apiVersion, kind }))
      const decoded = decodeJson(body, codec, { strict: true })
      assert.deepEqual(decoded.strictErrors, [], title)
      const json = Buffer.from(encodeJson(decoded.object, codec)).toString('utf8')
      const protobuf = Buffer.from(writer.envelope({ ...decoded.object, apiVersion, kind }, codec)).toString('base64')
      return [title, [apiVersion, kind, json, protobuf]] as const
    })
    assertRecorded('objects', entries)
  })

  function checkGroup(apiVersion: string, group: readonly Golden[]): void {
    const known = group.flatMap((golden) => {
      const codec = codecOfKind(golden.apiVersion, golden.kind)
      return codec ? [{ ...golden, codec }] : []
    })
    if (known.length === 0) return
    it(`${apiVersion}: bytes of ${known.length} objects are the recorded ones in JSON and protobuf`, () => {
      for (const { title, codec, json, protobuf } of known)
        try {
          checkFormats(codec, json, protobuf)
        } catch (error) {
          throw new Error(title, { cause: error })
        }
    })
  }
})
