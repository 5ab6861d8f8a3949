import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createFieldManager } from '../../../lib/apply/index.ts'
import { typedErrorsMax } from '../../../lib/apply/typed/validate.ts'
import type { ApiObject, JsonObject, ManagedFieldsEntry } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const type = createScheme({ tables }).kind(gvk)?.struct
const engine = createFieldManager()
const context = { gvk, type, subresource: '', nowMs: 0, manager: 'm' }
const many = 20_000

const map = (data: Record<string, string>, managedFields?: ManagedFieldsEntry[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', uid: 'u', ...(managedFields ? { managedFields } : {}) },
  data,
})

const keys = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]))

const entries = (operation: 'Apply' | 'Update', time?: string): ManagedFieldsEntry[] =>
  Array.from({ length: many }, (_, index) => ({
    manager: `m-${index}`,
    operation,
    apiVersion: 'v1',
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:key-${index}`]: {} } },
  }))

/** Runs for a few hundred milliseconds at most; what is quadratic takes minutes. */
function quick(title: string, run: () => void): void {
  it(title, function () {
    this.timeout(120_000)
    run()
  })
}

describe('apply: limits', () => {
  quick('folds any number of updaters in one go', () => {
    const object = map(keys(many, 'a'), entries('Update', '2024-01-01T00:00:00Z'))
    engine.updateObject({ ...context, live: map(keys(many, 'a')), object })
    assert.equal(object.metadata.managedFields?.length, 10)
    const ancient = object.metadata.managedFields?.find(({ manager }) => manager === 'ancient-changes')
    assert.equal(
      Object.keys(((ancient?.fieldsV1 as JsonObject | undefined)?.['f:data'] ?? {}) as object).length,
      many - 9,
    )
  })

  quick('bears any number of appliers, each with a field that changes', () => {
    const object = map(keys(many, 'b'), entries('Apply'))
    engine.updateObject({ ...context, live: map(keys(many, 'a')), object })
    assert.deepEqual(
      object.metadata.managedFields?.map(({ manager }) => manager),
      ['m'],
    )
  })

  quick('applies beside any number of appliers', () => {
    const live = map(keys(many, 'a'), entries('Apply'))
    const first = engine.applyObject({ ...context, live, applied: map({ one: '1', two: '2' }), force: false }).object
    const { uid: _, managedFields: __, ...metadata } = map({}).metadata
    const applied = { ...map({ one: '1' }), metadata }
    const second = engine.applyObject({ ...context, live: first, applied, force: false }).object
    assert.equal(second.metadata.managedFields?.length, many + 1)
    assert.equal((second['data'] as Record<string, string>)['two'], undefined)
  })

  it('reports no more findings than its maximum', () => {
    const applied = map(Object.fromEntries(Object.keys(keys(1000, '')).map((key) => [key, 1 as unknown as string])))
    assert.throws(
      () => engine.applyObject({ ...context, live: undefined, applied, force: false }),
      (error: Error) => error.message.split('\n').length === typedErrorsMax + 1,
    )
  })

  it('deduces everything from values without a schema', () => {
    const applied: ApiObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c' },
      any: { thing: [1], b: { c: 1 } },
    }
    const { object } = engine.applyObject({ ...context, type: undefined, live: undefined, applied, force: false })
    assert.deepEqual(object.metadata.managedFields?.[0]?.fieldsV1, {
      'f:any': { '.': {}, 'f:b': { '.': {}, 'f:c': {} }, 'f:thing': {} },
    })
  })

  it('keeps the owners of an object that does not match its type', () => {
    const object = { ...map({ a: 'b' }), metadata: { name: 'c', finalizers: [null as unknown as string] } }
    engine.updateObject({ ...context, live: undefined, object })
    assert.equal((object as ApiObject).metadata.managedFields, undefined)
  })
})
