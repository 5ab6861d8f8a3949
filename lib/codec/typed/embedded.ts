import { setField } from '../../object/index.ts'
import { type CanonicalContext, isIndexKey, sortedMap } from './sortedmap.ts'

/**
 * An embedded object as its client wrote it. Controllers compare the text of such an object byte by byte, for instance
 * the template in a ControllerRevision, and roll out again where it differs. Where a client's map has a key like "10",
 * all its keys are in the order of their bytes (10, 9, a), while JavaScript puts such keys first and by number (9, 10,
 * a): those maps become a Map in the client's order. Shares parts that are in order.
 */
export function embeddedObject(value: unknown, context: CanonicalContext): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      items.push(embeddedObject(item, context))
    }
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const map = value as Readonly<Record<string, unknown>>
  let isOther = false
  let hasIndices = false
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(map)) {
    const item = embeddedObject(map[key], context)
    isOther ||= item !== map[key]
    hasIndices ||= isIndexKey(key)
    setField(result, key, item)
  }
  if (hasIndices) return sortedMap(result, undefined, context)
  return isOther ? result : value
}
