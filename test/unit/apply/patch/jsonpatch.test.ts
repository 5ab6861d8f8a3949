import assert from 'node:assert/strict'
import { applyJsonPatch, jsonPatchOperationsMax } from '../../../../lib/apply/index.ts'
import { type JsonObject, StatusError } from '../../../../lib/object/index.ts'

type Case = readonly [title: string, document: unknown, patch: unknown, expected: unknown]

const applied: readonly Case[] = [
  ['an empty patch changes nothing', { a: 1 }, [], { a: 1 }],
  ['add sets a member', {}, [{ op: 'add', path: '/a', value: 1 }], { a: 1 }],
  ['add replaces a member', { a: 1 }, [{ op: 'add', path: '/a', value: [2] }], { a: [2] }],
  ['add inserts before an index', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
  ['add at the length appends', { a: [1] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2] }],
  ['add at - appends', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
  ['add at -1 appends', { a: [1] }, [{ op: 'add', path: '/a/-1', value: 2 }], { a: [1, 2] }],
  ['add at the lowest negative index prepends', { a: [1] }, [{ op: 'add', path: '/a/-2', value: 0 }], { a: [0, 1] }],
  ['add of null is null', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
  ['add of the document', { a: 1 }, [{ op: 'add', path: '', value: { b: 2 } }], { b: 2 }],
  ['remove a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
  ['remove an item', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/1' }], { a: [1, 3] }],
  ['remove the last item by -1', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/-1' }], { a: [1, 2] }],
  ['replace a member', { a: 1 }, [{ op: 'replace', path: '/a', value: 'x' }], { a: 'x' }],
  ['replace a missing member', { a: 1 }, [{ op: 'replace', path: '/b', value: 'x' }], { a: 1, b: 'x' }],
  ['copy a missing member', { a: 1 }, [{ op: 'copy', from: '/b', path: '/a' }], { a: null }],
  ['replace by no value', { a: 1 }, [{ op: 'replace', path: '/a' }], { a: null }],
  ['add no value', {}, [{ op: 'add', path: '/a' }], { a: null }],
  ['replace an item', { a: [1, 2] }, [{ op: 'replace', path: '/a/-2', value: 9 }], { a: [9, 2] }],
  ['replace the document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
  ['move a member', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
  ['move an item within its list', { a: [1, 2, 3] }, [{ op: 'move', from: '/a/0', path: '/a/2' }], { a: [2, 3, 1] }],
  ['move onto itself', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
  [
    'copy is deep',
    { a: { b: 1 } },
    [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/c/b', value: 2 },
    ],
    { a: { b: 1 }, c: { b: 2 } },
  ],
  [
    'test of equal values, keys in any order',
    { a: { b: 1, c: [2] } },
    [{ op: 'test', path: '/a', value: { c: [2], b: 1 } }],
    { a: { b: 1, c: [2] } },
  ],
  ['test of null holds for a missing member', {}, [{ op: 'test', path: '/a', value: null }], {}],
  ['~1 is a slash and ~0 a tilde', { 'a/b~': 1 }, [{ op: 'replace', path: '/a~1b~0', value: 2 }], { 'a/b~': 2 }],
  ['~01 is ~1', { '~1': 1 }, [{ op: 'remove', path: '/~01' }], {}],
  ['the empty member name', { '': 1 }, [{ op: 'replace', path: '/', value: 2 }], { '': 2 }],
  ['digits name members of an object', { a: { '0': 1 } }, [{ op: 'remove', path: '/a/0' }], { a: {} }],
  ['unknown members of an operation are ignored', { a: 1 }, [{ op: 'remove', path: '/a', x: 1 }], {}],
  [
    'operations see what earlier ones did',
    { a: [] },
    [
      { op: 'add', path: '/a/-', value: {} },
      { op: 'add', path: '/a/0/b', value: 1 },
    ],
    { a: [{ b: 1 }] },
  ],
]

const refused: readonly [title: string, document: unknown, operation: unknown, cause: RegExp][] = [
  ['remove of a missing member', {}, { op: 'remove', path: '/a' }, /remove operation does not apply/],
  ['remove behind the end', { a: [1] }, { op: 'remove', path: '/a/1' }, /invalid index/],
  ['remove before the start', { a: [1] }, { op: 'remove', path: '/a/-2' }, /invalid index/],
  ['remove of the document', {}, { op: 'remove', path: '' }, /whole document/],
  ['replace below a missing member', {}, { op: 'replace', path: '/a/b', value: 1 }, /replace operation does not apply/],
  ['add below a missing member', {}, { op: 'add', path: '/a/b', value: 1 }, /doc is missing path: "\/a\/b"/],
  ['add below a scalar', { a: 1 }, { op: 'add', path: '/a/b', value: 1 }, /missing path/],
  ['add beyond the end', { a: [] }, { op: 'add', path: '/a/1', value: 1 }, /invalid index/],
  ['add at a word of a list', { a: [] }, { op: 'add', path: '/a/x', value: 1 }, /invalid index/],
  ['a path without its slash', { a: 1 }, { op: 'add', path: 'a', value: 1 }, /missing path/],
  ['move of a missing member', {}, { op: 'move', from: '/a', path: '/b' }, /move operation/],
  ['move below itself', { a: { b: {} } }, { op: 'move', from: '/a', path: '/a/b/c' }, /below/],
  ['move from nowhere', { a: 1 }, { op: 'move', path: '/b' }, /failed to decode from/],
  ['copy from nowhere', { a: 1 }, { op: 'copy', path: '/b' }, /failed to decode from/],
  ['an operation without a path', { a: 1 }, { op: 'add', value: { b: 1 } }, /failed to decode path/],
  ['copy from below a missing member', {}, { op: 'copy', from: '/a/b', path: '/b' }, /copy operation/],
  ['test of another value', { a: 1 }, { op: 'test', path: '/a', value: '1' }, /testing value \/a failed/],
  ['test behind the end of a list', { a: [] }, { op: 'test', path: '/a/0', value: null }, /invalid index/],
  ['an unknown operation', {}, { op: 'merge', path: '/a' }, /Unexpected kind: merge/],
  ['a document that is no object any more', {}, { op: 'replace', path: '', value: [] }, /no object/],
  ['prototype members are not there', {}, { op: 'remove', path: '/constructor' }, /missing/],
  ['prototypes are no containers', {}, { op: 'add', path: '/__proto__/polluted', value: 1 }, /missing path/],
]

describe('JSON Patch', () => {
  for (const [title, document, patch, expected] of applied) {
    it(title, () => {
      const before = structuredClone(document)
      assert.deepEqual(applyJsonPatch(document as JsonObject, patch), expected)
      assert.deepEqual(document, before)
    })
  }
  for (const [title, document, operation, cause] of refused) {
    it(`refuses ${title}`, () => {
      assert.throws(
        () => applyJsonPatch(document as JsonObject, [operation]),
        (error: unknown) =>
          error instanceof StatusError &&
          error.code === 422 &&
          error.reason === 'Invalid' &&
          error.message === 'the server rejected our request due to an error in our request' &&
          cause.test(String(error.cause)),
      )
    })
  }

  for (const pointer of ['/__proto__', '/constructor', '/toString', '/a/__proto__'])
    for (const operation of [
      { op: 'copy', from: pointer, path: '/b' },
      { op: 'move', from: pointer, path: '/b' },
      { op: 'test', path: pointer, value: null },
      { op: 'replace', path: pointer, value: 1 },
      { op: 'remove', path: pointer },
      { op: 'add', path: `${pointer}/b`, value: 1 },
    ])
      it(`refuses ${operation.op} through ${pointer}, which the document doesn't have`, () => {
        assert.throws(() => applyJsonPatch({ a: {} }, [operation]), { code: 422 })
      })

  it('a member that has the name of a prototype is plain data', () => {
    const document = JSON.parse('{"data":{"__proto__":"1","constructor":"2"}}') as JsonObject
    const result = applyJsonPatch(document, [
      { op: 'test', path: '/data/__proto__', value: '1' },
      { op: 'copy', from: '/data/__proto__', path: '/data/a' },
      { op: 'replace', path: '/data/constructor', value: '3' },
    ])
    assert.equal(JSON.stringify(result), '{"data":{"__proto__":"1","constructor":"3","a":"1"}}')
  })

  it('a key named __proto__ is plain data', () => {
    const result = applyJsonPatch({}, [JSON.parse('{"op":"add","path":"/__proto__","value":{"x":1}}')])
    assert.equal(JSON.stringify(result), '{"__proto__":{"x":1}}')
    assert.equal(Object.getPrototypeOf(result), Object.prototype)
  })
  it('null has no operations', () => {
    assert.deepEqual(applyJsonPatch({ a: 1 }, null), { a: 1 })
    assert.throws(() => applyJsonPatch({}, [null]), { code: 422 })
  })
  it('a patch that is not a list of operations answers 400', () => {
    const cases: readonly [unknown, string][] = [
      [{}, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
      ['x', 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
      [[1], 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
      [[{ op: 1 }], 'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
    ]
    for (const [patch, why] of cases) {
      assert.throws(() => applyJsonPatch({}, patch), { code: 400, message: `error decoding patch: ${why}` })
    }
  })
  it('ten thousand operations pass, one more answers 413', () => {
    const operation = { op: 'add', path: '/a', value: 1 }
    applyJsonPatch({}, Array(jsonPatchOperationsMax).fill(operation))
    assert.throws(() => applyJsonPatch({}, Array(jsonPatchOperationsMax + 1).fill(operation)), {
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    })
  })
  it('copies beyond three MiB in sum are refused', () => {
    const doubling = Array(40).fill({ op: 'copy', from: '/a', path: '/a/-' })
    assert.throws(
      () => applyJsonPatch({ a: ['x'.repeat(1000)] }, doubling),
      (error: unknown) => /accumulated size increase of copy/.test(String((error as Error).cause)),
    )
  })
  it('hostile nesting is refused, not fatal', () => {
    const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))
    assert.throws(() => applyJsonPatch({}, [{ op: 'add', path: '/a', value: deep(100_000) }]), { code: 400 })
    const stacking = Array.from({ length: 900 }, (_, index) => [
      { op: 'add', path: `/n${index}`, value: deep(400) },
      { op: 'move', from: index === 0 ? '/start' : `/n${index - 1}`, path: `/n${index}${'/a'.repeat(400)}` },
      { op: 'copy', from: `/n${index}`, path: '/last' },
    ]).flat()
    assert.throws(() => applyJsonPatch({ start: 1 }, stacking), { code: 422 })
  })
})
