import { isRecord } from '../../base/index.ts'
import type { SchemaNode } from './node.ts'

/**
 * Finds the old value of a list's item: by its keys in a list of type map; items of other lists can't be correlated,
 * and have no old value. Absent keys have their defaults.
 */
export function correlateItems(node: SchemaNode, old: unknown): (item: unknown) => unknown {
  if (node.listType !== 'map' || !Array.isArray(old)) return () => undefined
  let byKeys: Map<string, unknown> | undefined
  return (item) => {
    byKeys ??= new Map(old.map((each: unknown) => [keyOf(node, each), each]))
    return byKeys.get(keyOf(node, item))
  }
}

/** The values of an item's keys as text; equal for equal ones. */
export function keyOf(node: SchemaNode, item: unknown): string {
  if (!isRecord(item)) return ''
  const valueOf = (key: string): unknown =>
    (Object.hasOwn(item, key) ? item[key] : undefined) ?? node.items?.properties.get(key)?.default ?? null
  const [only] = node.listKeys
  if (only !== undefined && node.listKeys.length === 1) {
    const value = valueOf(only)
    if (typeof value === 'string') return `"${value}`
  }
  return JSON.stringify(node.listKeys.map(valueOf), (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

/** An own field of an object; undefined for everything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
