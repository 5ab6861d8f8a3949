import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { difference, intersection, recursiveDifference, union } from '../../../lib/apply/fieldset/algebra.ts'
import { canonical, compareElements, FieldsV1Error, readFieldsV1 } from '../../../lib/apply/fieldset/canonical.ts'
import {
  canonicalElement,
  compareTexts,
  fieldElement,
  formatPath,
  keyElement,
  valueElement,
} from '../../../lib/apply/fieldset/element.ts'
import {
  countPaths,
  equalSets,
  type FieldSet,
  hasPath,
  paths,
  setOfPaths,
} from '../../../lib/apply/fieldset/fieldset.ts'
import { createFieldFilter } from '../../../lib/apply/fieldset/filter.ts'

const f = fieldElement
const name = (value: string): string => keyElement([['name', value]])

describe('field sets', () => {
  const forms: [path: string[], shown: string, json: string][] = [
    [[f('spec'), f('replicas')], '.spec.replicas', '{"f:spec":{"f:replicas":{}}}'],
    [
      [f('metadata'), f('labels'), f('app.kubernetes.io/name')],
      '.metadata.labels.app.kubernetes.io/name',
      '{"f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{}}}}',
    ],
    [
      [f('spec'), f('containers'), name('c1'), f('image')],
      '.spec.containers[name="c1"].image',
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"c1\\"}":{"f:image":{}}}}}',
    ],
    [
      [
        f('ports'),
        keyElement([
          ['containerPort', 80],
          ['protocol', 'TCP'],
        ]),
      ],
      '.ports[containerPort=80,protocol="TCP"]',
      '{"f:ports":{"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{}}}',
    ],
    [
      [f('metadata'), f('finalizers'), valueElement('x/y')],
      '.metadata.finalizers[="x/y"]',
      '{"f:metadata":{"f:finalizers":{"v:\\"x/y\\"":{}}}}',
    ],
    [[f('a'), 'i:3', f('b')], '.a[3].b', '{"f:a":{"i:3":{"f:b":{}}}}'],
    [[f('a'), valueElement(5)], '.a[=5]', '{"f:a":{"v:5":{}}}'],
    [[f('a'), valueElement(true)], '.a[=true]', '{"f:a":{"v:true":{}}}'],
    [[f('a'), valueElement('<&>')], '.a[="<&>"]', '{"f:a":{"v:\\"\\\\u003c\\\\u0026\\\\u003e\\"":{}}}'],
  ]
  for (const [path, shown, json] of forms)
    it(`shows and writes ${shown}`, () => {
      assert.equal(formatPath(path), shown)
      const set = setOfPaths([path])
      assert.equal(JSON.stringify(set), json)
      assert.equal(readFieldsV1(set), set)
      assert.deepEqual([...paths(set)], [path])
    })

  it('writes a path with others below it with a dot', () => {
    const set = setOfPaths([[f('a')], [f('a'), f('b')], [f('c'), name('c1')], [f('c'), name('c1'), f('name')]])
    assert.equal(
      JSON.stringify(canonical(set)),
      '{"f:a":{".":{},"f:b":{}},"f:c":{"k:{\\"name\\":\\"c1\\"}":{".":{},"f:name":{}}}}',
    )
  })

  it('orders elements: itself, fields by bytes, keys by value, values, indices', () => {
    const port = (number: number): string => keyElement([['port', number]])
    const ordered = [
      '.',
      f('A'),
      f('a'),
      f('a-b'),
      f('ab'),
      f('é'),
      f('\uffee'),
      f('😀'),
      port(9),
      port(80),
      keyElement([
        ['port', 80],
        ['protocol', 'TCP'],
      ]),
      port(443),
      name('a'),
      name('a b'),
      name('ab'),
      valueElement(2),
      valueElement(10),
      valueElement('a'),
      valueElement(false),
      valueElement(true),
      'i:2',
      'i:10',
    ]
    // Keys are compared by their names first.
    const expected = [...ordered.slice(0, 8), ...ordered.slice(12, 15), ...ordered.slice(8, 12), ...ordered.slice(15)]
    assert.deepEqual(expected.toReversed().sort(compareElements), expected)
    assert.ok(compareTexts('\uffee', '😀') < 0)
    const set = Object.fromEntries(expected.toReversed().map((element) => [element, {}]))
    assert.deepEqual(Object.keys(canonical(set)), expected)
  })

  const refused: [title: string, value: unknown][] = [
    ['a text', 'x'],
    ['a list', []],
    ['null', null],
    ['a number in a tree', { 'f:a': 1 }],
    ['a list in a tree', { 'f:a': { 'f:b': [] } }],
  ]
  for (const [title, value] of refused)
    it(`refuses ${title} for a set`, () => assert.throws(() => readFieldsV1(value), FieldsV1Error))

  it('refuses sets that are too deep', () => {
    let deep: unknown = {}
    for (let depth = 0; depth < 600; depth++) deep = { 'f:a': deep }
    assert.throws(() => readFieldsV1(deep), FieldsV1Error)
  })

  it('reads elements in any spelling, and leaves out those of unknown kinds', () => {
    assert.equal(canonicalElement('k:{"b": 1, "a": "x"}'), 'k:{"a":"x","b":1}')
    assert.equal(canonicalElement('v: "x"'), 'v:"x"')
    for (const element of ['x:1', 'k:nope', 'k:[1]', 'v:', 'i:-1', 'i:1.5', '']) {
      assert.equal(canonicalElement(element), undefined, element)
      assert.deepEqual(readFieldsV1({ 'f:a': {}, [element]: { 'f:b': {} } }), { 'f:a': {} })
    }
    const twice = { 'k:{"a":1,"b":2}': { 'f:x': {} }, 'k:{"b":2,"a":1}': { '.': {}, 'f:y': {} } }
    assert.deepEqual(readFieldsV1(twice), { 'k:{"a":1,"b":2}': { '.': {}, 'f:x': {}, 'f:y': {} } })
  })

  it('filters the fields that an endpoint resets, with everything below', () => {
    const filter = createFieldFilter(['status', 'metadata.labels'])
    const set = setOfPaths([
      [f('status'), f('a')],
      [f('metadata'), f('labels')],
      [f('metadata'), f('labels'), f('a')],
      [f('metadata'), f('annotations')],
    ])
    assert.deepEqual(filter?.(set), { 'f:metadata': { 'f:annotations': {} } })
    assert.equal(createFieldFilter([]), undefined)
  })

  it('filters all but the fields that an endpoint accepts', () => {
    const filter = createFieldFilter([], ['spec.containers[*].resources'])
    const set = setOfPaths([
      [f('spec'), f('replicas')],
      [f('spec'), f('containers'), name('a')],
      [f('spec'), f('containers'), name('a'), f('image')],
      [f('spec'), f('containers'), name('a'), f('resources'), f('limits')],
      [f('spec'), f('containers'), name('b'), f('image')],
    ])
    assert.deepEqual(filter?.(set), {
      'f:spec': { 'f:containers': { [name('a')]: { '.': {}, 'f:resources': { 'f:limits': {} } } } },
    })
  })
})

describe('field sets: algebra', () => {
  const element = fc.constantFrom(
    f('a'),
    f('b'),
    f('c'),
    name('x'),
    name('y'),
    valueElement(1),
    valueElement('1'),
    'i:0',
  )
  const path = fc.array(element, { minLength: 1, maxLength: 4 })
  const listOfPaths = fc.array(path, { maxLength: 12 })
  const keysOf = (set: FieldSet): Set<string> => new Set([...paths(set)].map((each) => each.join(' ')))
  const keysOfPaths = (all: readonly string[][]): Set<string> => new Set(all.map((each) => each.join(' ')))

  /** Every node but the root is a member or has something below it. */
  function assertMinimal(set: FieldSet): void {
    for (const key of Object.keys(set)) {
      const node = set[key] ?? {}
      if (key === '.') assert.deepEqual(node, {})
      else {
        assert.notDeepEqual(Object.keys(node), ['.'])
        assertMinimal(node)
      }
    }
  }

  const operations: [
    string,
    (a: FieldSet, b: FieldSet) => FieldSet,
    (a: Set<string>, b: Set<string>) => Set<string>,
  ][] = [
    ['union', union, (a, b) => a.union(b)],
    ['difference', difference, (a, b) => a.difference(b)],
    ['intersection', intersection, (a, b) => a.intersection(b)],
    [
      'recursive difference',
      recursiveDifference,
      (a, b) => new Set([...a].filter((each) => ![...b].some((one) => each === one || each.startsWith(`${one} `)))),
    ],
  ]
  for (const [title, operation, model] of operations)
    it(`${title} is that of sets of paths, and changes no operand`, () => {
      fc.assert(
        fc.property(listOfPaths, listOfPaths, (one, two) => {
          const a = setOfPaths(one)
          const b = setOfPaths(two)
          const before = JSON.stringify([a, b])
          const result = operation(a, b)
          assert.deepEqual(keysOf(result), model(keysOfPaths(one), keysOfPaths(two)))
          assertMinimal(result)
          assert.equal(JSON.stringify([a, b]), before)
        }),
      )
    })

  it('sets round-trip through FieldsV1', () => {
    fc.assert(
      fc.property(listOfPaths, (all) => {
        const set = canonical(setOfPaths(all))
        const read = readFieldsV1(JSON.parse(JSON.stringify(set)))
        assert.ok(equalSets(read, set))
        assert.equal(JSON.stringify(read), JSON.stringify(set))
        assert.equal(countPaths(read), keysOfPaths(all).size)
        for (const each of all) assert.ok(hasPath(read, each))
      }),
    )
  })

  it('sets of the same paths are equal, whatever order they were made in', () => {
    fc.assert(
      fc.property(listOfPaths, listOfPaths, (one, two) => {
        const same = setOfPaths([...one, ...two])
        assert.ok(equalSets(same, setOfPaths([...two, ...one])))
        assert.equal(JSON.stringify(canonical(same)), JSON.stringify(canonical(setOfPaths([...two, ...one]))))
        assert.equal(
          equalSets(setOfPaths(one), setOfPaths(two)),
          keysOfPaths(one).symmetricDifference(keysOfPaths(two)).size === 0,
        )
      }),
    )
  })
})
