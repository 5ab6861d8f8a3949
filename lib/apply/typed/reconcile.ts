import { type FieldSet, type FieldSetBuilder, hasNoFields, noFields, self } from '../fieldset/fieldset.ts'
import type { Shape } from './shape.ts'

/**
 * Adapts a stored set to today's schema: a value that has become atomic is owned whole by every owner of a part of it;
 * a value that has become granular is owned at the top alone (specification, "Server-side apply" rule 11). Returns the
 * set itself when nothing changed.
 */
export function reconcile(shape: Shape, set: FieldSet): FieldSet {
  if (hasNoFields(set)) return set
  switch (shape.is) {
    case 'struct':
      return shape.atomic
        ? noFields
        : mapChildren(set, (element) => {
            const field = element.startsWith('f:') ? shape.byName.get(element.slice(2)) : undefined
            return field?.shape
          })
    case 'map':
      return shape.atomic ? noFields : reconcileBelow(shape.element, set)
    case 'list':
      return shape.semantics === 'atomic' ? noFields : reconcileBelow(shape.element, set)
    case 'scalar':
    case 'any':
      return set
  }
}

function reconcileBelow(element: Shape, set: FieldSet): FieldSet {
  // These don't depend on the schema.
  if (element.is === 'scalar' || element.is === 'any') return set
  return mapChildren(set, () => element)
}

function mapChildren(set: FieldSet, shapeOf: (element: string) => Shape | undefined): FieldSet {
  let changed: FieldSetBuilder | undefined
  for (const element in set) {
    if (element === self) continue
    const shape = shapeOf(element)
    if (!shape) continue
    const node = set[element] ?? noFields
    const now = reconcile(shape, node)
    if (now !== node) (changed ??= { ...set })[element] = now
  }
  return changed ?? set
}
