import type { SchemaNode } from './node.ts'

/** A step of a rule's fieldPath: a field, or the key of a map. */
export interface FieldStep {
  readonly name: string
  readonly isKey: boolean
}

/** Parses the path of a rule's errors at `node`: `.a.b`, `.m['k']`. Undefined: it matches no field. */
export function parseFieldPath(text: string, node: SchemaNode): readonly FieldStep[] | undefined {
  const steps: FieldStep[] = []
  let at: SchemaNode | undefined = node
  let rest = text
  while (rest !== '') {
    const found: RegExpExecArray | null = /^\.([^.[\]]+)|^\['((?:[^'\\]|\\.)*)'\]/.exec(rest)
    if (!found) return undefined
    const name: string = (found[1] ?? found[2] ?? '').replace(/\\(.)/g, '$1')
    const property: SchemaNode | undefined = at?.properties.get(name)
    const isKey = !property && typeof at?.additional === 'object'
    const next: SchemaNode | undefined = property ?? (typeof at?.additional === 'object' ? at.additional : undefined)
    if (!next) return undefined
    steps.push({ name, isKey })
    at = next
    rest = rest.slice(found[0].length)
  }
  return steps.length > 0 ? steps : undefined
}
