import assert from 'node:assert/strict'
import { type CrdKit, causesOf, createCrdKit, definitionOf } from '../../support/crdkit.ts'

const base = '/apis/example.com/v1/namespaces/default/things'

const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, maximum: 5 },
        count32: { type: 'integer', format: 'int32' },
        small32: { type: 'integer', format: 'int32', minimum: -5, maximum: 5 },
        plain: { type: 'integer' },
        number32: { type: 'number', format: 'int32', maximum: 2 ** 40 },
        float: { type: 'number', format: 'float' },
        even: { type: 'number', multipleOf: 2 },
        above: { type: 'number', minimum: 1, exclusiveMinimum: true },
        below: { type: 'number', maximum: 1, exclusiveMaximum: true },
        short: { type: 'string', minLength: 2, maxLength: 3 },
        lower: { type: 'string', pattern: '^[a-z]+$' },
        one: { type: 'string', enum: ['a', 'b'] },
        time: { type: 'string', format: 'date-time' },
        list: { type: 'array', minItems: 1, maxItems: 2, items: text },
        single: { type: 'array', maxItems: 1, items: text },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
        },
        fields: { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: text },
        needed: { type: 'object', required: ['a'], properties: { a: text } },
        either: { 'x-kubernetes-int-or-string': true },
        typed: { type: 'string', 'x-kubernetes-int-or-string': true },
        host: { type: 'string', format: 'hostname' },
        ip4: { type: 'string', format: 'ipv4' },
        ip6: { type: 'string', format: 'ipv6' },
        combined: {
          type: 'object',
          properties: { a: { type: 'integer' }, b: text },
          anyOf: [{ properties: { a: { minimum: 1 } } }, { required: ['b'] }],
          not: { required: ['a'], properties: { a: { enum: [3] } } },
        },
        choice: {
          type: 'object',
          properties: { a: text, b: text },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
      },
    },
  },
}

const body = (field: string, what: string): string =>
  `${field}: Invalid value: ${what.replace('BODY', `${field} in body`)}`

/** A value of one field of `spec`, and the causes of its refusal. */
const cases: readonly (readonly [field: string, value: unknown, causes: readonly string[]])[] = [
  ['count', 0, [body('spec.count', '0: BODY should be greater than or equal to 1')]],
  ['count', 6, [body('spec.count', '6: BODY should be less than or equal to 5')]],
  ['count', 'x', [body('spec.count', '"string": BODY must be of type integer: "string"')]],
  [
    'count',
    1.5,
    [
      body('spec.count', '"number": BODY must be of type integer: "number"'),
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.count',
    ],
  ],
  [
    'count32',
    2 ** 31,
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.count32'],
  ],
  [
    'small32',
    2 ** 31,
    [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.small32',
      body('spec.small32', '2147483648: BODY should be less than or equal to 5'),
    ],
  ],
  [
    'small32',
    -(2 ** 31) - 1,
    [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.small32',
      body('spec.small32', '-2147483649: BODY should be greater than or equal to -5'),
    ],
  ],
  [
    'plain',
    1e21,
    [
      body('spec.plain', '"number": BODY must be of type integer: "number"'),
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.plain',
    ],
  ],
  ['number32', 2 ** 41, [body('spec.number32', '2199023255552: BODY should be less than or equal to 1099511627776')]],
  ['float', 1e39, ['<nil>: Invalid value: "": Checked value must be of type number with format float in spec.float']],
  ['even', 3, [body('spec.even', '3: BODY should be a multiple of 2')]],
  ['above', 1, [body('spec.above', '1: BODY should be greater than 1')]],
  ['below', 1, [body('spec.below', '1: BODY should be less than 1')]],
  ['short', 'a', [body('spec.short', '"a": BODY should be at least 2 chars long')]],
  ['short', 'abcd', ['spec.short: Too long: may not be more than 3 bytes']],
  ['lower', 'A', [body('spec.lower', `"A": BODY should match '^[a-z]+$'`)]],
  ['one', 'c', ['spec.one: Unsupported value: "c": supported values: "a", "b"']],
  ['time', 'x', [body('spec.time', '"x": BODY must be of type date-time: "x"')]],
  ['list', [], [body('spec.list', '0: BODY should have at least 1 items')]],
  ['list', ['a', 'b', 'c'], ['spec.list: Too many: 3: must have at most 2 items']],
  ['list', [1], [body('spec.list[0]', '"integer": BODY must be of type string: "integer"')]],
  ['single', ['a', 'b'], ['spec.single: Too many: 2: must have at most 1 item']],
  ['set', ['a', 'a'], ['spec.set[1]: Duplicate value: "a"']],
  ['keyed', [{ name: 'a' }, { name: 'a', value: 'b' }], ['spec.keyed[1]: Duplicate value: {"name":"a"}']],
  ['keyed', [{ value: 'b' }], ['spec.keyed[0].name: Required value']],
  ['fields', {}, [body('spec.fields', '0: BODY should have at least 1 properties')]],
  ['fields', { a: 'a', b: 'b' }, ['spec.fields: Too many: 2: must have at most 1 item']],
  ['fields', { a: 1 }, [body('spec.fields.a', '"integer": BODY must be of type string: "integer"')]],
  ['needed', {}, ['spec.needed.a: Required value']],
  ['either', true, [body('spec.either', '"boolean": BODY must be of type integer,string: "boolean"')]],
  [
    'choice',
    {},
    [
      '<nil>: Invalid value: "": "spec.choice" must validate one and only one schema (oneOf). Found none valid',
      'spec.choice.a: Required value',
    ],
  ],
  [
    'choice',
    { a: 'a', b: 'b' },
    [
      '<nil>: Invalid value: "": "spec.choice" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  ],
]

describe('custom resources: keywords of schemas', () => {
  let kit: CrdKit
  before(async () => {
    kit = await createCrdKit()
    const scale = { specReplicasPath: '.spec.count.of', statusReplicasPath: '.status.count' }
    await kit.define(definitionOf({ schema }))
    await kit.define(
      definitionOf({
        kind: 'Counter',
        version: { subresources: { status: {}, scale } },
      }),
    )
  })
  after(() => kit.close())

  const refusal = async (path: string, kind: string, spec: object): Promise<readonly string[]> => {
    const object = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a' }, spec }
    const answer = await kit.request('POST', path, { body: object })
    assert.equal(answer.status, 422, answer.text)
    return causesOf(answer).map((cause) => cause.replace(/^\w+ /, ''))
  }

  for (const [field, value, causes] of cases)
    it(`refuse ${JSON.stringify(value)} as ${field} with the stock causes`, async () => {
      assert.deepEqual(await refusal(base, 'Thing', { [field]: value }), causes)
    })

  for (const [field, value, isRight] of [
    ['host', 'localhost', true],
    ['host', 'a-b', true],
    ['host', 'my-host', false],
    ['host', 'a.b.example.com', true],
    ['host', 'a.b', false],
    ['host', 'example.com.', false],
    ['host', 'a_b.com', false],
    ['ip4', '01.2.3.4', true],
    ['ip4', '::ffff:1.2.3.4', true],
    ['ip4', '::1', false],
    ['ip6', '::ffff:1.2.3.4', true],
    ['ip6', 'fe80::1%eth0', false],
    ['ip6', '1.2.3.4', false],
    ['typed', 1, true],
    ['typed', 'x', true],
    ['typed', true, false],
  ] as const)
    it(`${isRight ? 'accept' : 'refuse'} ${JSON.stringify(value)} as ${field}, as the stock server was seen to`, async () => {
      const spec = { [field]: value }
      const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'seen' }, spec }
      const { status, text: why } = await kit.request('POST', `${base}?dryRun=All`, { body: object })
      assert.equal(status, isRight ? 201 : 422, why)
    })

  it('combined keywords neither excuse unchanged parts within them nor fail because of these', async () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'kept' } }
    await kit.request('POST', base, { body: { ...object, spec: { combined: { a: 1 } } } })
    const patch = (combined: object): ReturnType<CrdKit['request']> =>
      kit.request('PATCH', `${base}/kept`, {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { combined } },
      })
    const taken = await patch({ b: 'x' })
    assert.equal(taken.status, 200, taken.text)
    await patch({ a: 0 })
    const refused = await patch({ b: null })
    assert.deepEqual(causesOf(refused), [
      'FieldValueInvalid <nil>: Invalid value: "": "spec.combined" must validate at least one schema (anyOf)',
      'FieldValueInvalid spec.combined.a: Invalid value: 0: spec.combined.a in body should be greater than or equal to 1',
    ])
    await kit.request('DELETE', `${base}/kept`)
  })

  it('accept integer literals up to 64 bits, and refuse larger and other ones', async () => {
    const answerTo = (number: string): ReturnType<CrdKit['request']> =>
      kit.request('POST', `${base}?dryRun=All`, {
        body: `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"n"},"spec":{"plain":${number}}}`,
      })
    for (const number of ['9223372036854775807', '-9223372036854775808', '10000000000000000', '1.0', '1e3'])
      assert.equal((await answerTo(number)).status, 201, number)
    const type =
      'FieldValueTypeInvalid spec.plain: Invalid value: "number": spec.plain in body must be of type integer: "number"'
    assert.deepEqual(causesOf(await answerTo('1e16')), [type])
    const checked =
      'FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.plain'
    assert.deepEqual(causesOf(await answerTo('9223372036854775808')), [type, checked])
  })

  const counts: readonly (readonly [title: string, count: unknown, cause: string])[] = [
    ['text', { of: 'x' }, '0: .spec.count.of accessor error: x is of the type string, expected int64'],
    ['a fraction', { of: 1.5 }, '0: .spec.count.of accessor error: 1.5 is of the type float64, expected int64'],
    [
      'text on the way',
      'x',
      '0: .spec.count.of accessor error: x is of the type string, expected map[string]interface{}',
    ],
    ['less than nothing', { of: -1 }, '-1: should be a non-negative integer'],
    ['more than 32 bits', { of: 2 ** 31 }, '2147483648: should be less than or equal to 2147483647'],
  ]
  for (const [title, count, cause] of counts)
    it(`refuse ${title} in their scale fields`, async () => {
      const causes = await refusal(base.replace('things', 'counters'), 'Counter', { count })
      assert.deepEqual(causes, [`.spec.count.of: Invalid value: ${cause}`])
    })

  it('refuse a count of more than 53 bits in their scale fields', async () => {
    const text = `{"apiVersion":"example.com/v1","kind":"Counter","metadata":{"name":"a"},"spec":{"count":{"of":9007199254740993}}}`
    const answer = await kit.request('POST', base.replace('things', 'counters'), { body: text })
    assert.equal(answer.status, 422, answer.text)
    assert.match(answer.text, /\.spec\.count\.of: Invalid value: 9007199254740993: should be less than or equal to/)
  })
})
