import assert from 'node:assert/strict'
import { createFeatureGates } from '../../../../lib/features/index.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { anonymousUser } from '../../../../lib/request/index.ts'
import { contextOf, created, updated } from '../../../support/kindrun.ts'
import { valid } from '../../../support/valid/PersistentVolume.ts'

const { gate } = createFeatureGates()
const mutable = contextOf(anonymousUser, (name) => name === 'MutablePVNodeAffinity' || gate(name))
const affinity = (zone: string, operator = 'In') => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator, values: [zone] }] }] },
})
const withAffinity = (nodeAffinity?: object): ApiObject => ({
  ...valid,
  spec: { ...(valid['spec'] as object), nodeAffinity },
})

describe('the node affinity of a volume', () => {
  const old = created(withAffinity(affinity('a'))).object
  const change = (nodeAffinity: object | undefined, context = mutable): string[] =>
    updated(old, (object) => void Object.assign(object['spec'] as object, { nodeAffinity }), { context }).findings

  it('is fixed once it is set, without its gate', () => {
    assert.match(change(affinity('b'), contextOf()).join(), /^nodeAffinity: Invalid value: .*field is immutable/)
    assert.deepEqual(change(affinity('a'), contextOf()), [])
  })

  it('can change with its gate, to a valid one', () => {
    assert.deepEqual(change(affinity('b')), [])
    assert.deepEqual(change(undefined), [])
    assert.match(change(affinity('b', 'Near')).join(), /operator: /)
  })
})
