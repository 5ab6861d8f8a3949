import assert from 'node:assert/strict'
import { createDropDisabledFields } from '../../../lib/registry/gatedfields.ts'
import type { Field, StructType, Type } from '../../../lib/schema/index.ts'

const text: Type = { is: 'scalar', scalar: 'string' }
const listOf = (element: Type): Type => ({ is: 'list', element, semantics: 'atomic', keys: [] }) as unknown as Type

function struct(fields: Record<string, { type: Type; gates?: string[] }>): StructType {
  const list = Object.entries(fields).map(([name, { type, gates = [] }]) => ({ name, type, gates }) as unknown as Field)
  return { is: 'struct', name: 'T', fields: list } as unknown as StructType
}

const item = struct({ name: { type: text }, fancy: { type: text, gates: ['Fancy'] } })
const root = struct({
  plain: { type: text },
  gated: { type: text, gates: ['Off', 'AlsoOff'] },
  either: { type: text, gates: ['Off', 'On'] },
  items: { type: listOf(item) },
})

describe('fields behind feature gates', () => {
  const drop = createDropDisabledFields((gate) => gate === 'On')

  it('are dropped while all of their gates are off', () => {
    const object = { plain: 'a', gated: 'b', either: 'c', items: [{ name: 'x', fancy: 'y' }, { name: 'z' }] }
    drop(root, object, undefined)
    assert.deepEqual(object, { plain: 'a', either: 'c', items: [{ name: 'x' }, { name: 'z' }] })
  })

  it('stay where the stored object uses them', () => {
    const object = { gated: 'b', items: [{ name: 'x', fancy: 'y' }] }
    drop(root, object, { gated: 'a', items: [{ name: 'other', fancy: 'y' }] })
    assert.deepEqual(object, { gated: 'b', items: [{ name: 'x', fancy: 'y' }] })
  })

  it('are found in types that contain themselves', () => {
    const fields: Record<string, { type: Type; gates?: string[] }> = { fancy: { type: text, gates: ['Fancy'] } }
    const recursive = struct(fields)
    ;(recursive.fields as Field[]).push({ name: 'next', type: recursive, gates: [] } as unknown as Field)
    const object = { next: { next: { fancy: 'x' } } }
    drop(recursive, object, undefined)
    assert.deepEqual(object, { next: { next: {} } })
  })
})
