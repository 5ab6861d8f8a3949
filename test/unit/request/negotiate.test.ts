import assert from 'node:assert/strict'
import fc from 'fast-check'
import { StatusError } from '../../../lib/object/index.ts'
import { createNegotiator, isPretty } from '../../../lib/request/index.ts'

const negotiator = createNegotiator({
  formats: ['json', 'yaml', 'protobuf'],
  streamFormats: ['json', 'protobuf'],
  transforms: true,
})
const custom = createNegotiator({
  formats: ['json', 'yaml'],
  streamFormats: ['json'],
  transforms: true,
  metadataFormats: ['protobuf'],
})
const plain = createNegotiator({ formats: ['json'], streamFormats: [], transforms: false })

const table = ';as=Table;g=meta.k8s.io;v=v1'
const accepted: readonly (readonly [string | undefined, string, string | undefined])[] = [
  [undefined, 'json', undefined],
  ['', 'json', undefined],
  ['*/*', 'json', undefined],
  ['application/*', 'json', undefined],
  ['application/yaml', 'yaml', undefined],
  ['APPLICATION/JSON', 'json', undefined],
  ['application/vnd.kubernetes.protobuf,application/json', 'protobuf', undefined],
  ['application/json;q=0.5,application/yaml', 'yaml', undefined],
  ['text/html, application/json;q=0.9, */*;q=0.8', 'json', undefined],
  ['*/*, application/yaml', 'yaml', undefined],
  ['application/json;q=0, application/yaml;q=0.1', 'yaml', undefined],
  [`application/json${table}`, 'json', 'Table'],
  ['application/json;as="Table";g="meta.k8s.io";v="v1beta1"', 'json', 'Table'],
  [`application/vnd.kubernetes.protobuf${table},application/json${table},application/json`, 'json', 'Table'],
  ['application/json;as=Table;g=meta.k8s.io;v=v9,application/json', 'json', undefined],
  [
    'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    'protobuf',
    'PartialObjectMetadataList',
  ],
  ['application/json;profile=x', 'json', undefined],
  // As clients say it that watch by the same header.
  ['application/vnd.kubernetes.protobuf;stream=watch', 'protobuf', undefined],
]

describe('negotiation', () => {
  for (const [accept, format, transform] of accepted) {
    it(`Accept: ${accept ?? '(absent)'} is ${format}${transform ? ` as ${transform}` : ''}`, () => {
      for (let times = 0; times < 2; times++) {
        const chosen = negotiator.response(accept)
        assert.equal(chosen.format, format)
        assert.equal(chosen.transform?.kind, transform)
      }
    })
  }

  it('answers the metadata of custom resources in protobuf, and the whole objects in the next type', () => {
    const message = 'application/vnd.kubernetes.protobuf'
    const metadata = `${message};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`
    for (const chosen of [custom.response(metadata), custom.stream(`${metadata};stream=watch`)])
      assert.deepEqual([chosen.format, chosen.transform?.kind], ['protobuf', 'PartialObjectMetadata'])
    assert.equal(custom.response(`${message},application/json`).format, 'json')
  })

  it('treats a sequence of CBOR as CBOR where answers are sequences, and the gate is on', () => {
    const cbor = createNegotiator({ formats: ['json', 'cbor'], streamFormats: ['json', 'cbor'], transforms: true })
    assert.equal(cbor.stream('application/cbor-seq').format, 'cbor')
    assert.equal(cbor.stream('application/cbor-seq;q=0.5,application/json').format, 'json')
    assert.throws(() => cbor.response('application/cbor-seq'), { code: 406 })
    assert.throws(() => negotiator.stream('application/cbor-seq'), { code: 406 })
  })

  const all = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  const refused: readonly (readonly [string, () => unknown, string])[] = [
    [
      'a type that nobody writes',
      () => negotiator.response('text/html'),
      `406: Not Acceptable\n\nAvailable representations: ${all}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
    ],
    [
      'the same of a custom resource',
      () => custom.response('text/html'),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'a custom resource in protobuf',
      () => custom.response('application/vnd.kubernetes.protobuf'),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'a Table of custom resources in protobuf',
      () => custom.response(`application/vnd.kubernetes.protobuf${table}`),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'a Table in protobuf',
      () => negotiator.response(`application/vnd.kubernetes.protobuf${table}`),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'half a Table',
      () => negotiator.response('application/json;as=Table'),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'a Table of what has none',
      () => plain.response(`application/json${table}`),
      'only the following media types are accepted: application/json',
    ],
    [
      'a stream of what is none',
      () => negotiator.response('application/yaml;stream=watch'),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'a stream of another kind',
      () => negotiator.response('application/json;stream=logs'),
      `only the following media types are accepted: ${all}`,
    ],
    [
      'a watch in YAML',
      () => negotiator.stream('application/yaml'),
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    ],
  ]
  for (const [title, run, message] of refused) {
    it(`refuses ${title}`, () => {
      assert.throws(
        run,
        (error: unknown) => error instanceof StatusError && error.code === 406 && error.message === message,
      )
    })
  }

  it('streams where streams are possible', () => {
    assert.equal(negotiator.stream('application/vnd.kubernetes.protobuf;stream=watch').format, 'protobuf')
    assert.equal(negotiator.stream(undefined).format, 'json')
  })

  it('reads bodies by their type', () => {
    assert.equal(negotiator.body(undefined), 'json')
    assert.equal(negotiator.body('application/json; charset=utf-8'), 'json')
    assert.equal(negotiator.body('application/vnd.kubernetes.protobuf'), 'protobuf')
    assert.throws(
      () => negotiator.body('text/plain'),
      (error: unknown) => error instanceof StatusError && error.code === 415,
    )
  })

  it('limits its cache, and chooses the same afterwards', () => {
    for (let i = 0; i < 1000; i++) assert.equal(negotiator.response(`application/json;x=${i}`).format, 'json')
    assert.equal(negotiator.response('application/yaml').format, 'yaml')
  })

  it('answers or refuses any header', () => {
    fc.assert(
      fc.property(fc.string(), (accept) => {
        try {
          negotiator.response(accept)
        } catch (error) {
          assert.ok(error instanceof StatusError && error.code === 406)
        }
      }),
    )
  })

  it('indents for clients that request it, and for people’s tools unless they decline', () => {
    const none = new URLSearchParams()
    assert.equal(isPretty(none, 'curl/8.0'), true)
    assert.equal(isPretty(none, 'kubectl/v1.33'), false)
    assert.equal(isPretty(new URLSearchParams('pretty=true'), undefined), true)
    assert.equal(isPretty(new URLSearchParams('pretty=0'), 'curl/8.0'), false)
  })
})
