import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tables } from '../../../api/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { objectsOf } from '../codec/generate.ts'

const runsEach = 60

describe('columns', () => {
  const kinds = createKindSet(builtInKinds)
  const scheme = createScheme({ tables, kinds: (group, kind) => kinds.get(group, kind) })
  const nowMs = Date.UTC(2026, 0, 1)

  for (const { group, kind, columns = [], columnReads = [], rowConditions } of builtInKinds.filter(
    (one) => one.columnReads,
  ))
    it(`columns of ${kind} are the same whether all of it is read or only the fields that they name`, () => {
      const definition = scheme.resources.find(
        ({ gvk, storage }) => storage && gvk.group === group && gvk.kind === kind,
      )
      assert.ok(definition)
      const read = scheme.codec(definition.gvr).fieldReader?.(columnReads)
      assert.ok(read)
      const property = fc.property(objectsOf(definition.struct, 4), (generated) => {
        const body = Buffer.from(JSON.stringify({ ...generated, apiVersion: undefined, kind: undefined }))
        const options = { mediaType: 'application/json', expected: definition.gvk } as const
        let stored: Uint8Array
        try {
          stored = scheme.objects.encodeForStorage(scheme.objects.decodeObject(body, options).object)
        } catch {
          return // What validation would refuse can't all be defaulted or encoded.
        }
        const of = (object: ApiObject): unknown => [
          ...columns.map(({ cell }) => cell(object, { nowMs, visitsLeft: 0 })),
          rowConditions?.(object),
        ]
        assert.deepEqual(of(read(stored)), of(scheme.codec(definition.gvr).decodeFromStorage(stored, '1')))
      })
      fc.assert(property, { numRuns: runsEach * 5, seed: 4 })
    })
})

describe('selectable fields', () => {
  const kinds = createKindSet(builtInKinds)
  const scheme = createScheme({ tables, kinds: (group, kind) => kinds.get(group, kind) })
  const reading = builtInKinds.filter((kind) => kind.selectableReads)

  it('selectable fields of some kinds are read from stored bytes', () => assert.ok(reading.length > 8))

  it('selectable fields of pods divide their watches, by the node, which has an index', () => {
    const divided = builtInKinds.filter(({ watchesDivideBy }) => watchesDivideBy !== undefined)
    assert.deepEqual(
      divided.map(({ kind, watchesDivideBy }) => [kind, watchesDivideBy]),
      [['Pod', 'spec.nodeName']],
    )
    for (const { indexedFields, watchesDivideBy = '' } of divided) assert.ok(indexedFields?.includes(watchesDivideBy))
  })

  for (const { group, kind, selectableReads = [], selectableFields = {}, indexedFields = [] } of reading)
    it(`selectable fields of ${kind} are the same whether all of it is read or only the fields that they name`, () => {
      const definition = scheme.resources.find(
        ({ gvk, storage }) => storage && gvk.group === group && gvk.kind === kind,
      )
      const hub = definition && scheme.hub(definition.gvr)
      assert.ok(hub)
      const codec = scheme.codec(hub.gvr)
      const read = codec.fieldReader?.(selectableReads)
      const indexed = codec.fieldReader?.(indexedFields)
      assert.ok(read && indexed)
      const property = fc.property(objectsOf(hub.struct, 3), (generated) => {
        const body = Buffer.from(JSON.stringify({ ...generated, apiVersion: undefined, kind: undefined }))
        const { object } = scheme.objects.decodeObject(body, {
          mediaType: 'application/json',
          expected: hub.gvk,
          defaults: false,
        })
        const stored = scheme.objects.encodeForStorage(object)
        const of = (from: ApiObject): unknown => Object.values(selectableFields).map((textOf) => textOf(from))
        // Without defaults on either side: what is not canonical is read as a whole.
        assert.deepEqual(of(read(stored)), of(object))
        for (const field of indexedFields)
          assert.equal(
            selectableFields[field]?.(indexed(stored)),
            selectableFields[field]?.(scheme.codec(hub.gvr).decodeFromStorage(stored, '1')),
          )
      })
      fc.assert(property, { numRuns: runsEach, seed: 3 })
    })
})
