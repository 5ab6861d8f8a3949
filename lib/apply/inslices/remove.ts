import { isRecord, Pace, type Slices } from '../../base/index.ts'
import { setField } from '../../object/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import type { FieldSet } from '../fieldset/fieldset.ts'
import { itemElement } from '../typed/listitem.ts'
import { emptied, type GivenUp, judgeGivenUp, statesNothing } from '../typed/remove.ts'
import { anyShape, type ListShape, type Shape } from '../typed/shape.ts'
import type { Fields } from '../typed/value.ts'

/** As removeGivenUp, with pauses, for objects of many fields. */
export function* removeGivenUpInSlices(shape: Shape, value: unknown, last: FieldSet, owned: FieldSet): Slices<unknown> {
  return yield* rebuild(shape, value, { last, owned }, new Pace())
}

function* rebuild(shape: Shape, value: unknown, context: GivenUp, pace: Pace): Slices<unknown> {
  if (pace.isDue()) yield
  switch (shape.is) {
    case 'list':
      if (shape.semantics === 'atomic' || !Array.isArray(value)) return value
      return yield* rebuildList(shape, value, context, pace)
    case 'map':
    case 'struct':
      return shape.atomic || !isRecord(value) ? value : yield* rebuildMap(shape, value, context, pace)
    case 'any':
      return isRecord(value) ? yield* rebuildMap(shape, value, context, pace) : value
    case 'scalar':
      return value
  }
}

function* rebuildList(list: ListShape, items: readonly unknown[], context: GivenUp, pace: Pace): Slices<unknown> {
  const kept: unknown[] = []
  let isChanged = false
  for (const item of items) {
    const { verdict, inner } = judgeGivenUp(context, itemElement(list, item), false)
    const left = verdict === 'descend' ? ((yield* rebuild(list.element, item, inner, pace)) ?? {}) : item
    if (verdict === 'drop' || left !== item) isChanged = true
    if (verdict !== 'drop') kept.push(left)
    if (pace.isDue()) yield
  }
  if (!isChanged) return items
  return kept.length === 0 ? undefined : kept
}

function* rebuildMap(shape: Shape, value: Fields, context: GivenUp, pace: Pace): Slices<unknown> {
  const kept: Record<string, unknown> = {}
  let isChanged = false
  let isEmptied = true
  for (const name of Object.keys(value)) {
    const field = shape.is === 'struct' ? shape.byName.get(name) : undefined
    const { verdict, inner } = judgeGivenUp(context, fieldElement(name), field !== undefined)
    const before = value[name]
    const shapeBelow = field?.shape ?? (shape.is === 'map' ? shape.element : anyShape)
    const drops = verdict === 'drop' && !(field && statesNothing(shapeBelow, before))
    const rebuilt = verdict === 'descend' ? yield* rebuild(shapeBelow, before, inner, pace) : before
    const left = rebuilt === undefined ? emptied(before) : rebuilt
    if (left !== before || drops) isChanged = true
    if (!drops) {
      isEmptied = false
      setField(kept, name, left)
    }
    if (pace.isDue()) yield
  }
  if (!isChanged) return value
  return isEmptied ? undefined : kept
}
