import { MadeObject } from '../run/data.ts'
import { ListValue, MapValue, type Value } from '../run/values.ts'

/**
 * Checks whether created objects have the names of their places: `Object{spec: Object.spec{…}}`, and
 * `Object.spec.items` for items of a list. Returns the error in the stock server's words.
 */
export function misnamedObject(value: Value): string | undefined {
  return value instanceof MadeObject ? check(value, value.typeName) : undefined
}

function check(value: Value, name: string): string | undefined {
  if (value instanceof ListValue) return firstOf(Array.from(value), (item) => check(item, name))
  if (value instanceof MapValue) return firstOf([...value.keys()], (key) => check(value.get(key) ?? null, name))
  if (!(value instanceof MadeObject)) return undefined
  if (value.typeName !== name)
    return `unexpected type name "${value.typeName}", expected "${name}", which matches field name path from root Object type`
  return firstOf(value.names(), (field) => check(value.get(field) ?? null, `${name}.${field}`))
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
