import type { StructType, Type } from '../../schema/index.ts'
import type { JsonNode } from '../json/tree.ts'

/** Findings of one body that are told; more are dropped. */
export const strictErrorsMax = 100

/**
 * `unknown field "spec.containers[0].foo"` and `duplicate field "metadata.labels.a"`, in the order of the text, each
 * once. Fields inside unknown fields and embedded values are not looked at.
 */
export function findStrictErrors(node: JsonNode, struct: StructType): string[] {
  const walk = new StrictWalk()
  walk.value(node, struct, '')
  return [...walk.found]
}

class StrictWalk {
  readonly found = new Set<string>()

  value(node: JsonNode, type: Type, path: string): void {
    if (type.is === 'struct') this.#struct(node, type, path)
    else if (type.is === 'list' && node.is === 'array') {
      for (const [index, item] of node.items.entries()) this.value(item, type.element, `${path}[${index}]`)
    } else if (type.is === 'map' && node.is === 'object') {
      this.#entries(node.entries, path, () => type.element)
    }
  }

  #struct(node: JsonNode, struct: StructType, path: string): void {
    // The value of a schema-or-something comes to Go's decoder as raw text, which it reads leniently.
    if (struct.wrapper || node.is !== 'object') return
    this.#entries(node.entries, path, (key) => struct.byName.get(key)?.type)
  }

  #entries(
    entries: readonly (readonly [string, JsonNode])[],
    path: string,
    typeOf: (key: string) => Type | undefined,
  ): void {
    const seen = new Set<string>()
    for (const [key, value] of entries) {
      const place = path === '' ? key : `${path}.${key}`
      const type = typeOf(key)
      if (!type) this.#report('unknown', place)
      else {
        if (seen.has(key)) this.#report('duplicate', place)
        seen.add(key)
        this.value(value, type, place)
      }
    }
  }

  #report(what: 'unknown' | 'duplicate', path: string): void {
    if (this.found.size < strictErrorsMax) this.found.add(`${what} field "${path}"`)
  }
}
