import assert from 'node:assert/strict'
import { encodeUntypedCbor } from '../../../lib/codec/index.ts'
import { type CrdKit, causesOf, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'

const base = '/apis/example.com/v1/namespaces/default'
const heldMsMax = heldMsBound()

const body = (kind: string, rest: string): string =>
  `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"x"},${rest}}`

const many = definitionOf({ kind: 'Many', schema: { type: 'object', properties: { spec: { type: 'object' } } } })

describe('custom resources: hostile definitions and objects', () => {
  let kit: CrdKit
  // One server for all: the threads of each begin cold.
  before(async () => {
    kit = await createCrdKit({ gates: ['CBORServingAndStorage'] })
  })
  // The next test, or another try, defines the same kinds.
  afterEach(async () => {
    await kit.request('DELETE', definitionsUrl)
    const left = async (): Promise<number> => (await kit.request('GET', definitionsUrl)).json.items.length
    await eventuallyEquals(left, 0, 'the definitions are gone')
    await eventually(() => kit.served.group('example.com') === undefined, 'they are gone from discovery')
  })
  after(() => kit.close())

  it('keep names such as __proto__ and constructor', async () => {
    const text = JSON.stringify(
      definitionOf({
        kind: 'Proto',
        schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                constructor: { type: 'string', default: 'c' },
                PROTO: { type: 'object', properties: { PROTO: { type: 'integer', default: 1 } }, default: {} },
              },
            },
          },
        },
      }),
    ).replaceAll('PROTO', '__proto__')
    await kit.define(JSON.parse(text) as object)
    const answer = await kit.request('POST', `${base}/protos`, {
      body: body('Proto', '"spec":{"toString":1,"__proto__":{"polluted":true}},"__proto__":{"polluted":true}'),
    })
    assert.equal(answer.status, 201, answer.text)
    assert.match(answer.text, /"spec":\{"__proto__":\{"__proto__":1\},"constructor":"c"\}/)
    assert(!answer.text.includes('polluted'))
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
    const wrong = await kit.request('POST', `${base}/protos`, { body: body('Proto', '"spec":{"constructor":1}') })
    assert.equal(wrong.json.details?.causes?.[0]?.field, 'spec.constructor')
  })

  it('can not replace a built-in resource, nor add to its group', async () => {
    for (const [plural, group] of [
      ['roles', 'rbac.authorization.k8s.io'],
      ['sneaks', 'rbac.authorization.k8s.io'],
    ] as const) {
      const definition = definitionOf({ kind: 'Sneak', group })
      const spec = { ...definition.spec, names: { plural, kind: 'Sneak' } }
      const metadata = {
        name: `${plural}.${group}`,
        annotations: { 'api-approved.kubernetes.io': 'https://example.com' },
      }
      await kit.define({ ...definition, metadata, spec })
      const list = await kit.request('GET', `/apis/${group}/v1/${plural}`)
      assert.notEqual(list.json.kind, 'SneakList')
      await kit.request('DELETE', `${definitionsUrl}/${plural}.${group}`)
    }
  })

  it('block no other request with a million fields, and get an error that names a few of them', async () => {
    await kit.define(many)
    const fields = (count: number): string => Array.from({ length: count }, (_, index) => `"f${index}":0`).join(',')
    const held = await heldMs(async () => {
      const answer = await kit.request('POST', `${base}/manys`, { body: body('Many', `"spec":{${fields(99_000)}}`) })
      assert.equal(answer.status, 201, answer.text.slice(0, 300))
      assert.deepEqual(answer.json['spec'], {})
      assert(answer.warnings.length <= 100)
    })
    assert(held < heldMsMax, `${held} ms`)
    const refused = await heldMs(async () => {
      const answer = await kit.request('POST', `${base}/manys`, { body: body('Many', `"spec":{${fields(200_000)}}`) })
      assert.equal(answer.status, 413, answer.text.slice(0, 300))
      assert.match(answer.text, /the object has more than 100000 fields and items/)
    })
    assert(refused < heldMsMax, `${refused} ms`)
  })

  it('block no other request with a hundred thousand fields that are kept and owned', async () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    }
    await kit.define(definitionOf({ kind: 'Keeper', schema }))
    const spec = Object.fromEntries(Array.from({ length: 99_000 }, (_, index) => [`f${index}`, 0]))
    const specText = JSON.stringify(spec)
    const text = (metadata: object): string =>
      `{"apiVersion":"example.com/v1","kind":"Keeper","metadata":${JSON.stringify(metadata)},"spec":${specText}}`
    const own = `${base}/keepers/x`
    let resourceVersion = ''
    for (const [method, url, type, status] of [
      ['POST', `${base}/keepers`, 'application/json', 201],
      ['PUT', own, 'application/json', 200],
      ['PATCH', own, 'application/merge-patch+json', 200],
      ['PATCH', `${own}?fieldManager=m&force=true&dryRun=All`, 'application/apply-patch+yaml', 200],
    ] as const) {
      const sent = text({ name: 'x', ...(method === 'PUT' ? { resourceVersion } : {}) })
      const held = await heldMs(async () => {
        const answer = await kit.request(method, url, { body: sent, headers: { 'content-type': type } })
        assert.equal(answer.status, status, answer.text.slice(0, 300))
        // By its text: to parse a large answer takes longer than to look for one field.
        resourceVersion = /"resourceVersion":"(\d+)"/.exec(answer.text)?.[1] ?? ''
      })
      assert(held < heldMsMax, `${method} ${type}: ${held} ms`)
    }
  })

  it('get an error that names a limited number of wrong schemas', async () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`f${index}`, { type: 'bad' }]))
    const answer = await kit.request('POST', definitionsUrl, {
      body: definitionOf({ schema: { type: 'object', properties } }),
    })
    assert.equal(answer.status, 422, answer.text.slice(0, 300))
    assert.equal(causesOf(answer).length, 1000)
    assert.match(causesOf(answer)[999] ?? '', /properties\[f\d+\]\.type: Unsupported value: "bad"/)
  })

  it('get an error that names a limited number of conflicts', async () => {
    await kit.define(definitionOf({ kind: 'Keeper' }))
    const text = (value: number): string => {
      const spec = Object.fromEntries(Array.from({ length: 99_000 }, (_, index) => [`f${index}`, value]))
      return body('Keeper', `"spec":${JSON.stringify(spec)}`)
    }
    const headers = { 'content-type': 'application/apply-patch+yaml' }
    assert.equal((await kit.request('POST', `${base}/keepers`, { body: text(0) })).status, 201)
    const sent = text(1)
    const held = await heldMs(async () => {
      const answer = await kit.request('PATCH', `${base}/keepers/x?fieldManager=m`, { body: sent, headers })
      assert.equal(answer.status, 409, answer.text.slice(0, 300))
      assert.match(answer.json.message ?? '', /^Apply failed with 99000 conflicts: /)
      assert.equal(causesOf(answer).length, 1000)
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('are answered in time slices where nothing was stored, in every form', async () => {
    await kit.define(definitionOf({ kind: 'Keeper' }))
    const spec = Object.fromEntries(Array.from({ length: 99_000 }, (_, index) => [`f${index}`, 0]))
    const sent = body('Keeper', `"spec":${JSON.stringify(spec)}`)
    for (const [accept, query, start] of [
      ['application/json', '', '{"apiVersion":"example.com/v1","kind":"Keeper","metadata":{'],
      [
        'application/json',
        '&pretty=true',
        '{\n  "apiVersion": "example.com/v1",\n  "kind": "Keeper",\n  "metadata": {',
      ],
      ['application/yaml', '', 'apiVersion: example.com/v1\nkind: Keeper\nmetadata:\n'],
    ] as const) {
      const headers = { 'content-type': 'application/json', accept }
      const held = await heldMs(async () => {
        const answer = await kit.request('POST', `${base}/keepers?dryRun=All${query}`, { body: sent, headers })
        assert.equal(answer.status, 201, answer.text.slice(0, 300))
        assert.equal(answer.text.slice(0, start.length), start)
        assert.match(answer.text.slice(-50), /"?f9{4}"?: ?0/)
      })
      assert(held < heldMsMax, `${accept}${query}: ${held} ms`)
    }
  })

  it('have at most 100,000 fields and items in CBOR, too', async () => {
    await kit.define(many)
    const value = {
      apiVersion: 'example.com/v1',
      kind: 'Many',
      metadata: { name: 'x' },
      list: Array.from({ length: 100_001 }, () => 0),
    }
    const answer = await kit.request('POST', `${base}/manys`, {
      body: encodeUntypedCbor(value),
      headers: { 'content-type': 'application/cbor' },
    })
    assert.equal(answer.status, 413, answer.text.slice(0, 300))
  })

  it('refuse objects that grow without a limit by their defaults', async () => {
    const fields = Array.from({ length: 50 }, (_, index) => [`f${index}`, { type: 'integer', default: 1 }])
    const many = { type: 'object', default: {}, properties: Object.fromEntries(fields) as object }
    const item = { type: 'object', properties: { fill: { type: 'string', default: 'x'.repeat(1000) } } }
    await kit.define(
      definitionOf({
        kind: 'Grower',
        schema: {
          type: 'object',
          properties: {
            long: { type: 'array', items: item },
            wide: { type: 'array', items: { type: 'object', properties: { many } } },
          },
        },
      }),
    )
    for (const field of ['long', 'wide']) {
      const held = await heldMs(async () => {
        const list = Array.from({ length: 40_000 }, () => '{}').join(',')
        const answer = await kit.request('POST', `${base}/growers`, { body: body('Grower', `"${field}":[${list}]`) })
        assert.equal(answer.status, 413, answer.text.slice(0, 300))
        assert.match(answer.text, /the object is too large with its default values/)
      })
      assert(held < heldMsMax, `${field}: ${held} ms`)
    }
  })

  it('refuse objects that are too expensive to validate', async () => {
    const anyOf = Array.from({ length: 2000 }, (_, index) => ({ properties: { a: { enum: [`v${index}`] } } }))
    const item = { type: 'object', properties: { a: { type: 'string' } }, anyOf }
    await kit.define(
      definitionOf({
        kind: 'Chooser',
        schema: { type: 'object', properties: { list: { type: 'array', items: item } } },
      }),
    )
    const held = await heldMs(async () => {
      const list = Array.from({ length: 5_000 }, () => '{"a":"z"}').join(',')
      const answer = await kit.request('POST', `${base}/choosers`, { body: body('Chooser', `"list":[${list}]`) })
      assert.equal(answer.status, 422)
      assert(causesOf(answer).length <= 2000)
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('fail validation that was broken off', async () => {
    const anyOf = Array.from({ length: 3000 }, (_, index) => ({ required: [`r${index}`] }))
    await kit.define(
      definitionOf({
        kind: 'Endless',
        schema: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, anyOf } },
            text: { type: 'string', not: { pattern: 'never' }, anyOf: [{ pattern: 'a' }] },
          },
        },
      }),
    )
    const list = Array.from({ length: 1000 }, () => '{"r2999":1}').join(',')
    const answer = await kit.request('POST', `${base}/endlesss`, {
      body: body('Endless', `"list":[${list}],"text":"never"`),
    })
    assert.equal(answer.status, 422, answer.text.slice(0, 300))
    assert.match(answer.text, /the object is too large to be validated by its schema/)
  })

  it('match a pattern against a text for a limited time', async () => {
    const patterns = [`^${'(a|b|c)*'.repeat(50)}$`, '[\\p{L}\\p{N}]{1,1000}$', '^(.*a){20}$']
    const property = (pattern: string): object => ({ type: 'string', pattern })
    const properties = {
      ...Object.fromEntries(patterns.map((pattern, index) => [`text${index}`, property(pattern)])),
      list: { type: 'array', items: property('(a|b){1,1000}x') },
    }
    await kit.define(definitionOf({ kind: 'Pattern', schema: { type: 'object', properties } }))
    for (const [field, value] of [
      ...patterns.map((_, index) => [`text${index}`, 'a'.repeat(300_000)] as const),
      ['list', Array.from({ length: 1000 }, () => 'a'.repeat(1000))] as const,
    ]) {
      const held = await heldMs(async () => {
        const answer = await kit.request('POST', `${base}/patterns`, {
          body: body('Pattern', `"${field}":${JSON.stringify(value)}`),
        })
        assert.equal(answer.status, 422, answer.text.slice(0, 300))
      })
      assert(held < heldMsMax, `${field}: ${held} ms`)
    }
  })

  it('have their patterns compiled in time slices, and too large ones refused', async () => {
    const repeated = (index: number): string => `^((a{1,10}){1,10}){1,${(index % 10) + 1}}$|(\\pL\\pN){1,400}${index}`
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${index}`, { type: 'string', pattern: repeated(index) }]),
    )
    const made = await heldMs(() => kit.define(definitionOf({ kind: 'Many', schema: { type: 'object', properties } })))
    assert(made < heldMsMax, `defined: ${made} ms`)
    const sent = Object.fromEntries(Object.keys(properties).map((name) => [name, 'a']))
    const held = await heldMs(async () => {
      const answer = await kit.request('POST', `${base}/manys`, {
        body: body('Many', JSON.stringify(sent).slice(1, -1)),
      })
      assert.equal(answer.status, 201, answer.text.slice(0, 300))
    })
    assert(held < heldMsMax, `created: ${held} ms`)
    const pattern = '(a?){1,1000}'.repeat(100)
    const large = definitionOf({
      kind: 'Large',
      schema: { type: 'object', properties: { text: { type: 'string', pattern } } },
    })
    const refused = await heldMs(async () => {
      const answer = await kit.request('POST', definitionsUrl, { body: large })
      assert.equal(answer.status, 422, answer.text)
      assert.match(causesOf(answer)[0] ?? '', /must be a valid regular expression, but isn't: .*: expression too large/)
    })
    assert(refused < heldMsMax, `refused: ${refused} ms`)
  })

  it('get an error that names a limited number of wrong values', async () => {
    const allowed = Array.from({ length: 2000 }, (_, index) => `value-${index}`)
    await kit.define(
      definitionOf({
        kind: 'Listing',
        schema: {
          type: 'object',
          properties: { list: { type: 'array', items: { type: 'string', enum: allowed } } },
        },
      }),
    )
    const held = await heldMs(async () => {
      const list = Array.from({ length: 50_000 }, (_, index) => `"wrong-${index}"`).join(',')
      const answer = await kit.request('POST', `${base}/listings`, { body: body('Listing', `"list":[${list}]`) })
      assert.equal(answer.status, 422)
      assert(answer.bytes.length < 4_000_000, `${answer.bytes.length} bytes`)
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('refuse rules that never end by their budget, and keep serving', async () => {
    const rule = 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))'
    const definition = definitionOf({
      kind: 'Spinner',
      schema: {
        type: 'object',
        properties: {
          list: { type: 'array', maxItems: 100, items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }] },
        },
      },
    })
    await kit.define(definition)
    const held = await heldMs(async () => {
      const list = Array.from({ length: 100 }, (_, index) => index)
      const answer = await kit.request('POST', `${base}/spinners`, {
        body: body('Spinner', `"list":${JSON.stringify(list)}`),
      })
      assert.equal(answer.status, 422)
      assert.match(causesOf(answer)[0] ?? '', /actual cost limit exceeded/)
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('report what another server stored wrongly as an error of that object alone', async () => {
    await kit.define(definitionOf({ kind: 'Broken' }))
    const good = await kit.request('POST', `${base}/brokens`, { body: body('Broken', '"spec":{}') })
    assert.equal(good.status, 201)
    const key = '/registry/example.com/brokens/default/bad'
    const stored = '{"apiVersion":"example.com/v9","kind":"Broken","metadata":{"name":"bad"}}'
    const { revision } = await kit.store.create(key, Buffer.from(stored))
    assert.equal((await kit.request('GET', `${base}/brokens/x`)).status, 200)
    await assert.rejects(kit.request('GET', `${base}/brokens/bad`))
    // It would keep its definition from being deleted.
    await kit.store.delete(key, revision)
  })

  it('cost the same deeply nested as flat', async () => {
    await kit.define(definitionOf({ kind: 'Deep' }))
    const nest = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
    assert.equal(
      (await kit.request('POST', `${base}/deeps`, { body: body('Deep', `"spec":${nest(100)}`) })).status,
      201,
    )
    const deeper = await kit.request('POST', `${base}/deeps`, { body: body('Deep', `"spec":${nest(100_000)}`) })
    assert.equal(deeper.status, 400)
    const text = '{"type":"object","properties":{"a":'.repeat(3000) + '{"type":"string"}' + '}}'.repeat(3000)
    const definition = JSON.stringify(definitionOf({ kind: 'Deeper', schema: { PLACE: 1 } })).replace(
      '{"PLACE":1}',
      text,
    )
    const answer = await kit.request('POST', definitionsUrl, { body: definition })
    assert([400, 413, 422].includes(answer.status), answer.text.slice(0, 200))
  })
})
