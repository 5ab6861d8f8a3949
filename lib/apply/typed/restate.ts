import { isRecord } from '../../base/index.ts'
import { setField } from '../../object/index.ts'
import { itemElement } from './listitem.ts'
import { isAsGoodAsAbsent } from './merge.ts'
import { anyShape, type ListShape, type Shape } from './shape.ts'
import { isEmptyRecord, type JsonFields, own } from './value.ts'

/**
 * The object with null where the configuration has null and pruning left a map or list empty. Returns the object itself
 * when there is no such place.
 */
export function restate(shape: Shape, pruned: unknown, config: unknown): unknown {
  return new Restater().visit(shape, pruned, config)
}

class Restater {
  visit(shape: Shape, pruned: unknown, config: unknown): unknown {
    if (shape.is === 'scalar') return pruned
    if (shape.is === 'list')
      return shape.semantics === 'map' && Array.isArray(pruned) && Array.isArray(config)
        ? this.#items(shape, pruned, config)
        : pruned
    return isRecord(pruned) && isRecord(config) ? this.#fields(shape, pruned, config) : pruned
  }

  #fields(shape: Exclude<Shape, ListShape>, pruned: JsonFields, config: JsonFields): unknown {
    if ((shape.is === 'struct' || shape.is === 'map') && shape.atomic) return pruned
    let restated: Record<string, unknown> | undefined
    for (const name of Object.keys(config)) {
      const field = shape.is === 'struct' ? shape.byName.get(name) : undefined
      const inner = field?.shape ?? (shape.is === 'map' ? shape.element : anyShape)
      const before = own(pruned, name)
      const stated = config[name]
      if (stated === null && field && isAsGoodAsAbsent(field, null)) continue
      const value = stated === null && isEmpty(before) ? null : this.visit(inner, before, stated)
      if (value !== before) setField((restated ??= { ...pruned }), name, value)
    }
    return restated ?? pruned
  }

  #items(list: ListShape, pruned: readonly unknown[], config: readonly unknown[]): unknown {
    const stated = new Map<string, unknown>()
    for (const item of config) {
      stated.set(itemElement(list, item), item)
    }
    let restated: unknown[] | undefined
    for (const [index, item] of pruned.entries()) {
      const value = this.visit(list.element, item, stated.get(itemElement(list, item)))
      if (value !== item) (restated ??= [...pruned])[index] = value
    }
    return restated ?? pruned
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && isEmptyRecord(value)
}
