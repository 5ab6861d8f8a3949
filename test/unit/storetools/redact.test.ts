import assert from 'node:assert/strict'
import type { JsonValue } from '../../../lib/object/index.ts'
import { redactSecret } from '../../../lib/storetools/index.ts'

const secret = 'aHVudGVyMg=='
const cases: readonly [what: string, object: JsonValue][] = [
  ['data', { kind: 'Secret', data: { password: secret } }],
  ['stringData', { kind: 'Secret', stringData: { password: secret } }],
  ['data that is no map', { kind: 'Secret', data: secret }],
  ['data that holds a list', { kind: 'Secret', data: { password: [secret] } }],
  ['a key named as a prototype', JSON.parse(`{"data":{"__proto__":"${secret}"}}`) as JsonValue],
  [
    'what kubectl applied',
    { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":"${secret}"}` } } },
  ],
]

describe('a Secret as it is shown', () => {
  for (const [what, object] of cases)
    it(`does not show ${what}`, () => {
      const before = JSON.stringify(object)
      const shown = JSON.stringify(redactSecret(object))
      assert.doesNotMatch(shown, /aHVudGVyMg/)
      assert.match(shown, /<redacted/)
      assert.equal(JSON.stringify(object), before)
    })

  it('keeps its names, sizes, labels and type', () => {
    const metadata = { name: 's', labels: { a: 'b' }, annotations: { c: 'd' } }
    assert.deepEqual(redactSecret({ kind: 'Secret', metadata, data: { password: secret }, type: 'Opaque' }), {
      kind: 'Secret',
      metadata,
      data: { password: '<redacted: 7 bytes>' },
      type: 'Opaque',
    })
  })
})
