import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { tables } from '../../../api/index.ts'
import { difference, intersection, union } from '../../../lib/apply/fieldset/algebra.ts'
import { canonical } from '../../../lib/apply/fieldset/canonical.ts'
import { type FieldSet, hasNoFields, noFields } from '../../../lib/apply/fieldset/fieldset.ts'
import { createFieldManager } from '../../../lib/apply/index.ts'
import { compareTyped } from '../../../lib/apply/typed/compare.ts'
import { mergeTyped } from '../../../lib/apply/typed/merge.ts'
import { outlineOf } from '../../../lib/apply/typed/outline.ts'
import { extractFields, removeFields, withNamedFields } from '../../../lib/apply/typed/remove.ts'
import { createShapes } from '../../../lib/apply/typed/shape.ts'
import { toFieldSet } from '../../../lib/apply/typed/tofieldset.ts'
import { type ApiObject, copyObject, deepEqual, StatusError } from '../../../lib/object/index.ts'
import { thingGvk, thingStruct } from '../../support/applytypes.ts'

const metaV1 = tables.find(({ group, version }) => group === 'meta.k8s.io' && version === 'v1')
assert(metaV1)
const type = thingStruct('granular', metaV1)
const engine = createFieldManager()
const shape = createShapes()(type)

const text = fc.constantFrom('', 'a', 'b', 'c')
const names = ['x', 'y', 'z'] as const

/** Some of the fields, each with its value. */
function some<T extends Record<string, fc.Arbitrary<unknown>>>(fields: T): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Record<string, unknown>>
}

/** Items of some names, no name twice, in any order. */
function keyed(fields: (name: string) => fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<unknown[]> {
  return fc
    .shuffledSubarray([...names])
    .chain((chosen) => fc.tuple(...chosen.map((name) => fields(name).map((rest) => ({ name, ...rest })))))
}

const inner = some({ a: text, b: text, deep: some({ a: text }) })
const spec = some({
  text,
  number: fc.integer({ min: 0, max: 3 }),
  flag: fc.boolean(),
  setOfTexts: fc.shuffledSubarray(['p', 'q', 'r']),
  atomicList: fc.array(text, { maxLength: 2 }),
  items: keyed(() => some({ value: text, tags: fc.shuffledSubarray(['t', 'u']), inner })),
  granularMap: fc.dictionary(fc.constantFrom(...names), text),
  atomicMap: fc.dictionary(fc.constantFrom(...names), text),
  mapOfStructs: fc.dictionary(fc.constantFrom(...names), inner),
  granular: inner,
  atomic: some({ a: text }),
  tree: some({ value: text, left: some({ value: text }) }),
  anything: fc.dictionary(fc.constantFrom(...names), fc.oneof(text, fc.dictionary(fc.constantFrom(...names), text))),
})

const things = spec.map(
  (fields): ApiObject => ({ apiVersion: 'test.io/v1', kind: 'Thing', metadata: { name: 'x' }, spec: fields }),
)

let nowMs = 0
function apply(live: ApiObject | undefined, manager: string, applied: ApiObject, force = false): ApiObject {
  nowMs += 1000
  const result = engine.applyObject({ gvk: thingGvk, type, subresource: '', nowMs, manager, live, applied, force })
  const object = copyObject(result.object)
  object.metadata.uid = 'u'
  return object
}

function update(live: ApiObject | undefined, manager: string, object: ApiObject): ApiObject {
  nowMs += 1000
  const copy = copyObject(object)
  engine.updateObject({ gvk: thingGvk, type, subresource: '', nowMs, manager, live, object: copy })
  copy.metadata.uid = 'u'
  return copy
}

function ownedBy({ metadata }: ApiObject): FieldSet {
  let owned: FieldSet = noFields
  for (const { fieldsV1 } of metadata.managedFields ?? []) owned = union(owned, (fieldsV1 ?? {}) as FieldSet)
  return owned
}

/** Fields without those that an object's metadata always has. */
function specFields(object: ApiObject): FieldSet {
  return withNamedFields(shape, toFieldSet(shape, { spec: object['spec'] }))
}

/** The order of lists with keys and sets left aside. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unordered(each)]))
}

const isConflict = (error: unknown): boolean => error instanceof StatusError && error.code === 409

describe('apply: properties', () => {
  it('an apply is idempotent', () => {
    fc.assert(
      fc.property(things, things, (other, thing) => {
        const live = apply(update(undefined, 'u1', other), 'm1', thing, true)
        assert.deepEqual(apply(live, 'm1', thing), live)
      }),
    )
  })

  it('the object has everything that is applied', () => {
    fc.assert(
      fc.property(things, things, (other, thing) => {
        const live = apply(apply(undefined, 'm2', other), 'm1', thing, true)
        assert.equal(mergeTyped(shape, live, thing), live)
      }),
    )
  })

  it('an update that changes nothing keeps managedFields as they are', () => {
    fc.assert(
      fc.property(things, things, (one, two) => {
        const live = apply(update(undefined, 'u1', one), 'm1', two, true)
        assert.deepEqual(update(live, 'u2', live), live)
      }),
    )
  })

  it('two appliers that do not contradict each other lead to the same object in either order', () => {
    fc.assert(
      fc.property(things, things, (one, two) => {
        let forth: ApiObject
        try {
          forth = apply(apply(undefined, 'm1', one), 'm2', two)
        } catch (error) {
          assert(isConflict(error))
          return
        }
        const back = apply(apply(undefined, 'm2', two), 'm1', one)
        assert.deepEqual(unordered(back['spec']), unordered(forth['spec']))
        const sets = (object: ApiObject): string[] =>
          (object.metadata.managedFields ?? []).map((each) => JSON.stringify([each.manager, each.fieldsV1])).sort()
        assert.deepEqual(sets(back), sets(forth))
      }),
    )
  })

  it('an applier of everything that gives up everything leaves nothing', () => {
    fc.assert(
      fc.property(things, (thing) => {
        const live = apply(undefined, 'm1', thing)
        const { spec: _, ...nothing } = thing
        const left = apply(live, 'm1', nothing as ApiObject)
        assert.deepEqual(toFieldSet(shape, { spec: left['spec'] }), {})
      }),
    )
  })

  it('no field that an applier gave up stays without an owner', () => {
    fc.assert(
      fc.property(things, things, things, (first, other, second) => {
        let live: ApiObject
        let now: ApiObject
        try {
          live = apply(apply(undefined, 'm1', first), 'm2', other)
          now = apply(live, 'm1', second)
        } catch (error) {
          assert(isConflict(error))
          return
        }
        // Everything there was applied by one of the two, so everything that is left must be owned by one of them.
        const ownerless = difference(specFields(now), withNamedFields(shape, ownedBy(now)))
        const before = difference(specFields(live), withNamedFields(shape, ownedBy(live)))
        assert.ok(hasNoFields(difference(ownerless, before)), JSON.stringify(ownerless))
      }),
    )
  })

  it('no owner has a field that does not exist', () => {
    fc.assert(
      fc.property(things, things, things, (first, second, third) => {
        let live = update(undefined, 'u1', first)
        live = apply(live, 'm1', second, true)
        live = update(live, 'u2', { ...third, metadata: { ...live.metadata } })
        const there = everyNode(live)
        const missing = difference(ownedBy(live), there)
        assert.ok(hasNoFields(missing), JSON.stringify(missing))
        for (const { fieldsV1 } of live.metadata.managedFields ?? [])
          assert.equal(canonical((fieldsV1 ?? {}) as FieldSet), fieldsV1, 'in the order of the wire')
      }),
    )
  })

  it('a comparison reports exactly what differs', () => {
    fc.assert(
      fc.property(things, things, (one, two) => {
        const { changed, removed } = compareTyped(shape, one, two)
        assert.equal(hasNoFields(changed) && hasNoFields(removed), deepEqual(unorderedLists(one), unorderedLists(two)))
        const back = compareTyped(shape, two, one)
        assert.deepEqual(difference(removed, back.changed), {})
        assert.deepEqual(difference(back.removed, changed), {})
      }),
    )
  })

  it('objects of one outline own the same fields', () => {
    const seen = new Map<string, { object: ApiObject; set: string }>()
    let twins = 0
    const few = some({
      text,
      number: fc.integer({ min: 0, max: 3 }),
      flag: fc.boolean(),
      setOfTexts: fc.shuffledSubarray(['p', 'q']),
      items: fc.array(some({ value: text, tags: fc.constantFrom([], ['t']) }), { maxLength: 2 }).map(named),
      atomicMap: fc.dictionary(fc.constantFrom('x', 'y'), text),
      granular: some({ a: text }),
    })
    fc.assert(
      fc.property(few, fc.constantFrom('granular', 'granularMap', 'anything'), text, (fields, other, value) => {
        const spec = { [other]: { x: value }, ...fields }
        const object: ApiObject = { apiVersion: 'test.io/v1', kind: 'Thing', metadata: { name: 'x' }, spec }
        const set = JSON.stringify(canonical(everyNode(object)))
        const outline = outlineOf(shape, object, Number.POSITIVE_INFINITY) ?? ''
        const twin = seen.get(outline)
        if (twin && !deepEqual(twin.object, object)) twins++
        if (twin) assert.equal(set, twin.set)
        else seen.set(outline, { object, set })
      }),
      { numRuns: 3000 },
    )
    assert.ok(twins > 100, `only ${twins} objects that differ had an outline in common`)
  })

  it('removed fields leave nothing behind', () => {
    fc.assert(
      fc.property(things, things, (one, two) => {
        const set = toFieldSet(shape, { spec: two['spec'] })
        const left = removeFields(shape, one, set) as ApiObject
        assert.ok(hasNoFields(intersection(everyNode(left), set)))
        assert.ok(hasNoFields(difference(everyNode(left), everyNode(one))))
        assert.equal(removeFields(shape, left, set), left)
      }),
    )
  })

  it('extracted values have the requested fields that exist', () => {
    fc.assert(
      fc.property(things, things, (one, two) => {
        const mine = toFieldSet(shape, one)
        assert.deepEqual(toFieldSet(shape, extractFields(shape, one, mine)), mine)
        const wanted = toFieldSet(shape, { spec: two['spec'] })
        const extracted = extractFields(shape, one, wanted)
        const there = difference(intersection(mine, wanted), toFieldSet(shape, extracted))
        assert.ok(hasNoFields(there), JSON.stringify(there))
      }),
    )
  })
})

function named(items: readonly Record<string, unknown>[]): unknown[] {
  return items.map((item, index) => ({ name: names[index], ...item }))
}

function unorderedLists({ spec: fields }: ApiObject): unknown {
  const { setOfTexts, items, ...rest } = fields as Record<string, unknown>
  const tagless = Array.isArray(items)
    ? items.map((item: Record<string, unknown>) => ({ ...item, tags: unordered(item['tags']) }))
    : items
  return { ...rest, setOfTexts: unordered(setOfTexts), items: unordered(tagless) }
}

/** Every path of an object, with the structs, lists and maps on the way. */
function everyNode(object: ApiObject): FieldSet {
  return compareTyped(shape, {}, object).changed
}
