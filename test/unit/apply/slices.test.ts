import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createFieldOwnership, type EndpointChange } from '../../../lib/apply/index.ts'
import type { Slices } from '../../../lib/base/index.ts'
import type { ApiObject, JsonObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const scheme = createScheme({ tables })
const ownership = createFieldOwnership(scheme)
const struct = scheme.kind(gvk)?.struct
assert.ok(struct)
const change: EndpointChange = { manager: 'm', subresource: '', gvk, struct, resetFields: [], nowMs: 0 }

function configMap(data: Record<string, string>): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data } as ApiObject
}

function keys(count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]))
}

function countSlices<T>(slices: Slices<T>): { readonly result: T; readonly count: number } {
  for (let count = 1; ; count++) {
    const { done, value } = slices.next()
    if (done) return { result: value, count }
  }
}

function ownedData(object: ApiObject, manager = 'm'): readonly string[] {
  const entry = object.metadata.managedFields?.find((each) => each.manager === manager)
  return Object.keys(((entry?.fieldsV1 as JsonObject | undefined)?.['f:data'] ?? {}) as object)
}

describe('apply: slices', () => {
  it('the ownership of a new object of many fields is one slice a pass', () => {
    const { result, count } = countSlices(ownership.onCreate(configMap(keys(20_000, 'a')), change))
    assert.equal(ownedData(result).length, 20_001)
    assert.ok(count >= 4, `${count} slices`)
  })

  it('an update and an apply of many fields have a slice for each owner and pass', () => {
    const live = countSlices(ownership.onCreate(configMap(keys(20_000, 'a')), change)).result
    live.metadata.uid = 'u'
    const changed = { ...configMap(keys(20_000, 'b')), metadata: { ...live.metadata } }
    const updated = countSlices(ownership.onUpdate(live, changed, { ...change, manager: 'n' }))
    assert.ok(updated.count >= 5, `${updated.count} slices`)
    assert.equal(ownedData(updated.result, 'n').length, 20_000)
    const applied = { ...change, manager: 'o', force: true }
    const forced = countSlices(ownership.onApply(updated.result, configMap(keys(20_000, 'c')), applied))
    assert.ok(forced.count >= 8, `${forced.count} slices`)
    assert.equal(ownedData(forced.result, 'o').length, 20_000)
  })

  it('each pass over a large object has its own slices', () => {
    const large = { ...change, isLarge: true }
    const live = countSlices(ownership.onCreate(configMap(keys(20_000, 'a')), large)).result
    live.metadata.uid = 'u'
    const changed = { ...configMap(keys(20_000, 'b')), metadata: { ...live.metadata } }
    const updated = countSlices(ownership.onUpdate(live, changed, { ...large, manager: 'n' }))
    assert.ok(updated.count >= 30, `${updated.count} slices`)
    assert.equal(ownedData(updated.result, 'n').length, 20_000)
    const applied = { ...large, manager: 'o', force: true }
    const forced = countSlices(ownership.onApply(updated.result, configMap(keys(20_000, 'c')), applied))
    assert.ok(forced.count >= 60, `${forced.count} slices`)
    assert.equal(ownedData(forced.result, 'o').length, 20_000)
    const given = countSlices(ownership.onApply(forced.result, configMap(keys(10, 'c')), applied))
    assert.ok(given.count >= 30, `${given.count} slices`)
    assert.equal(Object.keys(given.result['data'] as object).length, 10)
  })

  it('the keys of a wide map are in the order of their UTF-8 bytes', () => {
    const data = { ...keys(2000, 'a'), '\u{1f600}': 'a', '\uffee': 'a', z: 'a', 7: 'a' }
    const owned = ownedData(countSlices(ownership.onCreate(configMap(data), change)).result)
    assert.deepEqual(owned.slice(0, 3), ['.', 'f:7', 'f:key-0'])
    assert.deepEqual(owned.slice(-3), ['f:z', 'f:\uffee', 'f:\u{1f600}'])
  })

  it('the keys of list items are in the order of their values', () => {
    const uids = ['b', 'a"', 'a', 'é', 'a\\']
    const ownerReferences = uids.map((uid) => ({ apiVersion: 'v1', kind: 'Node', name: uid, uid }))
    const object = { ...configMap({}), metadata: { name: 'c', ownerReferences } } as ApiObject
    const { result } = countSlices(ownership.onCreate(object, change))
    const fields = result.metadata.managedFields?.[0]?.fieldsV1 as Record<string, Record<string, object>>
    assert.deepEqual(Object.keys(fields['f:metadata']?.['f:ownerReferences'] ?? {}), [
      '.',
      ...['a', 'a"', 'a\\', 'b', 'é'].map((uid) => `k:${JSON.stringify({ uid })}`),
    ])
  })
})
