import { type JsonValue } from '../../object/index.ts'
import { countKeys } from '../typed/context.ts'
import { sortedMap } from '../typed/sortedmap.ts'
import { parseBody } from './decode.ts'
import { type JsonNode, parseTree } from './tree.ts'
import { writeJson } from './write.ts'

interface DecodedUntyped {
  readonly value: JsonValue
  /** `duplicate field "spec.a"`, in strict mode; the last of duplicate fields wins. */
  readonly strictErrors: readonly string[]
}

/** Decodes a custom resource's text; the caller checks its type. Throws DecodeError. */
export function decodeUntyped(bytes: Uint8Array, { strict = false } = {}): DecodedUntyped {
  const { value, tree, keys } = parseBody(bytes)
  if (!strict || countKeys(value) === keys) return { value, strictErrors: [] }
  const found = new Set<string>()
  findDuplicates(tree ?? parseTree(bytes), '', found)
  return { value, strictErrors: [...found].map((path) => `duplicate field "${path}"`) }
}

/** Encodes a custom resource like the stock server: the keys of every object sorted. */
export function encodeUntyped(value: JsonValue, { pretty = false } = {}): Uint8Array {
  return Buffer.from(untypedText(value, { pretty }), 'utf8')
}

/** Encodes like encodeUntyped, as a string. */
export function untypedText(value: JsonValue, { pretty = false } = {}): string {
  const context = { ordered: false }
  return writeJson(sorted(value, context), { ordered: context.ordered, pretty })
}

function sorted(value: unknown, context: { ordered: boolean }): unknown {
  if (typeof value === 'bigint') context.ordered = true
  if (value === null || typeof value !== 'object') return value
  const each = (item: unknown): unknown => sorted(item, context)
  if (Array.isArray(value)) return value.map(each)
  return sortedMap(value as Record<string, unknown>, each, context)
}

function findDuplicates(node: JsonNode, path: string, found: Set<string>): void {
  if (node.is === 'array')
    for (const [index, item] of node.items.entries()) findDuplicates(item, `${path}[${index}]`, found)
  if (node.is !== 'object') return
  const seen = new Set<string>()
  for (const [key, value] of node.entries) {
    const place = path === '' ? key : `${path}.${key}`
    if (seen.has(key)) found.add(place)
    seen.add(key)
    findDuplicates(value, place, found)
  }
}
