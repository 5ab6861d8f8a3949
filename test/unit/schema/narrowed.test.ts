import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tables } from '../../../api/index.ts'
import { createStructCodecs, decodeJson, decodeMessage, MessageWriter } from '../../../lib/codec/index.ts'
import { podReferenceFields, podReferences } from '../../../lib/kinds/index.ts'
import { compileTables, narrowedTo } from '../../../lib/schema/index.ts'
import { objectsOf } from '../codec/generate.ts'

const types = compileTables(tables)
const pod = types.struct('core/v1.Pod')

describe('a narrowed struct', () => {
  const codecs = createStructCodecs()
  const writer = new MessageWriter()

  function read(object: object, paths: readonly string[]): Record<string, unknown> {
    const { object: typed } = decodeJson(Buffer.from(JSON.stringify(object)), codecs(pod))
    return decodeMessage(writer.message(typed, codecs(pod)), codecs(narrowedTo(pod, paths)))
  }

  it('has the fields on the paths, through lists, and their last fields whole', () => {
    const container = {
      name: 'c',
      image: 'i',
      env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'x' } } }],
    }
    const object = {
      metadata: { name: 'p', namespace: 'n', labels: { a: 'b' } },
      spec: { nodeName: 'node', hostname: 'h', containers: [container, container] },
      status: { phase: 'Running' },
    }
    const paths = ['metadata.name', 'metadata.labels', 'spec.nodeName', 'spec.containers.env.valueFrom']
    const env = { valueFrom: { fieldRef: { apiVersion: undefined, fieldPath: 'x' } } }
    assert.deepEqual(JSON.parse(JSON.stringify(read(object, paths))), {
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: {
        nodeName: 'node',
        containers: [{ env: [JSON.parse(JSON.stringify(env))] }, { env: [JSON.parse(JSON.stringify(env))] }],
      },
    })
  })

  it('refuses a path that leads nowhere', () => {
    assert.throws(() => narrowedTo(pod, ['spec.nodename']), /no field nodename/)
    assert.throws(() => narrowedTo(pod, ['metadata.name.first']), /nothing is below/)
  })

  it('a narrowed pod has all fields that its references are read from', () => {
    const narrow = codecs(narrowedTo(pod, podReferenceFields))
    const sparse = codecs(narrowedTo(pod, podReferenceFields, true))
    const property = fc.property(objectsOf(pod, 4), (generated) => {
      const { object } = decodeJson(Buffer.from(JSON.stringify(generated)), codecs(pod))
      const message = writer.message(object, codecs(pod))
      const of = (decoded: unknown): unknown => podReferences(decoded as Parameters<typeof podReferences>[0])
      const whole = of(decodeMessage(message, codecs(pod)))
      assert.deepEqual(of(decodeMessage(message, narrow)), whole)
      assert.deepEqual(of(decodeMessage(message, sparse)), whole)
    })
    fc.assert(property, { numRuns: 200, seed: 5 })
  })
})
