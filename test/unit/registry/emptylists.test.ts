import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { dropEmptyLists } from '../../../lib/registry/emptylists.ts'
import { compileTables } from '../../../lib/schema/index.ts'

const types = compileTables(tables)

describe('registry: empty lists', () => {
  it('go where they would be written, at any depth, and nowhere else', () => {
    const node = { spec: { taints: [] }, status: { images: [{ names: [], sizeBytes: 1 }, { names: ['a'] }] } }
    dropEmptyLists(types.struct('core/v1.Node'), node)
    assert.deepEqual(node, { spec: { taints: [] }, status: { images: [{ sizeBytes: 1 }, { names: ['a'] }] } })
  })
  it('stay in values without a type', () => {
    const revision = { data: { rules: [], names: [[]] }, revision: 1 }
    dropEmptyLists(types.struct('apps/v1.ControllerRevision'), revision)
    assert.deepEqual(revision, { data: { rules: [], names: [[]] }, revision: 1 })
  })
})
