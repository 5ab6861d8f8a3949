import assert from 'node:assert/strict'
import { DecodeError, nestingMax, parseJson, strictErrorsMax } from '../../../lib/codec/index.ts'
import { bytesOf, codecOf, decode, encode, strictErrors } from './kit.ts'

const pod = (spec: unknown): unknown => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' }, spec })
const container = (fields: object): unknown => pod({ containers: [{ name: 'a', ...fields }] })

describe('JSON decoding', () => {
  describe('what does not fit is reported in Go’s words', () => {
    const cases: [title: string, type: string, body: unknown, error: string][] = [
      [
        'a number for a string in a map',
        'core/v1.ConfigMap',
        { data: { a: 1 } },
        'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      ],
      [
        'a string for an integer',
        'core/v1.Pod',
        container({ ports: [{ containerPort: 'x' }] }),
        'json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
      ],
      [
        'an object for a list',
        'core/v1.Pod',
        pod({ containers: {} }),
        'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
      ],
      [
        'a list for an object',
        'core/v1.Pod',
        pod([]),
        'json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec',
      ],
      ['a list for the whole', 'core/v1.Pod', [], 'json: cannot unmarshal array into Go value of type v1.Pod'],
      [
        'a string for a boolean',
        'core/v1.Pod',
        pod({ hostNetwork: 'true' }),
        'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
      ],
      [
        'a number for a named string',
        'core/v1.Pod',
        container({ imagePullPolicy: 1 }),
        'json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
      ],
      [
        'a fraction for an integer',
        'core/v1.Pod',
        pod({ priority: 1.5 }),
        'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        'an integer written with a fraction',
        'core/v1.Pod',
        '{"spec":{"priority":1.0}}',
        'json: cannot unmarshal number 1.0 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        'an integer written with an exponent',
        'core/v1.Pod',
        '{"spec":{"priority":1e2}}',
        'json: cannot unmarshal number 1e2 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        'an int32 out of range',
        'core/v1.Pod',
        pod({ priority: 2147483648 }),
        'json: cannot unmarshal number 2147483648 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        'an int64 out of range',
        'core/v1.Pod',
        '{"spec":{"activeDeadlineSeconds":9223372036854775808}}',
        'json: cannot unmarshal number 9223372036854775808 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
      ],
      ['bytes that are no base64', 'core/v1.Secret', { data: { a: 'a$==' } }, 'illegal base64 data at input byte 1'],
      ['bytes without padding', 'core/v1.Secret', { data: { a: 'abc' } }, 'illegal base64 data at input byte 0'],
      [
        'a quantity',
        'core/v1.Pod',
        container({ resources: { limits: { cpu: '1x' } } }),
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
      [
        'a boolean for a quantity',
        'core/v1.Pod',
        container({ resources: { limits: { cpu: true } } }),
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
      [
        'a time',
        'core/v1.ConfigMap',
        { metadata: { deletionTimestamp: 'foo' } },
        'parsing time "foo" as "2006-01-02T15:04:05Z07:00": cannot parse "foo" as "2006"',
      ],
      [
        'a number for a time',
        'core/v1.ConfigMap',
        { metadata: { deletionTimestamp: 1 } },
        'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.deletionTimestamp of type string',
      ],
      [
        'a boolean for a port',
        'core/v1.Service',
        { spec: { ports: [{ targetPort: true }] } },
        'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
      ],
      [
        'the first of two errors',
        'core/v1.Pod',
        pod({ hostNetwork: 1, hostPID: 2 }),
        'json: cannot unmarshal number into Go struct field PodSpec.spec.hostNetwork of type bool',
      ],
      [
        'a field’s own parser before the first error',
        'core/v1.Pod',
        pod({ hostNetwork: 1, overhead: { cpu: 'x' } }),
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
    ]
    for (const [title, type, body, error] of cases)
      it(title, () => assert.throws(() => decode(type, body), { name: 'DecodeError', message: error }))
  })

  describe('malformed text is reported in Go’s words', () => {
    const cases: [text: string, error: string][] = [
      ['', 'unexpected end of JSON input'],
      ['{"a":', 'unexpected end of JSON input'],
      ['hello', "invalid character 'h' looking for beginning of value"],
      ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
      ['{"a" 1}', "invalid character '1' after object key"],
      ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
      ['[1 2]', "invalid character '2' after array element"],
      ['{} x', "invalid character 'x' after top-level value"],
      ['[01]', "invalid character '1' after array element"],
      ['[-]', "invalid character ']' in numeric literal"],
      ['[1.]', "invalid character ']' after decimal point in numeric literal"],
      ['[1e]', "invalid character ']' in exponent of numeric literal"],
      ['[trub]', "invalid character 'b' in literal true (expecting 'e')"],
      ['["\\x"]', "invalid character 'x' in string escape code"],
      ['["\\u12g4"]', "invalid character 'g' in \\u hexadecimal character escape"],
      ['["\n"]', "invalid character '\\n' in string literal"],
      ["['a']", "invalid character '\\'' looking for beginning of value"],
      ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ]
    for (const [text, error] of cases)
      it(JSON.stringify(text), () =>
        assert.throws(() => parseJson(bytesOf(text)), { name: 'DecodeError', message: error }),
      )
  })

  describe('unknown and duplicate fields', () => {
    const cases: [title: string, type: string, text: string, errors: string[]][] = [
      ['none', 'core/v1.ConfigMap', '{"metadata":{"name":"a"},"data":{"a":"b"}}', []],
      [
        'unknown, in the order of the text',
        'core/v1.ConfigMap',
        '{"foo":1,"data":{},"bar":2}',
        ['unknown field "foo"', 'unknown field "bar"'],
      ],
      [
        'unknown in a list',
        'core/v1.Pod',
        '{"spec":{"containers":[{"name":"a"},{"nam":"b"}]}}',
        ['unknown field "spec.containers[1].nam"'],
      ],
      ['names are case-sensitive', 'core/v1.Pod', '{"Spec":{}}', ['unknown field "Spec"']],
      ['duplicate', 'core/v1.ConfigMap', '{"data":{"a":"1"},"data":{"a":"2"}}', ['duplicate field "data"']],
      ['duplicate map key', 'core/v1.ConfigMap', '{"data":{"a":"1","a":"2"}}', ['duplicate field "data.a"']],
      ['duplicate with escapes', 'core/v1.ConfigMap', '{"data":{"a":"1","\\u0061":"2"}}', ['duplicate field "data.a"']],
      [
        'both',
        'core/v1.Pod',
        '{"spec":{"hostPID":true,"x":1,"hostPID":true}}',
        ['unknown field "spec.x"', 'duplicate field "spec.hostPID"'],
      ],
      ['a repeated unknown field once', 'core/v1.Pod', '{"x":1,"x":2}', ['unknown field "x"']],
      ['what an unknown field holds is not looked at', 'core/v1.Pod', '{"x":{"a":1,"a":2}}', ['unknown field "x"']],
      ['embedded values are not looked at', 'apps/v1.ControllerRevision', '{"data":{"a":1,"a":2}}', []],
      ['colons in strings are no keys', 'core/v1.ConfigMap', '{"data":{"a":"\\":,{[:"}}', []],
    ]
    for (const [title, type, text, errors] of cases) it(title, () => assert.deepEqual(strictErrors(type, text), errors))

    it(`no more than ${strictErrorsMax} are reported`, () => {
      const body = Object.fromEntries(Array.from({ length: strictErrorsMax + 50 }, (_, i) => [`x${i}`, 1]))
      assert.equal(strictErrors('core/v1.Pod', body).length, strictErrorsMax)
    })
  })

  it('zero values are left out or kept as the API has them', () => {
    const { spec, status } = decode(
      'core/v1.Pod',
      pod({ containers: [{}], hostNetwork: false, volumes: [], nodeSelector: {}, priority: 0, nodeName: '' }),
    )
    assert.deepEqual(spec, { containers: [{ name: '', resources: {} }], priority: 0 })
    assert.deepEqual(status, {})
  })

  it('an empty list is absent, unless its table distinguishes it from none; neither is written', () => {
    assert.deepEqual(decode('core/v1.PodSpec', { tolerations: [] })['tolerations'], undefined)
    const rules = 'autoscaling/v2.HPAScalingRules'
    assert.deepEqual(decode(rules, { policies: [] }), { policies: [] })
    assert.deepEqual(decode(rules, { policies: null }), {})
    assert.equal(encode(rules, { policies: [] }), '{}')
  })

  it('null is absent, and zero among items', () => {
    const object = decode(
      'core/v1.Pod',
      '{"metadata":null,"spec":{"containers":null,"priority":null,"hostAliases":[{"hostnames":[null,"a"]},null]}}',
    )
    assert.deepEqual(object, {
      metadata: {},
      spec: { hostAliases: [{ ip: '', hostnames: ['', 'a'] }, { ip: '' }] },
      status: {},
    })
  })

  it('fields come in canonical order, whatever the order of the text', () => {
    const object = decode(
      'core/v1.ConfigMap',
      '{"data":{"a":"b"},"metadata":{"namespace":"y","name":"x"},"apiVersion":"v1","kind":"ConfigMap"}',
    )
    assert.equal(
      JSON.stringify(object),
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","namespace":"y"},"data":{"a":"b"}}',
    )
  })

  it('an int64 beyond 2^53 is exact', () => {
    const text = '{"metadata":{},"spec":{"containers":null,"activeDeadlineSeconds":9007199254740993},"status":{}}'
    const object = decode('core/v1.Pod', text)
    assert.equal((object['spec'] as { activeDeadlineSeconds: unknown }).activeDeadlineSeconds, 9007199254740993n)
    assert.equal(encode('core/v1.Pod', object), text)
  })

  it('numbers that no type holds are refused, or rounded where any value is allowed', () => {
    assert.throws(() => parseJson(bytesOf('[1e999]')), /cannot unmarshal number 1e999 into Go value of type float64/)
    assert.deepEqual(parseJson(bytesOf(`[${'9'.repeat(30)}]`)), [1e30])
    assert.throws(() => parseJson(bytesOf('9'.repeat(100_000))), /cannot unmarshal number/)
  })

  it('__proto__ and constructor are plain keys of maps', () => {
    const text = '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}'
    const object = decode('core/v1.ConfigMap', text)
    assert.equal(encode('core/v1.ConfigMap', object), text)
    assert.equal(Object.getPrototypeOf((object['metadata'] as { labels: object }).labels), Object.prototype)
    assert.deepEqual(strictErrors('core/v1.ConfigMap', '{"__proto__":{"data":{"a":"b"}}}'), [
      'unknown field "__proto__"',
    ])
  })

  it('times, quantities and durations become canonical', () => {
    const object = decode('core/v1.Pod', {
      metadata: { creationTimestamp: '2024-05-14T11:30:00.5+02:00' },
      spec: { containers: [], overhead: { cpu: 0.5, memory: '1024Mi' } },
    })
    assert.deepEqual(object['metadata'], { creationTimestamp: '2024-05-14T09:30:00Z' })
    assert.deepEqual((object['spec'] as { overhead: unknown }).overhead, { cpu: '500m', memory: '1Gi' })
    const lease = decode('coordination.k8s.io/v1.Lease', { spec: { renewTime: '2024-05-14T11:30:00.000001+02:00' } })
    assert.deepEqual(lease['spec'], { renewTime: '2024-05-14T09:30:00.000001Z' })
  })

  it('the zero time is absent', () => {
    assert.deepEqual(decode('core/v1.ConfigMap', { metadata: { creationTimestamp: '0001-01-01T00:00:00Z' } }), {
      metadata: {},
    })
  })

  it('base64 is brought to its canonical form', () => {
    assert.deepEqual(decode('core/v1.Secret', { data: { a: 'YW\nI=', b: 'YWJ=' } })['data'], { a: 'YWI=', b: 'YWI=' })
  })

  for (const [name, key] of [
    ['escaped', String.raw`a\\`],
    ['escaped by its number', String.raw`a\u005c`],
  ] as const)
    it(`a key with a backslash, ${name}, changes nothing in the keys that are read after it`, () => {
      const keys = (text: string): string[] => Object.keys(parseJson(Buffer.from(text)) as object)
      for (let i = 0; i < 20; i++) assert.deepEqual(keys(`{"${name}":1,"${key}" :1}`), [name, 'a\\'])
      assert.deepEqual(keys(`{"${name}":1,"a\\"":1}`), [name, 'a"'])
      assert.deepEqual(keys(`{"${name}":1,"a\\u0001":1}`), [name, 'a\u0001'])
    })

  it('lone surrogates that are escaped become U+FFFD', () => {
    assert.deepEqual(decode('core/v1.ConfigMap', '{"data":{"a":"\\ud800x","b":"\\ud83d\\ude00"}}')['data'], {
      a: '\ufffdx',
      b: '😀',
    })
  })

  it(`deeper than ${nestingMax} levels is refused, however it nests`, () => {
    for (const text of [
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      `{"x":${'['.repeat(nestingMax)}${']'.repeat(nestingMax)}}`,
    ])
      assert.throws(() => decode('core/v1.Pod', text), { message: 'exceeded max depth' })
    const schema = (depth: number): string => `${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`
    assert.ok(decode('apiextensions.k8s.io/v1.JSONSchemaProps', schema(nestingMax - 1)))
    assert.throws(() => decode('apiextensions.k8s.io/v1.JSONSchemaProps', schema(nestingMax)), DecodeError)
  })

  it('each alternative of a schema’s union is accepted', () => {
    const text = '{"items":{"type":"string"},"additionalProperties":false,"dependencies":{"a":["b"],"c":{"type":"x"}}}'
    assert.equal(
      encode('apiextensions.k8s.io/v1.JSONSchemaProps', decode('apiextensions.k8s.io/v1.JSONSchemaProps', text)),
      text,
    )
  })
})

describe('JSON encoding', () => {
  it('a missing value is written as Go writes its zero', () => {
    assert.equal(encode('core/v1.Pod', {}), '{"metadata":{},"spec":{"containers":null},"status":{}}')
    assert.equal(encode('rbac.authorization.k8s.io/v1.Role', { metadata: {}, rules: [] }), '{"metadata":{},"rules":[]}')
    assert.match(
      encode('core/v1.Event', {}),
      /"firstTimestamp":null,"lastTimestamp":null.*"eventTime":null,"reportingComponent":""/,
    )
  })

  it('fields out of order and empty values are corrected', () => {
    const object = {
      status: {},
      spec: { volumes: [], nodeName: '', containers: [{ resources: {}, name: 'a' }] },
      metadata: { labels: {}, name: 'x' },
    }
    assert.equal(
      encode('core/v1.Pod', object),
      '{"metadata":{"name":"x"},"spec":{"containers":[{"name":"a","resources":{}}]},"status":{}}',
    )
  })

  it('fields that the type lacks are left out', () => {
    assert.equal(encode('core/v1.ConfigMap', { metadata: {}, foo: 1 }), '{"metadata":{}}')
  })

  it('map keys are sorted by their bytes, numbers among them too', () => {
    const data = { '9': 'a', '10': 'b', b: 'c', a: 'd', B: 'e', '\uffff': 'f', '😀': 'g' }
    assert.equal(
      encode('core/v1.ConfigMap', { metadata: {}, data }),
      '{"metadata":{},"data":{"10":"b","9":"a","B":"e","a":"d","b":"c","\uffff":"f","😀":"g"}}',
    )
  })

  it('an embedded object keeps its order, and one with keys that are numbers has all of them in order of bytes', () => {
    const data = { b: [{ z: { 10: 1, 9: 2, a: 3 } }], a: { '0abc': 1, 2: 0 } }
    assert.equal(
      encode('apps/v1.ControllerRevision', { metadata: {}, data, revision: 1 }),
      '{"metadata":{},"data":{"b":[{"z":{"10":1,"9":2,"a":3}}],"a":{"0abc":1,"2":0}},"revision":1}',
    )
  })

  it('HTML’s characters and line separators are escaped', () => {
    assert.equal(
      encode('core/v1.ConfigMap', { data: { a: '<a href="x">&</a>\u2028\u2029', b: '\ud800' } }),
      '{"metadata":{},"data":{"a":"\\u003ca href=\\"x\\"\\u003e\\u0026\\u003c/a\\u003e\\u2028\\u2029","b":"\ufffd"}}',
    )
    const backslashes = { data: { a: '\\ud800<' } }
    assert.deepEqual(decode('core/v1.ConfigMap', encode('core/v1.ConfigMap', backslashes))['data'], backslashes.data)
  })

  it('pretty is two spaces a level', () => {
    const object = { kind: 'ConfigMap', metadata: { labels: {} }, data: { '2': 'x', '10': 'y' } }
    assert.equal(
      encode('core/v1.ConfigMap', object, { pretty: true }),
      '{\n  "kind": "ConfigMap",\n  "metadata": {},\n  "data": {\n    "10": "y",\n    "2": "x"\n  }\n}',
    )
  })

  it('does not change the object', () => {
    const object = Object.freeze({ metadata: Object.freeze({ labels: Object.freeze({ b: '1', a: '2' }) }) })
    encode('core/v1.ConfigMap', object)
    assert.deepEqual(Object.keys(object.metadata.labels), ['b', 'a'])
  })
})

describe('codecs', () => {
  it('are made once a struct', () => assert.equal(codecOf('core/v1.Pod'), codecOf('core/v1.Pod')))
})
