import { isRecord } from '../../base/index.ts'
import { setField } from '../../object/index.ts'
import type { Shape, StructShape } from './shape.ts'
import { type JsonFields, own } from './value.ts'

/**
 * The value with all implied values, and without nulls: conversions between versions require this form. Returns the
 * value itself when it has it already.
 */
export function fillImplied(shape: Shape, value: unknown): unknown {
  switch (shape.is) {
    case 'struct':
      return isRecord(value) ? fillStruct(shape, value) : value
    case 'map':
      return isRecord(value) ? fillFields(value, () => shape.element) : value
    case 'list':
      return Array.isArray(value) ? fillItems(shape.element, value) : value
    case 'scalar':
    case 'any':
      return value
  }
}

function fillStruct(shape: StructShape, value: JsonFields): JsonFields {
  let filled = fillFields(value, (name) => shape.byName.get(name)?.shape)
  for (const { name, shape: inner, implied } of shape.implied) {
    if (implied === null || own(filled, name) !== undefined) continue
    filled = { ...filled, [name]: fillImplied(inner, implied) }
  }
  return filled
}

function fillFields(value: JsonFields, shapeOf: (name: string) => Shape | undefined): JsonFields {
  let filled: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const shape = shapeOf(name)
    if (!shape) continue
    const inner = fillImplied(shape, value[name])
    if (inner === value[name] && inner !== null) continue
    filled ??= { ...value }
    if (inner === null) delete filled[name]
    else setField(filled, name, inner)
  }
  return filled ?? value
}

function fillItems(shape: Shape, items: readonly unknown[]): readonly unknown[] {
  let changed = false
  const filled = items.map((item) => {
    const inner = fillImplied(shape, item)
    changed ||= inner !== item
    return inner
  })
  return changed ? filled : items
}
