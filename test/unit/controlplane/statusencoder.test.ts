import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { decodeCbor } from '../../../lib/codec/index.ts'
import { createStatusEncoder } from '../../../lib/controlplane/api/statusencoder.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { statusErrors } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

describe('the form of errors', () => {
  const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })
  const status = statusErrors.noSuchResource().toStatus()
  const rows: [string | undefined, boolean, string][] = [
    [undefined, true, 'application/json'],
    ['application/yaml', true, 'application/yaml'],
    ['application/vnd.kubernetes.protobuf', true, 'application/vnd.kubernetes.protobuf'],
    ['text/html', true, 'application/json'],
    ['application/cbor', true, 'application/cbor'],
    ['application/cbor', false, 'application/json'],
  ]
  for (const [accept, cbor, expected] of rows)
    it(`is ${expected} for a client that accepts ${accept ?? 'anything'}${cbor ? '' : ', without CBOR'}`, () => {
      const { contentType, body } = createStatusEncoder(scheme, { cbor })(status, accept, false)
      assert.equal(contentType, expected)
      if (expected === 'application/json') assert.match(String(body), /^\{"kind":"Status".*\}\n$/)
      if (expected === 'application/cbor') assert.equal((decodeCbor(body) as { code: number }).code, 404)
    })

  it('is indented, and more than one line, for people', () => {
    for (const [accept, pretty] of [
      ['*/*', true],
      ['application/json;pretty=1', false],
    ] as const) {
      const { body } = createStatusEncoder(scheme, { cbor: false })(status, accept, pretty)
      assert.match(String(body), /^\{\n {2}"kind": "Status",[^]*\n\}$/)
    }
  })
})
