import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createStructCodecs, isCanonicalMessage, MessageWriter } from '../../../lib/codec/index.ts'
import { compileTables } from '../../../lib/schema/index.ts'
import { applyMirror, type MirroredField, mirrorCheck } from '../../../lib/scheme/mirrors.ts'

const types = compileTables(tables)
const codecOf = createStructCodecs()
const writer = new MessageWriter()

const texts = ['', 'a', 'b', 'ab', 'x'.repeat(200)]
const lists = [[], ...texts.map((text) => [text]), ['', 'a'], ['a', 'b'], ['b', 'a']]

const kinds: readonly [kind: string, mirror: MirroredField][] = [
  ['core/v1.Pod', { within: 'status', text: 'podIP', list: 'podIPs', item: 'ip' }],
  ['core/v1.Pod', { within: 'status', text: 'hostIP', list: 'hostIPs', item: 'ip' }],
  ['core/v1.Node', { within: 'spec', text: 'podCIDR', list: 'podCIDRs' }],
]

describe('fields that mirror another, in messages', () => {
  for (const [kind, mirror] of kinds)
    it(`of ${kind}, ${mirror.list}: differ exactly where their objects are changed`, () => {
      const codec = codecOf(types.struct(kind))
      const isMirrored = mirrorCheck(codec.struct, mirror)
      const { within, text, list, item } = mirror
      let alike = 0
      for (const value of texts)
        for (const values of lists) {
          const items = values.map((each) => (item === undefined ? each : { [item]: each }))
          const made = (): object => ({ metadata: { name: 'a' }, [within]: { [text]: value, [list]: items } })
          const message = writer.message(made(), codec)
          assert.ok(isCanonicalMessage(message, codec))
          const changed = made()
          applyMirror(changed, mirror)
          const expected = JSON.stringify(changed) === JSON.stringify(made())
          assert.equal(isMirrored(message), expected, JSON.stringify([value, values]))
          if (expected) alike++
        }
      assert.ok(alike > texts.length, 'some are alike')
    })

  it('are alike in a message that ends before them', () => {
    const { struct } = codecOf(types.struct('core/v1.Node'))
    assert.equal(mirrorCheck(struct, { within: 'spec', text: 'podCIDR', list: 'podCIDRs' })(new Uint8Array(0)), true)
  })
})
