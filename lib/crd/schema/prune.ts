import { isRecord } from '../../base/index.ts'
import { objectFields, type SchemaNode } from './node.ts'

type Fields = Record<string, unknown>

/** Maximum number of reported unknown fields; further ones are removed silently. */
const unknownFieldsMax = 1000

/**
 * Removes, in place, every field below `value` that the schema doesn't have. `found`: collects their paths.
 * `root`: the value is a whole object, whose apiVersion, kind and metadata are left alone.
 */
export function prune(node: SchemaNode, value: unknown, found: string[] | undefined, root = true): void {
  pruneValue(node, value, root, '', found)
}

function pruneValue(
  node: SchemaNode | true | undefined,
  value: unknown,
  isObject: boolean,
  path: string,
  found: string[] | undefined,
): void {
  if (Array.isArray(value)) {
    const items = node === undefined || node === true ? undefined : node.items
    for (const [index, item] of value.entries())
      if (typeof item === 'object') pruneItem(node, items, item, found && `${path}[${index}]`, found)
    return
  }
  if (!isRecord(value)) return
  const known = node === undefined || node === true ? undefined : node
  if (known && keepsAll(known)) return
  for (const key of Object.keys(value)) {
    if (isObject && objectFields.has(key)) continue
    const property = known?.properties.get(key)
    const field = value[key]
    if (property || known?.additional !== undefined) {
      if (typeof field !== 'object' || field === null) continue
      const inner = property ?? known?.additional
      const isOwn = typeof inner === 'object' && inner.embedded
      pruneValue(inner, field, isOwn, found ? join(path, key) : '', found)
    } else if (known?.preserve !== true) {
      delete (value as Fields)[key]
      if (found && found.length < unknownFieldsMax) found.push(join(path, key))
    }
  }
}

/** Avoids listing the fields of a wide map, which takes long. */
function keepsAll({ preserve, properties, additional }: SchemaNode): boolean {
  return preserve && properties.size === 0 && additional === undefined
}

/** The items of a list that keeps unknown fields keep them, too. */
function pruneItem(
  node: SchemaNode | true | undefined,
  items: SchemaNode | undefined,
  item: unknown,
  path: string | undefined,
  found: string[] | undefined,
): void {
  const skips = typeof node === 'object' && node.preserve
  if (skips && !items) return
  const inner = skips && items ? { ...items, preserve: true } : items
  pruneValue(inner, item, items?.embedded === true, path ?? '', found)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
