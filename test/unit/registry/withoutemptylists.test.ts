import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { withoutEmptyLists } from '../../../lib/registry/withoutemptylists.ts'
import { compileTables, type Field, type StructType, type Type } from '../../../lib/schema/index.ts'

const text: Type = { is: 'scalar', scalar: 'string' }
const listOf = (element: Type): Type => ({ is: 'list', element, semantics: 'atomic', keys: [] }) as unknown as Type

function struct(fields: Record<string, { type: Type; omit?: Field['omit'] }>): StructType {
  const list = Object.entries(fields).map(
    ([name, { type, omit = 'never' }]) => ({ name, type, omit, pointer: false }) as Field,
  )
  return { is: 'struct', name: 'T', fields: list } as unknown as StructType
}

const rule = struct({ verbs: { type: listOf(text) }, groups: { type: listOf(text), omit: 'empty' } })
const root = struct({ rules: { type: listOf(rule) }, names: { type: listOf(text) }, note: { type: text } })

describe('empty lists that are always written', () => {
  it('are removed from kinds at any depth, and from no values without a type', () => {
    const types = compileTables(tables)
    const node = { spec: { taints: [] }, status: { images: [{ names: [], sizeBytes: 1 }, { names: ['a'] }] } }
    assert.deepEqual(withoutEmptyLists(types.struct('core/v1.Node'), node), {
      spec: { taints: [] },
      status: { images: [{ sizeBytes: 1 }, { names: ['a'] }] },
    })
    const revision = { data: { rules: [], names: [[]] }, revision: 1 }
    assert.equal(withoutEmptyLists(types.struct('apps/v1.ControllerRevision'), revision), revision)
  })

  it('are removed wherever they are, and the sent object is unchanged', () => {
    const sent = Object.freeze({ note: 'n', names: [], rules: [{ verbs: ['get'] }, { verbs: [], groups: [] }] })
    assert.deepEqual(withoutEmptyLists(root, sent), { note: 'n', rules: [{ verbs: ['get'] }, { groups: [] }] })
    assert.equal(sent.rules[1]?.verbs.length, 0)
  })

  it('are rare: without any the object itself is returned', () => {
    const sent = { note: 'n', names: ['a'], rules: [{ verbs: ['get'] }] }
    assert.equal(withoutEmptyLists(root, sent), sent)
  })
})
