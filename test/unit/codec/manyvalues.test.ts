import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { hasManyValues } from '../../../lib/codec/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const min = 2000
const codec = createScheme({ tables }).codec({ group: '', resource: 'configmaps' })

function configMap(data: Record<string, string>): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data } as ApiObject
}

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']))
}

const forms: Readonly<Record<string, (object: ApiObject) => Uint8Array>> = {
  JSON: (object) => Buffer.from(JSON.stringify(object)),
  'stored protobuf': (object) => codec.encodeForStorage(object),
}

describe('hasManyValues', () => {
  for (const [form, encode] of Object.entries(forms)) {
    it(`${form}: an object of many keys has many values`, () => {
      assert.equal(hasManyValues(encode(configMap(keys(min + 1))), min), true)
    })

    it(`${form}: an object of few keys has few values, whatever their length`, () => {
      const text = Buffer.alloc(900_000, 'abcdefgh').toString('base64')
      assert.equal(hasManyValues(encode(configMap({ ...keys(20), file: text })), min), false)
    })
  }

  it('bytes that look like deeply nested messages are answered in time', () => {
    const bytes = Buffer.alloc(3_000_000, 0x0a)
    bytes.write('k8s\0', 0, 'latin1')
    const startMs = threadCpuMs()
    hasManyValues(bytes, min)
    assert(threadCpuMs() - startMs < 2_000)
  })
})
