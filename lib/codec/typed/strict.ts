import { isRecord } from '../../base/index.ts'
import type { JsonValue } from '../../object/index.ts'
import type { StructType, Type } from '../../schema/index.ts'
import type { JsonNode } from '../json/tree.ts'

/** Maximum number of errors reported for one body; more are dropped. */
export const strictErrorsMax = 100

/**
 * `unknown field "spec.containers[0].foo"` and `duplicate field "metadata.labels.a"`, in the order of the text, each
 * once. Skips unknown fields and embedded values.
 */
export function findStrictErrors(node: JsonNode, struct: StructType): string[] {
  const walk = new StrictWalk<JsonNode>({
    items: (each) => (each.is === 'array' ? each.items : undefined),
    entries: (each) => (each.is === 'object' ? each.entries : undefined),
  })
  walk.value(node, struct, '')
  return [...walk.found]
}

/** The unknown fields of a value, as findStrictErrors reports them for its text. */
export function findUnknownFields(value: JsonValue, struct: StructType): string[] {
  const walk = new StrictWalk<JsonValue>({
    items: (each) => (Array.isArray(each) ? each : undefined),
    entries: (each) => (isRecord(each) ? (Object.entries(each) as [string, JsonValue][]) : undefined),
  })
  walk.value(value, struct, '')
  return [...walk.found]
}

/** Access to the parts of a node. */
interface NodeParts<Node> {
  /** Undefined: no list. */
  items(node: Node): readonly Node[] | undefined
  /** Undefined: no object. */
  entries(node: Node): readonly (readonly [string, Node])[] | undefined
}

class StrictWalk<Node> {
  readonly found = new Set<string>()
  readonly #parts: NodeParts<Node>

  constructor(parts: NodeParts<Node>) {
    this.#parts = parts
  }

  value(node: Node, type: Type, path: string): void {
    if (type.is === 'struct') this.#struct(node, type, path)
    else if (type.is === 'list') {
      for (const [index, item] of this.#parts.items(node)?.entries() ?? [])
        this.value(item, type.element, `${path}[${index}]`)
    } else if (type.is === 'map') this.#entries(node, path, () => type.element)
  }

  #struct(node: Node, struct: StructType, path: string): void {
    // Go's decoder gets the value of a schema-or-something as raw text, which it reads leniently.
    if (!struct.wrapper) this.#entries(node, path, (key) => struct.byName.get(key)?.type)
  }

  #entries(node: Node, path: string, typeOf: (key: string) => Type | undefined): void {
    const seen = new Set<string>()
    for (const [key, value] of this.#parts.entries(node) ?? []) {
      if (value === undefined) continue
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
