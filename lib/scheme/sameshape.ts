import type { Field, StructType, Type } from '../schema/index.ts'

/** Whether the objects of two types have the same JSON and the same messages. */
export function isSameShape(a: Type, b: Type): boolean {
  return isSame(a, b, new Map())
}

/** `assumed`: pairs whose comparison is in progress; types that contain themselves end there. */
function isSame(a: Type, b: Type, assumed: Map<StructType, StructType>): boolean {
  if (a === b) return true
  if (a.is === 'scalar') return b.is === 'scalar' && a.scalar === b.scalar
  if (a.is === 'any') return b.is === 'any' && a.form === b.form
  if (a.is === 'list') return b.is === 'list' && a.wrapped === b.wrapped && isSame(a.element, b.element, assumed)
  if (a.is === 'map') return b.is === 'map' && isSame(a.element, b.element, assumed)
  if (b.is !== 'struct' || a.wrapper !== b.wrapper || a.fields.length !== b.fields.length) return false
  if (assumed.get(a) === b) return true
  assumed.set(a, b)
  return a.fields.every((field, index) => {
    const other = b.fields[index]
    return other !== undefined && isSameField(field, other) && isSame(field.type, other.type, assumed)
  })
}

function isSameField(a: Field, b: Field): boolean {
  return (
    a.name === b.name &&
    a.number === b.number &&
    a.pointer === b.pointer &&
    a.omit === b.omit &&
    a.emptyDiffers === b.emptyDiffers &&
    a.inlinedFrom?.number === b.inlinedFrom?.number
  )
}
