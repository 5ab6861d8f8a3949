import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createStructCodecs, decodeMessage, MessageWriter } from '../../../lib/codec/index.ts'
import { compileTables } from '../../../lib/schema/index.ts'
import { filled } from '../../support/filled.ts'

const types = compileTables(tables)
const writer = new MessageWriter()
const toleration = {
  key: 'node.kubernetes.io/not-ready',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}
const container = { name: 'c', image: 'i', resources: { requests: { cpu: '10m', memory: '16Mi' } } }

function pod(name: string, more: object = {}): Record<string, unknown> {
  const spec = { containers: [container], tolerations: [toleration], ...more }
  return { metadata: { name, labels: { app: 'a' } }, spec, status: { phase: 'Pending' } }
}

interface DecodedPod {
  readonly spec: {
    readonly containers: readonly { readonly resources: unknown }[]
    readonly tolerations: readonly unknown[]
  }
}

describe('messages that are decoded with shared parts', () => {
  const plain = createStructCodecs()(types.struct('core/v1.Pod'))
  const sharing = createStructCodecs({ sharesParts: true })(types.struct('core/v1.Pod'))
  const messageOf = (object: object): Uint8Array => Buffer.from(writer.message(object, plain))
  const decode = (object: object): DecodedPod => decodeMessage(messageOf(object), sharing) as never as DecodedPod

  it('have one object for parts with the same bytes', () => {
    const [one, other] = [decode(pod('a')), decode(pod('b', { nodeName: 'n' }))]
    assert.notEqual(one.spec, other.spec)
    assert.equal(one.spec.containers[0], other.spec.containers[0])
    assert.equal(one.spec.tolerations[0], other.spec.tolerations[0])
  })

  it('differ where one byte differs', () => {
    const one = decode(pod('a'))
    const other = decode(pod('a', { tolerations: [{ ...toleration, tolerationSeconds: 301 }] }))
    assert.deepEqual(other.spec.tolerations, [{ ...toleration, tolerationSeconds: 301 }])
    assert.deepEqual(one.spec.tolerations, [toleration])
  })

  it('equal those that are decoded apart, whatever kinds came before', () => {
    const [apart, together] = [createStructCodecs(), createStructCodecs({ sharesParts: true })]
    const names = types.names.filter((name) => types.struct(name).message.length > 0)
    assert.ok(names.length > 500)
    for (let round = 0; round < 2; round++)
      for (const name of names) {
        const struct = types.struct(name)
        const message = Buffer.from(writer.message(filled(struct), apart(struct)))
        assert.deepEqual(decodeMessage(message, together(struct)), decodeMessage(message, apart(struct)), name)
      }
  })

  it('are not shared by structs that differ', () => {
    const same = { name: 'node.kubernetes.io/some', value: 'with some more text' }
    const object = pod('a', { containers: [{ ...container, env: [same] }], securityContext: { sysctls: [same] } })
    for (let time = 0; time < 2; time++)
      assert.deepEqual(decode(object), decodeMessage(messageOf(object), plain) as never)
  })
})
