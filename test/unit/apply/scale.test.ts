import assert from 'node:assert/strict'
import { ownersOfScale, withOwnersOfScale } from '../../../lib/apply/index.ts'
import type { JsonObject, ManagedFieldsEntry } from '../../../lib/object/index.ts'

const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  fieldsV1: JsonObject,
  more: ManagedFieldsEntry = {},
): ManagedFieldsEntry => ({ manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1, ...more })

const replicas = { 'f:spec': { 'f:replicas': {} } }
const onScale = { apiVersion: 'autoscaling/v1', subresource: 'scale' }

describe('owners of a scale', () => {
  it('are the owners of the replicas', () => {
    const both = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }
    const entries = [entry('m1', 'Apply', both), entry('u1', 'Update', { 'f:spec': { 'f:paused': {} } })]
    assert.deepEqual(ownersOfScale(entries), [entry('m1', 'Apply', replicas, { apiVersion: 'autoscaling/v1' })])
  })

  it('stay as they are in the object when nothing changed', () => {
    const entries = [entry('m1', 'Apply', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } })]
    const after = withOwnersOfScale(entries, ownersOfScale(entries), 'apps/v1')
    assert.equal(after?.[0], entries[0])
  })

  it('lose the replicas to the client that scaled', () => {
    const entries = [
      entry('m1', 'Apply', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }),
      entry('m2', 'Apply', replicas),
    ]
    const scale = [entry('hpa', 'Apply', replicas, { ...onScale, time: '2024-01-01T00:00:00Z' })]
    assert.deepEqual(withOwnersOfScale(entries, scale, 'apps/v1'), [
      entry('m1', 'Apply', { 'f:spec': { 'f:paused': {} } }),
      entry('hpa', 'Apply', replicas, { subresource: 'scale', time: '2024-01-01T00:00:00Z' }),
    ])
  })

  it('share the replicas', () => {
    const entries = [entry('m1', 'Apply', replicas)]
    const scale = [...ownersOfScale(entries), entry('hpa', 'Apply', replicas, onScale)]
    assert.deepEqual(withOwnersOfScale(entries, scale, 'apps/v1'), [
      entry('hpa', 'Apply', replicas, { subresource: 'scale' }),
      entry('m1', 'Apply', replicas),
    ])
  })

  it('may be empty', () => {
    assert.equal(withOwnersOfScale([entry('m1', 'Apply', replicas)], [], 'apps/v1'), undefined)
    assert.deepEqual(ownersOfScale([]), [])
  })

  it("are found at the kind's path of replicas", () => {
    const path = ['f:spec', 'f:size']
    const entries = [entry('m1', 'Apply', { 'f:spec': { 'f:size': {} } })]
    const scale = ownersOfScale(entries, path)
    assert.deepEqual(scale[0]?.fieldsV1, replicas)
    assert.deepEqual(withOwnersOfScale([], scale, 'test.io/v1', path), [
      entry('m1', 'Apply', { 'f:spec': { 'f:size': {} } }, { apiVersion: 'test.io/v1' }),
    ])
  })
})
