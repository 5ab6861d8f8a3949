import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import { type CrdKit, causesOf, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const base = '/apis/example.com/v1/namespaces/default/things'
const merge = { 'content-type': 'application/merge-patch+json' }
const applying = { 'content-type': 'application/apply-patch+yaml' }

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        mode: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        marks: { type: 'object', nullable: true, additionalProperties: { type: 'string' } },
        count: { type: 'integer', nullable: true },
        inner: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { type: 'integer' } },
          },
        },
      },
      'x-kubernetes-validations': [
        { rule: 'self.size != 7', message: 'seven is taken' },
        { rule: '!has(oldSelf.color) || self.color == oldSelf.color', message: 'the color stays', fieldPath: '.color' },
      ],
    },
    status: {
      type: 'object',
      properties: {
        ready: { type: 'integer' },
        phase: { type: 'string' },
        seen: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
      },
    },
  },
}
const version = {
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' } },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
  ],
  selectableFields: [{ jsonPath: '.spec.color' }],
}
const thing = (name: string, spec: object = { size: 3 }): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
})
const specOf = (object: ApiObject): Record<string, unknown> => object['spec'] as Record<string, unknown>

describe('custom resources', () => {
  let kit: CrdKit

  before(async () => {
    kit = await createCrdKit()
    await kit.define(definitionOf({ schema, version, names: { shortNames: ['th'], categories: ['all'] } }))
  })
  after(() => kit.close())

  it('are served once their definition is established, with the conditions that clients wait for', async () => {
    assert.deepEqual(await kit.conditions('things.example.com'), {
      NamesAccepted: 'True NoConflicts',
      Established: 'True InitialNamesAccepted',
    })
    assert.equal((await kit.request('GET', base)).json.kind, 'ThingList')
    const served = kit.served.group('example.com')?.versions[0]?.resources[0]?.table
    assert.deepEqual(served?.shortNames, ['th'])
  })

  it('get defaults, and lose unknown fields', async () => {
    const created = await kit.request('POST', base, {
      body: { ...thing('a', { size: 3, mode: '50%', free: { any: { thing: 1 } }, unknown: 1 }), other: true },
    })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(specOf(created.json), { size: 3, mode: '50%', free: { any: { thing: 1 } }, color: 'red' })
    assert.equal(created.json['other'], undefined)
    assert.equal(created.json.metadata.generation, 1)
    assert.deepEqual([...created.warnings].sort(), ['unknown field "other"', 'unknown field "spec.unknown"'])
    const strict = await kit.request('POST', `${base}?fieldValidation=Strict`, {
      body: thing('s', { size: 3, unknown: 1 }),
    })
    assert.deepEqual(
      [strict.status, strict.json.message],
      [400, 'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.unknown"'],
    )
  })

  it('are stored as JSON in the stock form and below the stock key', async () => {
    const { value } = await kit.store.get('/registry/example.com/things/default/a')
    const text = Buffer.from(value?.value ?? []).toString()
    assert.match(text, /^\{"apiVersion":"example.com\/v1","kind":"Thing","metadata":\{"creationTimestamp":/)
    assert(text.endsWith('}\n'))
    assert(!text.includes('resourceVersion'))
  })

  const refusals: readonly [string, object, readonly string[]][] = [
    ['a required field', {}, ['FieldValueRequired spec.size: Required value', blocked()]],
    [
      'a value of another type',
      { size: 'big' },
      [
        'FieldValueTypeInvalid spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
        'FieldValueInvalid .spec.size: Invalid value: 0: .spec.size accessor error: big is of the type string, expected int64',
        blocked(),
      ],
    ],
    [
      'a number beyond its bound',
      { size: 11 },
      ['FieldValueInvalid spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    ],
    [
      'a value that is not among those allowed',
      { size: 1, color: 'green' },
      ['FieldValueNotSupported spec.color: Unsupported value: "green": supported values: "red", "blue"', blocked()],
    ],
    ['a rule that does not hold', { size: 7 }, ['FieldValueInvalid spec: Invalid value: seven is taken']],
    [
      'a key that stands twice in a list',
      { size: 1, ports: [{ name: 'x' }, { name: 'y' }, { name: 'x' }] },
      ['FieldValueDuplicate spec.ports[2]: Duplicate value: {"name":"x"}'],
    ],
  ]
  function blocked(): string {
    return 'FieldValueInvalid <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  }
  for (const [title, spec, causes] of refusals)
    it(`are refused for ${title}, with the stock causes`, async () => {
      const answer = await kit.request('POST', base, { body: thing('refused', spec) })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(causesOf(answer), causes)
    })

  it('are refused with the stock texts when the body is of another kind or version', async () => {
    const kind = await kit.request('POST', base, { body: { ...thing('k'), kind: 'Bar' } })
    assert.equal(kind.json.message, 'Bar.example.com "k" is invalid: kind: Invalid value: "Bar": must be Thing')
    const other = await kit.request('POST', base, { body: { ...thing('k'), apiVersion: 'example.com/v2' } })
    assert.match(other.json.message ?? '', /^the API version in the data \(example.com\/v2\) does not match/)
    const none = await kit.request('POST', base, { body: { metadata: { name: 'k' } } })
    assert.match(
      none.json.message ?? '',
      /^the object provided is unrecognized \(must be of type Thing\): Object 'Kind' is missing in '/,
    )
    const labels = await kit.request('POST', base, { body: { ...thing('k'), metadata: { name: 'k', labels: 1 } } })
    assert.equal(
      labels.json.message,
      'Thing in version "v1" cannot be handled as a Thing: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    )
  })

  it('are patched, applied and scaled; transition rules hold', async () => {
    const merged = await kit.request('PATCH', `${base}/a`, { body: { spec: { size: 4 } }, headers: merge })
    assert.deepEqual([specOf(merged.json)['size'], merged.json.metadata.generation], [4, 2], merged.text)
    const blue = await kit.request('PATCH', `${base}/a`, { body: { spec: { color: 'blue' } }, headers: merge })
    assert.deepEqual(causesOf(blue), ['FieldValueInvalid spec.color: Invalid value: the color stays'])
    const body = thing('applied', { size: 2, ports: [{ name: 'x', port: 1 }] })
    const applied = await kit.request('PATCH', `${base}/applied?fieldManager=one`, { body, headers: applying })
    assert.equal(applied.status, 201, applied.text)
    const second = thing('applied', { size: 2, ports: [{ name: 'y', port: 2 }] })
    const both = await kit.request('PATCH', `${base}/applied?fieldManager=two`, { body: second, headers: applying })
    assert.deepEqual(
      specOf(both.json)['ports'],
      [
        { name: 'x', port: 1 },
        { name: 'y', port: 2 },
      ],
      both.text,
    )
    const conflict = await kit.request('PATCH', `${base}/applied?fieldManager=two`, {
      body: thing('applied', { size: 5 }),
      headers: applying,
    })
    assert.equal(conflict.status, 409, conflict.text)
    const undeclared = await kit.request('PATCH', `${base}/applied?fieldManager=two`, {
      body: thing('applied', { zz: 5 }),
      headers: applying,
    })
    assert.match(undeclared.json.message ?? '', /\.spec\.zz: field not declared in schema$/)
    const scaled = await kit.request('PATCH', `${base}/applied/scale`, {
      body: { spec: { replicas: 9 } },
      headers: merge,
    })
    assert.deepEqual([scaled.json.kind, scaled.json['spec']], ['Scale', { replicas: 9 }], scaled.text)
    const emptied = await kit.request('PATCH', `${base}/a`, {
      body: Buffer.from('[{"op":"replace","path":"","value":{}}]'),
      headers: { 'content-type': 'application/json-patch+json' },
    })
    assert.match(emptied.json.message ?? '', /patch: Invalid value: "\{\}": Object 'Kind' is missing in '\{\}'$/)
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
    assert.equal((await kit.request('PATCH', `${base}/a`, { body: {}, headers: strategic })).status, 415)
  })

  it('keep nulls that are applied, to be refused; in other bodies they are dropped', async () => {
    const body = thing('nulls', { size: null, color: 'red' })
    const applied = await kit.request('PATCH', `${base}/nulls?fieldManager=one`, { body, headers: applying })
    assert.deepEqual(causesOf(applied), [
      'FieldValueTypeInvalid spec.size: Invalid value: "null": spec.size in body must be of type integer: "null"',
      'FieldValueInvalid <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
    const created = await kit.request('POST', base, { body })
    assert.match(causesOf(created)[0] ?? '', /^FieldValueRequired spec\.size/)
  })

  it('keep what an applier sets to empty or null, whatever it replaces', async () => {
    const apply = async (spec: object): Promise<unknown> => {
      const body = { ...thing('stated'), spec: { size: 3, ...spec } }
      const answer = await kit.request('PATCH', `${base}/stated?fieldManager=m`, { body, headers: applying })
      return answer.status > 201 ? causesOf(answer) : answer.json['spec']
    }
    await apply({ marks: { a: '1' }, count: 1, inner: { a: 'x' } })
    const emptied = { color: 'red', size: 3, marks: null, count: null, inner: {} }
    assert.deepEqual(await apply({ marks: null, count: null, inner: {} }), emptied)
    assert.deepEqual(await apply({ marks: null, count: null, inner: {} }), emptied)
    await apply({ inner: { a: 'x' } })
    const refused = await apply({ inner: null })
    assert.equal(
      (refused as string[])[0],
      'FieldValueTypeInvalid spec.inner: Invalid value: "null": spec.inner in body must be of type object: "null"',
    )
    assert.equal((await kit.request('DELETE', `${base}/stated`)).status, 200)
  })

  it('have no owner of their metadata as a whole', async () => {
    const body = { ...thing('owned'), metadata: { name: 'owned', labels: { a: 'b' } } }
    const created = await kit.request('POST', base, { body })
    assert.deepEqual(created.json.metadata.managedFields?.[0]?.fieldsV1, {
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': { '.': {}, 'f:color': {}, 'f:size': {} },
    })
    assert.equal((await kit.request('DELETE', `${base}/owned`)).status, 200)
  })

  it('report the first undeclared field of each object in a configuration', async () => {
    const body = thing('undeclared', { zz: 1, yy: 2, ports: [{ name: 'x', from: 1 }] })
    const headers = applying
    const found = await kit.request('PATCH', `${base}/undeclared?fieldManager=one`, { body, headers })
    assert.match(found.json.message ?? '', /: \.spec\.zz: field not declared in schema$/)
    const deeper = thing('undeclared', { ports: [{ name: 'x', from: 1 }], zz: 1 })
    const both = await kit.request('PATCH', `${base}/undeclared?fieldManager=one`, { body: deeper, headers })
    assert.match(both.json.message ?? '', /errors:\n {2}\.spec\.ports\[name="x"\]\.from: .*\n {2}\.spec\.zz: .*$/)
  })

  it('are scaled where they have no replicas yet, also without a resourceVersion; their own validation judges the number', async () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' }
    await kit.define(
      definitionOf({ kind: 'Scaled', group: 'scaled.example.com', version: { subresources: { scale } } }),
    )
    const body = { apiVersion: 'scaled.example.com/v1', kind: 'Scaled', metadata: { name: 'unscaled' } }
    const collection = '/apis/scaled.example.com/v1/namespaces/default/scaleds'
    assert.equal((await kit.request('POST', collection, { body })).status, 201)
    const scaleOf = (replicas: number): object => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'unscaled' },
      spec: { replicas },
    })
    const path = `${collection}/unscaled/scale`
    const shown = await kit.request('GET', path)
    assert.equal(shown.json.message, 'Internal error occurred: the spec replicas field ".spec.size" does not exist')
    const below = await kit.request('PUT', path, { body: scaleOf(-6) })
    assert.deepEqual(
      [below.status, below.json.message],
      [
        422,
        'Scaled.scaled.example.com "unscaled" is invalid: .spec.size: Invalid value: -6: should be a non-negative integer',
      ],
    )
    const patched = await kit.request('PATCH', path, { body: { spec: { replicas: 5 } }, headers: merge })
    assert.deepEqual([patched.status, patched.json['spec']], [200, { replicas: 5 }], patched.text)
    const put = await kit.request('PUT', path, { body: scaleOf(6) })
    assert.deepEqual([put.status, put.json['spec']], [200, { replicas: 6 }], put.text)
    const stale = { ...scaleOf(8), metadata: { name: 'unscaled', resourceVersion: '1' } }
    assert.equal((await kit.request('PUT', path, { body: stale })).status, 409)
  })

  it('have a separate status', async () => {
    const before = (await kit.request('GET', `${base}/a`)).json
    const body = { ...before, spec: { size: 1 }, status: { ready: 2, phase: 'On' } }
    const main = await kit.request('PUT', `${base}/a`, { body: { ...body, spec: before['spec'] } })
    assert.equal(main.json.status, undefined, main.text)
    assert.equal(main.json.metadata.resourceVersion, before.metadata.resourceVersion)
    const status = await kit.request('PUT', `${base}/a/status`, { body })
    assert.deepEqual(status.json.status, { ready: 2, phase: 'On' }, status.text)
    assert.deepEqual([specOf(status.json)['size'], status.json.metadata.generation], [4, 2])
    const wrong = await kit.request('PATCH', `${base}/a/status`, { body: { status: { ready: 'x' } }, headers: merge })
    assert.equal(wrong.json.details?.causes?.[0]?.field, 'status.ready')
  })

  it('objects whose status list of type set holds an item twice are refused, and 90,000 different items are stored', async () => {
    const write = (seen: number[]): ReturnType<CrdKit['request']> =>
      kit.request('PATCH', `${base}/a/status`, { body: { status: { seen } }, headers: merge })
    const twice = await write([1, 2, 1])
    assert.equal(twice.status, 422, twice.text)
    assert.deepEqual(causesOf(twice), ['FieldValueDuplicate status.seen[2]: Duplicate value: 1'])
    const long = await write(Array.from({ length: 90_000 }, (_, index) => index))
    assert.equal(long.status, 200, long.text.slice(0, 300))
    assert.equal((await write([])).status, 200)
  })

  it('are listed as tables by the columns of their definition, and selected by its fields', async () => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1'
    const rows = JSON.parse((await kit.request('GET', base, { headers: { accept } })).text) as {
      columnDefinitions: { name: string }[]
      rows: { cells: unknown[] }[]
    }
    assert.deepEqual(
      rows.columnDefinitions.map(({ name }) => name),
      ['Name', 'Size', 'Phase'],
    )
    assert.deepEqual(
      rows.rows.map(({ cells }) => cells),
      [
        ['a', 4, 'On'],
        ['applied', 9, null],
      ],
    )
    await kit.request('POST', base, { body: thing('b', { size: 1, color: 'blue' }) })
    const blue = await kit.request('GET', `${base}?fieldSelector=spec.color%3Dblue`)
    assert.equal(blue.status, 200, blue.text)
    assert.deepEqual(
      blue.json.items.map(({ metadata }) => metadata.name),
      ['b'],
    )
    const unknown = await kit.request('GET', `${base}?fieldSelector=spec.size%3D1`)
    assert.deepEqual([unknown.status, unknown.json.message], [400, 'field label not supported: spec.size'])
  })

  it('are selected by a field that their definition made selectable later', async () => {
    const properties = { spec: { type: 'object', properties: { tone: { type: 'string' } } } }
    const shades = (more: object): ApiObject =>
      definitionOf({ kind: 'Shade', schema: { type: 'object', properties }, version: more })
    await kit.define(shades({}))
    const url = base.replace('things', 'shades')
    for (const tone of ['dark', 'light'])
      await kit.request('POST', url, {
        body: { apiVersion: 'example.com/v1', kind: 'Shade', metadata: { name: tone }, spec: { tone } },
      })
    assert.equal((await kit.request('GET', url)).json.items.length, 2)
    const { spec } = shades({ selectableFields: [{ jsonPath: '.spec.tone' }] }) as { spec?: unknown }
    const definition = `${definitionsUrl}/shades.example.com`
    const edited = await kit.request('PATCH', definition, { body: { spec }, headers: merge })
    assert.equal(edited.status, 200, edited.text)
    await eventually(async () => {
      const found = await kit.request('GET', `${url}?fieldSelector=spec.tone%3Ddark`)
      return found.json.items?.map(({ metadata }) => metadata.name).join() === 'dark'
    }, 'found by its tone')
    await kit.request('DELETE', definition)
  })

  it('keep their watchers through an edit of the definition', async () => {
    const watching = await kit.watch(`${base}?watch=1`)
    await watching.until(3)
    const url = `${definitionsUrl}/things.example.com`
    const edited = structuredClone(schema) as { properties: { spec: { properties: Record<string, unknown> } } }
    edited.properties.spec.properties['added'] = { type: 'string', default: 'new' }
    const versions = definitionOf({ schema: edited, version }).spec.versions
    const patched = await kit.request('PATCH', url, { body: { spec: { versions } }, headers: merge })
    assert.equal(patched.status, 200, patched.text)
    await eventuallyEquals(async () => specOf((await kit.request('GET', `${base}/a`)).json)['added'], 'new', 'the edit')
    await kit.request('POST', base, { body: thing('later') })
    const events = await watching.until(4)
    assert.deepEqual([watching.ended, specOf(events[3]?.object as ApiObject)['added']], [false, 'new'])
    watching.close()
  })

  it('are deleted with their definition, which then is deleted, and their watches end', async () => {
    const watching = await kit.watch(`${base}?watch=1`)
    const held = { ...thing('held'), metadata: { name: 'held', finalizers: ['example.com/x'] } }
    assert.equal((await kit.request('POST', base, { body: held })).status, 201)
    const deleted = await kit.request('DELETE', `${definitionsUrl}/things.example.com`)
    assert.equal(deleted.json.kind, 'CustomResourceDefinition', deleted.text)
    await eventuallyEquals(async () => (await kit.request('GET', base)).json.items.length, 1, 'all but one are gone')
    assert.equal((await kit.conditions('things.example.com'))['Terminating'], 'True InstanceDeletionInProgress')
    const refused = await kit.request('POST', base, { body: thing('late') })
    assert.match(refused.json.message ?? '', /create not allowed while custom resource definition is terminating$/)
    assert.deepEqual(kit.served.group('example.com')?.versions[0]?.resources[0]?.table.verbs.includes('create'), false)
    await kit.request('PATCH', `${base}/held`, { body: { metadata: { finalizers: null } }, headers: merge })
    await eventuallyEquals(
      async () => (await kit.request('GET', `${definitionsUrl}/things.example.com`)).status,
      404,
      'the definition is gone',
    )
    await watching.finished
    assert.equal((await kit.request('GET', base)).text, '404 page not found\n')
  })
})
