import assert from 'node:assert/strict'
import { withoutEmptyLists } from '../../../lib/registry/emptylists.ts'
import type { Field, StructType, Type } from '../../../lib/schema/index.ts'

const text: Type = { is: 'scalar', scalar: 'string' }
const listOf = (element: Type): Type => ({ is: 'list', element, semantics: 'atomic', keys: [] }) as unknown as Type

function struct(fields: Record<string, { type: Type; omit?: Field['omit'] }>): StructType {
  const list = Object.entries(fields).map(
    ([name, { type, omit = 'never' }]) => ({ name, type, omit, pointer: false }) as unknown as Field,
  )
  return { is: 'struct', name: 'T', fields: list } as unknown as StructType
}

const rule = struct({ verbs: { type: listOf(text) }, groups: { type: listOf(text), omit: 'empty' } })
const root = struct({ rules: { type: listOf(rule) }, names: { type: listOf(text) }, note: { type: text } })

describe('empty lists that are always written', () => {
  it('are taken out wherever they are, and the sent object stays as it is', () => {
    const sent = Object.freeze({ note: 'n', names: [], rules: [{ verbs: ['get'] }, { verbs: [], groups: [] }] })
    assert.deepEqual(withoutEmptyLists(root, sent), { note: 'n', rules: [{ verbs: ['get'] }, { groups: [] }] })
    assert.equal(sent.rules[1]?.verbs.length, 0)
  })

  it('are not there as a rule: then the object comes back itself', () => {
    const sent = { note: 'n', names: ['a'], rules: [{ verbs: ['get'] }] }
    assert.equal(withoutEmptyLists(root, sent), sent)
  })
})
