import assert from 'node:assert/strict'
import { causesOf, type CrdKit, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import { heldMs } from '../../support/holdmeter.ts'

const base = '/apis/example.com/v1/namespaces/default'
/** Machines differ: what is looked for takes seconds. */
const heldMsMax = 1500

const body = (kind: string, rest: string): string =>
  `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"x"},${rest}}`

describe('custom resources: hostile definitions and objects', () => {
  let kit: CrdKit
  before(async () => {
    kit = await createCrdKit()
  })
  after(() => kit.close())

  it('keep names such as __proto__ and constructor as what they are', async () => {
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

  it('can not take the place of a built-in resource, nor add to its group', async () => {
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

  it('hold nobody up with a million fields, and tell a few of them', async () => {
    await kit.define(
      definitionOf({ kind: 'Many', schema: { type: 'object', properties: { spec: { type: 'object' } } } }),
    )
    const fields = Array.from({ length: 200_000 }, (_, index) => `"f${index}":0`).join(',')
    const held = await heldMs(async () => {
      const answer = await kit.request('POST', `${base}/manys`, { body: body('Many', `"spec":{${fields}}`) })
      assert.equal(answer.status, 201, answer.text.slice(0, 300))
      assert.deepEqual(answer.json['spec'], {})
      assert(answer.warnings.length <= 100)
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('refuse objects that grow without a limit by their defaults', async () => {
    const item = { type: 'object', properties: { fill: { type: 'string', default: 'x'.repeat(1000) } } }
    await kit.define(
      definitionOf({
        kind: 'Grower',
        schema: { type: 'object', properties: { list: { type: 'array', items: item } } },
      }),
    )
    const held = await heldMs(async () => {
      const list = Array.from({ length: 500_000 }, () => '{}').join(',')
      const answer = await kit.request('POST', `${base}/growers`, { body: body('Grower', `"list":[${list}]`) })
      assert.equal(answer.status, 413, answer.text.slice(0, 300))
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('refuse objects whose schema has too much to look at', async () => {
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
    assert(held < heldMsMax * 2, `${held} ms`)
  })

  it('match no pattern against a text for longer than it is worth', async () => {
    const pattern = `^${'(a|b|c)*'.repeat(50)}$`
    await kit.define(
      definitionOf({ kind: 'Pattern', schema: { type: 'object', properties: { text: { type: 'string', pattern } } } }),
    )
    const held = await heldMs(async () => {
      const answer = await kit.request('POST', `${base}/patterns`, {
        body: body('Pattern', `"text":"${'a'.repeat(1_000_000)}"`),
      })
      assert.equal(answer.status, 422)
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('refuse rules that never end by their budget, and go on', async () => {
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

  it('read what another server stored wrongly as an error of that object alone', async () => {
    await kit.define(definitionOf({ kind: 'Broken' }))
    const good = await kit.request('POST', `${base}/brokens`, { body: body('Broken', '"spec":{}') })
    assert.equal(good.status, 201)
    const { key } = { key: '/registry/example.com/brokens/default/bad' }
    await kit.store.create(
      key,
      Buffer.from('{"apiVersion":"example.com/v9","kind":"Broken","metadata":{"name":"bad"}}'),
    )
    assert.equal((await kit.request('GET', `${base}/brokens/x`)).status, 200)
    await assert.rejects(kit.request('GET', `${base}/brokens/bad`))
  })

  it('are one object in a deep nest as in a flat one', async () => {
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
