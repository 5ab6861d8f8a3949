import { isRecord, Pace, type Slices } from '../../base/index.ts'
import { setField } from '../../object/index.ts'
import { isAsGoodAsAbsent, isSame, ListMerge, mergeTyped } from '../typed/merge.ts'
import { anyShape, type Shape } from '../typed/shape.ts'
import { type Fields, own } from '../typed/value.ts'

/** As mergeTyped, with pauses, for objects of many fields. */
export function* mergeInSlices(shape: Shape, live: unknown, config: unknown, pace: Pace = new Pace()): Slices<unknown> {
  if (pace.isDue()) yield
  const isGranular = shape.is === 'any' || ((shape.is === 'map' || shape.is === 'struct') && !shape.atomic)
  if (isGranular && isRecord(live) && isRecord(config)) return yield* mergeRecords(shape, live, config, pace)
  if (shape.is === 'list' && shape.semantics !== 'atomic' && isFilled(live) && isFilled(config)) {
    const merged = yield* new ListMerge(shape).run(live, config)
    return isSame(live, merged) ? live : merged
  }
  return mergeTyped(shape, live, config)
}

function* mergeRecords(shape: Shape, live: Fields, config: Fields, pace: Pace): Slices<Fields> {
  const changes: [name: string, value: unknown][] = []
  for (const name of Object.keys(config)) {
    const field = shape.is === 'struct' ? shape.byName.get(name) : undefined
    const before = own(live, name)
    if (before === undefined && field && isAsGoodAsAbsent(field, config[name])) continue
    const inner = field?.shape ?? (shape.is === 'map' ? shape.element : anyShape)
    const value = yield* mergeInSlices(inner, before ?? field?.implied, config[name], pace)
    if (value !== before) changes.push([name, value])
  }
  if (changes.length === 0) return live
  const merged: Record<string, unknown> = {}
  for (const name of Object.keys(live)) {
    if (pace.isDue()) yield
    setField(merged, name, live[name])
  }
  for (const [name, value] of changes) {
    if (pace.isDue()) yield
    setField(merged, name, value)
  }
  return merged
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}
