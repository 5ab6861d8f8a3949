import assert from 'node:assert/strict'
import type { Entry } from '../../../lib/cache/index.ts'
import { asDefinition, type Definition } from '../../../lib/crd/definition/definition.ts'
import { HeldDefinitions } from '../../../lib/crd/helddefinitions.ts'
import type { Revision } from '../../../lib/object/index.ts'
import { definitionOf } from '../../support/crdkit.ts'

const revisionOf = (revision: number): Revision => revision as Revision
const decoded = asDefinition(definitionOf({ kind: 'Decoded' }))
const entryOf = (key: string, revision: number): Entry =>
  ({ key, revision: revisionOf(revision), object: () => decoded }) as unknown as Entry

describe('definitions that are worked on', () => {
  const held: Definition = asDefinition(definitionOf({ kind: 'Held' }))

  it('are not decoded again for the state that is held, and are for every other', () => {
    const fresh = new HeldDefinitions()
    fresh.hold('k', revisionOf(5), held)
    assert.equal(fresh.of(entryOf('k', 5)), held)
    assert.equal(fresh.of(entryOf('k', 4)), decoded)
    assert.equal(fresh.of(entryOf('k', 6)), decoded)
    assert.equal(fresh.of(entryOf('other', 5)), decoded)
  })

  it('are kept in their newest state, until their work is done', () => {
    const fresh = new HeldDefinitions()
    fresh.hold('k', revisionOf(5), held)
    fresh.hold('k', revisionOf(4), decoded)
    fresh.release(entryOf('k', 4))
    assert.equal(fresh.of(entryOf('k', 5)), held)
    fresh.release(entryOf('k', 5))
    assert.equal(fresh.of(entryOf('k', 5)), decoded)
  })

  it('are 64 at most', () => {
    const fresh = new HeldDefinitions()
    for (let index = 0; index <= 64; index++) fresh.hold(`k${index}`, revisionOf(1), held)
    assert.equal(fresh.of(entryOf('k0', 1)), decoded)
    assert.equal(fresh.of(entryOf('k1', 1)), held)
    assert.equal(fresh.of(entryOf('k64', 1)), held)
  })
})
