import { recursiveDifference } from './algebra.ts'
import { fieldElement } from './element.ts'
import { type FieldSet, type FieldSetBuilder, hasNoFields, isMember, noFields, self, setOfPaths } from './fieldset.ts'

/** Keeps the part of a set that an endpoint can change. */
export type FieldFilter = (set: FieldSet) => FieldSet

/**
 * The filter of an endpoint that resets `reset` (paths like `metadata.labels`, with everything below), or everything
 * but
 * `only` (`[*]` after a field is any item: `spec.containers[*].resources`). Undefined: it resets nothing.
 */
export function createFieldFilter(reset: readonly string[], only: readonly string[] = []): FieldFilter | undefined {
  if (only.length > 0) {
    const pattern = patternOf(only)
    return (set) => matching(set, pattern)
  }
  if (reset.length === 0) return undefined
  const excluded = setOfPaths(reset.map((path) => path.split('.').map(fieldElement)))
  return (set) => recursiveDifference(set, excluded)
}

interface Pattern {
  readonly fields: Map<string, Pattern>
  items: Pattern | undefined
}

function patternOf(only: readonly string[]): Pattern {
  const root: Pattern = { fields: new Map(), items: undefined }
  for (const path of only) {
    let node = root
    for (const part of path.split('.')) {
      const name = part.replace('[*]', '')
      node = childPattern(node, name)
      if (part.endsWith('[*]')) node = node.items ??= { fields: new Map(), items: undefined }
    }
  }
  return root
}

function childPattern({ fields }: Pattern, name: string): Pattern {
  let child = fields.get(name)
  if (!child) fields.set(name, (child = { fields: new Map(), items: undefined }))
  return child
}

function isEnd({ fields, items }: Pattern): boolean {
  return fields.size === 0 && items === undefined
}

/** Members on the path to a pattern's fields stay. */
function matching(set: FieldSet, pattern: Pattern): FieldSet {
  const result: FieldSetBuilder = {}
  for (const element in set) {
    const child = set[element] ?? noFields
    if (element === self) {
      result[element] = child
      continue
    }
    const next = element.startsWith('f:') ? pattern.fields.get(element.slice(2)) : pattern.items
    if (next === undefined) continue
    const kept = isEnd(next) ? child : matching(child, next)
    if (hasNoFields(kept)) {
      if (isMember(child)) result[element] = noFields
    } else result[element] = isOnlySelf(kept) ? noFields : kept
  }
  return result
}

function isOnlySelf(node: FieldSet): boolean {
  for (const element in node) if (element !== self) return false
  return true
}
