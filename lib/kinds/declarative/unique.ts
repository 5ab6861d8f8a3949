import { isRecord } from '../../base/index.ts'
import { equalityKey, fieldErrors } from '../../object/index.ts'
import type { Field } from '../../schema/index.ts'
import { covered } from './covered.ts'
import type { DeclaredRule } from './rule.ts'

const covers = covered.ofItems(covered.byReason('FieldValueDuplicate'))

/** Requires every item of the list to differ. */
export const uniqueItems: DeclaredRule = {
  check: (errors, { value, path }) => {
    if (!Array.isArray(value)) return
    const seen = new Set<string>()
    value.forEach((item, index) => {
      const key = equalityKey(item, { semantic: true })
      if (seen.has(key)) errors.push(fieldErrors.duplicate(path.index(index), item))
      seen.add(key)
    })
  },
  covers,
}

/** Requires different keys of all items; undefined for lists without keys. */
export function uniqueKeys(field: Field): DeclaredRule | undefined {
  const keys = field.type.is === 'list' ? field.type.keys : []
  if (keys.length === 0) return undefined
  const keyOf = (item: unknown): string => JSON.stringify(keys.map((key) => (isRecord(item) ? (item[key] ?? '') : '')))
  return {
    check: (errors, { value, path }) => {
      if (!Array.isArray(value)) return
      const seen = new Set<string>()
      value.forEach((item, index) => {
        const key = keyOf(item)
        if (seen.has(key)) {
          const shown = Object.fromEntries(keys.map((name) => [name, isRecord(item) ? item[name] : undefined]))
          errors.push(fieldErrors.duplicate(path.index(index), shown))
        }
        seen.add(key)
      })
    },
    covers,
  }
}
