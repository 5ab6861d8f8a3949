import assert from 'node:assert/strict'
import {
  DecodeError,
  decodeMessage,
  MessageWriter,
  nestingMax,
  protobufFrames,
  readEnvelope,
  readObjectMeta,
} from '../../../lib/codec/index.ts'
import { codecOf, encode } from './kit.ts'

const writer = new MessageWriter()
const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex')
const message = (name: string, object: object): string =>
  Buffer.from(writer.message(object, codecOf(name))).toString('hex')
const read = (name: string, text: string): unknown => decodeMessage(hex(text), codecOf(name))

describe('protobuf', () => {
  describe('scalars', () => {
    // [type, object, message]
    const cases: [title: string, type: string, object: object, message: string][] = [
      [
        'strings and numbers are written when zero',
        'core/v1.ContainerPort',
        { containerPort: 0 },
        '0a00 1000 1800 2200 2a00',
      ],
      [
        'a negative int32 takes ten bytes',
        'core/v1.ContainerPort',
        { containerPort: -1 },
        '0a00 1000 18ffffffffffffffffff01 2200 2a00',
      ],
      ['an absent pointer is left out', 'core/v1.ResourceFieldSelector', { resource: 'a' }, '0a00 120161 1a03 0a0130'],
      [
        'an int64 beyond 2^53',
        'core/v1.Toleration',
        { tolerationSeconds: 9007199254740993n },
        '0a00 1200 1a00 2200 28 8180808080808010',
      ],
      [
        'a time',
        'meta/v1.Condition',
        { lastTransitionTime: '2023-11-14T22:13:20Z' },
        '0a00 1200 1800 2208 0880e2cfaa06 1000 2a00 3200',
      ],
      [
        'a time before 1970',
        'meta/v1.Condition',
        { lastTransitionTime: '1969-12-31T23:59:59Z' },
        '0a00 1200 1800 220d 08ffffffffffffffffff01 1000 2a00 3200',
      ],
      ['a missing time is an empty message', 'meta/v1.Condition', {}, '0a00 1200 1800 2200 2a00 3200'],
      [
        'a micro time',
        'coordination.k8s.io/v1.LeaseSpec',
        { renewTime: '2023-11-14T22:13:20.000001Z' },
        '2209 0880e2cfaa06 10e807',
      ],
      ['a port by number', 'core/v1.TCPSocketAction', { port: 80 }, '0a06 0800 1050 1a00 1200'],
      ['a port by name', 'core/v1.TCPSocketAction', { port: 'http' }, '0a0a 0801 1000 1a0468747470 1200'],
      ['map keys are sorted', 'core/v1.NodeSelectorTerm', {}, ''],
    ]
    for (const [title, type, object, expected] of cases)
      it(title, () => {
        assert.equal(message(type, object), expected.replaceAll(' ', ''))
        assert.equal(encode(type, read(type, expected) as object), encode(type, object))
      })
  })

  it('map entries are sorted by key', () => {
    assert.match(
      message('core/v1.ConfigMap', { data: { b: '2', a: '1', '10': '3' } }),
      /12070a023130120133.*12060a0161120131.*12060a0162120132/,
    )
  })

  it('empty lists, maps and bytes that are absent are left out', () => {
    const bare = message('core/v1.Secret', {})
    assert.equal(message('core/v1.Secret', { data: {} }), bare)
    assert.equal(message('core/v1.RangeAllocation', { data: '' }), `${message('core/v1.RangeAllocation', {})}1a00`)
  })

  it('the text of an embedded object is read and written unchanged', () => {
    const text = '{"b":{"0abc":"1","10":"a","9":"\\u003c"},"a":[{"z":1,"c":null,"$patch":"replace"}]}'
    const raw = Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text)])
    const codec = codecOf('apps/v1.ControllerRevision')
    const revision = decodeMessage(Buffer.concat([hex('0a00 12'), Buffer.from([raw.length]), raw, hex('1801')]), codec)
    assert.ok(Buffer.from(writer.message(revision, codec)).includes(text))
  })

  it('texts beyond ASCII, long texts and lone surrogates', () => {
    for (const text of ['é', '😀', 'x'.repeat(100), 'é'.repeat(100), 'x'.repeat(200_000)]) {
      const bytes = writer.message({ data: { a: text } }, codecOf('core/v1.ConfigMap'))
      assert.deepEqual(decodeMessage(bytes, codecOf('core/v1.ConfigMap'))['data'], { a: text })
    }
    const bytes = writer.message({ data: { a: '\ud800' } }, codecOf('core/v1.ConfigMap'))
    assert.deepEqual(decodeMessage(bytes, codecOf('core/v1.ConfigMap'))['data'], { a: '\ufffd' })
  })

  it('unknown fields of every wire type are skipped, groups too', () => {
    const unknown = '9a0603616263 980601 9106 0000000000000000 9d06 00000000 a306 0801 a306 a406 a406'
    assert.deepEqual(read('core/v1.LocalObjectReference', `${unknown} 0a0161`), { name: 'a' })
  })

  it('the last of repeated single fields wins', () => {
    assert.deepEqual(read('core/v1.LocalObjectReference', '0a0161 0a0162'), { name: 'b' })
  })

  it('__proto__ is a plain key', () => {
    const object = { metadata: JSON.parse('{"labels":{"__proto__":"x"}}') as object }
    const decoded = decodeMessage(writer.message(object, codecOf('core/v1.ConfigMap')), codecOf('core/v1.ConfigMap'))
    assert.equal(JSON.stringify(decoded['metadata']), '{"labels":{"__proto__":"x"}}')
  })

  it('a decoded object does not change with the buffer that it was decoded from', () => {
    const bytes = writer.message(
      { metadata: { name: 'a' }, data: { key: 'value '.repeat(20) } },
      codecOf('core/v1.ConfigMap'),
    )
    const object = decodeMessage(bytes, codecOf('core/v1.ConfigMap'))
    bytes.fill(0)
    assert.deepEqual(object['data'], { key: 'value '.repeat(20) })
  })

  it('a writer that failed half-way writes the next message right', () => {
    const codec = codecOf('core/v1.ConfigMap')
    assert.throws(() => writer.message({ metadata: { creationTimestamp: 'x' }, data: { a: 'b' } }, codec))
    assert.equal(message('core/v1.LocalObjectReference', { name: 'a' }), '0a0161')
  })

  describe('quantities that clients send', () => {
    // {resource=2: "a", divisor=3: {string=1}}
    const divisor = (text: string): string =>
      `120161 1a${Buffer.from([text.length + 2, 0x0a, text.length]).toString('hex')}${Buffer.from(text).toString('hex')}`

    const sent = (text: string): unknown => decodeMessage(hex(text), codecOf('core/v1.ResourceFieldSelector'), 1000)

    for (const text of ['', 'x', '1x', '1e', '--1', '2E6024865272343'])
      it(`a text that is none is refused as in JSON: ${JSON.stringify(text)}`, () => {
        assert.throws(() => sent(divisor(text)), DecodeError)
      })

    for (const [text, canonical] of [
      ['1', '1'],
      ['1000m', '1'],
      ['+1', '+1'],
      ['1.50Gi', '1536Mi'],
    ] as const)
      it(`they are as from JSON: ${text}`, () => {
        assert.deepEqual(sent(divisor(text)), { resource: 'a', divisor: canonical })
      })
  })

  describe('hostile messages end in an error', () => {
    const deep = (depth: number): Uint8Array => {
      // JSONSchemaProps.not is field 28
      let bytes = Buffer.alloc(0)
      for (let i = 0; i < depth; i++) {
        const length: number[] = []
        for (let rest = bytes.length; ; rest >>>= 7) {
          length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
          if (rest <= 0x7f) break
        }
        bytes = Buffer.concat([Buffer.from([0xe2, 0x01, ...length]), bytes])
      }
      return bytes
    }
    const cases: [title: string, type: string, bytes: Uint8Array, error: RegExp][] = [
      ['cut within a string', 'core/v1.LocalObjectReference', hex('0a0561'), /unexpected EOF/],
      ['a length of 4 GB', 'core/v1.LocalObjectReference', hex('0affffffff0f'), /unexpected EOF/],
      ['an endless varint', 'core/v1.ContainerPort', hex('18ffffffffffffffffffffff'), /overflow|EOF/],
      ['an endless tag', 'core/v1.ContainerPort', hex('ffffffffffffffffffffffffffff01'), /overflow|EOF|illegal/],
      ['another wire type for a known field', 'core/v1.LocalObjectReference', hex('0801'), /wrong wireType = 0/],
      ['wire type 7', 'core/v1.LocalObjectReference', hex('9f06'), /wireType 7/],
      ['the end of a group that never began', 'core/v1.LocalObjectReference', hex('a406'), /wireType 4|group/],
      [
        'groups without end',
        'core/v1.LocalObjectReference',
        Buffer.from('a306'.repeat(nestingMax + 2), 'hex'),
        /depth|EOF/,
      ],
      ['messages within each other', 'apiextensions.k8s.io/v1.JSONSchemaProps', deep(nestingMax + 2), /depth/],
      ['an embedded value that is no JSON', 'apps/v1.ControllerRevision', hex('1203 0a017b'), /JSON/],
      ['a sub-message longer than its parent', 'core/v1.ConfigMap', hex('0a04 0aff 0161'), /unexpected EOF/],
    ]
    for (const [title, type, bytes, error] of cases)
      it(title, () =>
        assert.throws(
          () => decodeMessage(bytes, codecOf(type)),
          (thrown) => thrown instanceof DecodeError && error.test(thrown.message),
        ),
      )
  })
})

describe('the envelope', () => {
  it('holds kind, apiVersion and the message', () => {
    const bytes = writer.envelope(
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } } as never,
      codecOf('core/v1.Pod'),
    )
    const { apiVersion, kind, raw } = readEnvelope(bytes)
    assert.deepEqual([apiVersion, kind], ['v1', 'Pod'])
    assert.deepEqual(decodeMessage(raw, codecOf('core/v1.Pod'))['metadata'], { name: 'a' })
  })

  it('starts with its magic', () => {
    assert.throws(() => readEnvelope(hex('6b387301')), /expected prefix \[107 56 115 0\]/)
    assert.throws(() => readEnvelope(hex('6b3873000aff')), DecodeError)
  })

  it('a watch event goes there and back', () => {
    for (const item of [hex('010203'), hex(''), new Uint8Array(70_000).fill(7)]) {
      const frame = Buffer.concat(protobufFrames.watchFramer('v1', 'Pod')('ADDED', item))
      assert.equal(frame.readUInt32BE(), frame.length - 4)
      const { type, object } = protobufFrames.readWatchEvent(frame.subarray(4))
      assert.equal(type, 'ADDED')
      assert.deepEqual(Buffer.from(object), Buffer.from(protobufFrames.frameObject('v1', 'Pod', item)))
    }
  })
})

describe('metadata of stored bytes', () => {
  const metadata = {
    name: 'a',
    namespace: 'b',
    uid: 'c',
    generation: 3,
    creationTimestamp: '2024-05-14T09:30:00Z',
    deletionTimestamp: '2024-05-14T09:31:00Z',
    labels: { x: 'y', __proto: 'z' },
    annotations: { k: 'v' },
    finalizers: ['f'],
  }
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'x' }] } }
  const expected = { apiVersion: 'v1', kind: 'Pod', generateName: '', ...metadata }

  it('is read off a protobuf envelope', () =>
    assert.deepEqual(readObjectMeta(writer.envelope(object as never, codecOf('core/v1.Pod'))), expected))
  it('is read off JSON', () => assert.deepEqual(readObjectMeta(Buffer.from(JSON.stringify(object))), expected))
  it('is empty where there is none', () =>
    assert.deepEqual(readObjectMeta(Buffer.from('{"kind":"X","apiVersion":"a/v1"}')).labels, {}))
})
