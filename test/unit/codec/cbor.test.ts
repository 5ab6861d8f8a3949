import assert from 'node:assert/strict'
import { Decoder, Encoder } from 'cbor-x'
import {
  decodeCbor,
  decodeCborSequence,
  decodeValue,
  encodeCbor,
  encodeUntypedCbor,
  nestingMax,
} from '../../../lib/codec/index.ts'
import { codecOf } from './kit.ts'

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('CBOR', () => {
  const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'é', generation: -1 }, data: { a: 'aGk=' } }

  it('another implementation reads what we write', () => {
    const bytes = encodeCbor(secret, codecOf('core/v1.Secret'))
    assert.equal(Buffer.from(bytes.subarray(0, 3)).toString('hex'), 'd9d9f7')
    const decoder = new Decoder({ mapsAsObjects: false, useRecords: false })
    const text = (value: unknown): unknown =>
      value instanceof Map
        ? Object.fromEntries([...value].map(([key, item]) => [text(key), text(item)]))
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('utf8')
          : typeof value === 'object' && value !== null && 'value' in value
            ? Buffer.from(text(value.value) as string).toString('base64')
            : value
    assert.deepEqual(text(decoder.decode(Buffer.from(bytes.subarray(3)))), secret)
  })

  it('we read what another implementation writes', () => {
    const body = {
      metadata: { name: 'x'.repeat(300), generation: 2 ** 40, deletionGracePeriodSeconds: -5 },
      data: { a: 'b' },
    }
    const bytes = new Encoder({ useRecords: false, variableMapSize: true }).encode(body)
    const { object } = decodeValue(decodeCbor(bytes), codecOf('core/v1.ConfigMap'))
    assert.deepEqual(object, body)
  })

  describe('values', () => {
    const cases: [title: string, bytes: string, value: unknown][] = [
      ['a byte string is a string', '43 616263', 'abc'],
      ['of tag 22 is base64', 'd6 42 6869', 'aGk='],
      ['a text string', '63 616263', 'abc'],
      ['an indefinite string', '5f 4161 4162 ff', 'ab'],
      ['an indefinite list', '9f 01 02 ff', [1, 2]],
      ['an indefinite map', 'bf 4161 01 ff', { a: 1 }],
      ['the self-described tag', 'd9d9f7 80', []],
      ['a half float', 'f9 3e00', 1.5],
      ['a single float', 'fa 3fc00000', 1.5],
      ['a double', 'fb 3ff8000000000000', 1.5],
      ['an int64', '1b 0020000000000001', 9007199254740993n],
      ['null and booleans', '83 f6 f5 f4', [null, true, false]],
      ['__proto__ as a key', 'a1 495f5f70726f746f5f5f 01', JSON.parse('{"__proto__":1}')],
    ]
    for (const [title, bytes, expected] of cases) it(title, () => assert.deepEqual(decodeCbor(hex(bytes)), expected))
  })

  describe('is refused', () => {
    const cases: [title: string, bytes: Uint8Array, error: RegExp][] = [
      ['a duplicate key', hex('a2 4161 01 4161 02'), /found duplicate map key "a" at map element index 1/],
      ['a key that is no string', hex('a1 01 01'), /key/],
      ['a list longer than the bytes', hex('9b ffffffffffffffff'), /EOF/],
      ['a string longer than the bytes', hex('5b ffffffffffffffff'), /EOF/],
      ['bytes after the item', hex('01 02'), /extraneous/],
      ['infinity', hex('f9 7c00'), /finite/],
      ['an integer beyond int64', hex('1b ffffffffffffffff'), /overflow/],
      ['an unknown tag', hex('c0 60'), /tag 0/],
      ['undefined', hex('f7'), /simple/],
      ['nesting', Buffer.alloc(nestingMax + 1, 0x81), /nested/],
      ['tags upon tags', Buffer.from('d9d9f7'.repeat(nestingMax + 1), 'hex'), /nested/],
      ['nothing', hex(''), /EOF/],
    ]
    for (const [title, bytes, error] of cases)
      it(title, () =>
        assert.throws(
          () => decodeCbor(bytes),
          (thrown: Error) => thrown.name === 'DecodeError' && error.test(thrown.message),
        ),
      )
  })

  it('a sequence is its items', () => assert.deepEqual(decodeCborSequence(hex('d9d9f701 d9d9f702')), [1, 2]))

  it('equal objects have equal bytes when their keys are sorted', () => {
    for (const count of [3, 12_000]) {
      const keys = Array.from({ length: count }, (_, index) => `${index % 2 === 0 ? 'é' : 'k'}${index}`)
      const objectOf = (names: readonly string[]): object => ({
        spec: Object.fromEntries(names.map((name) => [name, { b: 1, a: [name] }])),
      })
      const [bytes, reversed] = [keys, keys.toReversed()].map((names) =>
        encodeUntypedCbor(objectOf(names), { sorted: true }),
      )
      assert(bytes && reversed)
      assert.equal(Buffer.compare(bytes, reversed), 0)
      assert.deepEqual(decodeCbor(bytes), objectOf(keys))
    }
  })
})
