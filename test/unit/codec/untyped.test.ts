import assert from 'node:assert/strict'
import { decodeUntyped, encodeUntyped } from '../../../lib/codec/index.ts'
import { bytesOf } from './kit.ts'

describe('objects without a type', () => {
  it('are written with the keys of every object sorted', () => {
    const { value } = decodeUntyped(
      bytesOf('{"spec":{"b":1,"a":[{"10":1,"9":9007199254740993}]},"kind":"W","apiVersion":"x/v1"}'),
    )
    const text = Buffer.from(encodeUntyped(value)).toString('utf8')
    assert.equal(text, '{"apiVersion":"x/v1","kind":"W","spec":{"a":[{"10":1,"9":9007199254740993}],"b":1}}')
  })

  it('report duplicate fields when asked', () => {
    const body = bytesOf('{"spec":{"a":1,"a":2},"list":[{"b":1,"b":2}],"spec":{}}')
    assert.deepEqual(decodeUntyped(body).strictErrors, [])
    assert.deepEqual(decodeUntyped(body, { strict: true }).strictErrors, [
      'duplicate field "spec.a"',
      'duplicate field "list[0].b"',
      'duplicate field "spec"',
    ])
    assert.deepEqual(decodeUntyped(bytesOf('{"a":{"b":[{}]}}'), { strict: true }).strictErrors, [])
  })
})
