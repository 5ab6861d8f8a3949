import { runSlices, type Slices } from '../../base/index.ts'
import { countValues, type JsonValue } from '../../object/index.ts'
import { countKeys } from '../typed/context.ts'
import { sortedKeys, sortedMap } from '../typed/sortedmap.ts'
import { parseBody } from './decode.ts'
import { type JsonNode, parseTree } from './tree.ts'
import { writeJson } from './write.ts'

interface DecodedUntyped {
  readonly value: JsonValue
  /** `duplicate field "spec.a"`, when they were asked for; the last of duplicate fields counts. */
  readonly strictErrors: readonly string[]
}

/** A custom resource's text, whose type is checked elsewhere. Throws DecodeError. */
export function decodeUntyped(bytes: Uint8Array, options: { strict?: boolean } = {}): DecodedUntyped {
  return runSlices(decodeUntypedInSlices(bytes, options))
}

/** As decodeUntyped, with pauses between its steps. */
export function* decodeUntypedInSlices(bytes: Uint8Array, { strict = false } = {}): Slices<DecodedUntyped> {
  const { value, tree, keys } = parseBody(bytes)
  if (!strict) return { value, strictErrors: [] }
  yield
  if (countKeys(value) === keys) return { value, strictErrors: [] }
  yield
  const found = new Set<string>()
  findDuplicates(tree ?? parseTree(bytes), '', found)
  return { value, strictErrors: [...found].map((path) => `duplicate field "${path}"`) }
}

/** As the stock server writes a custom resource: the keys of every object sorted. */
export function encodeUntyped(value: JsonValue, { pretty = false } = {}): Uint8Array {
  return Buffer.from(untypedText(value, { pretty }), 'utf8')
}

/** As encodeUntyped, a text. */
export function untypedText(value: JsonValue, { pretty = false } = {}): string {
  const context = { ordered: false }
  return writeJson(sorted(value, context), { ordered: context.ordered, pretty })
}

/** Values whose text takes a millisecond or two. */
const valuesASlice = 2000
/** Values that are written without a pause, which costs a third. */
const valuesAtOnceMax = 10 * valuesASlice

/** As untypedText, with pauses. */
export function* untypedTextInSlices(value: JsonValue): Slices<string> {
  if (countValues(value, valuesAtOnceMax) <= valuesAtOnceMax) return untypedText(value)
  yield
  return yield* textInSlices(value, { left: valuesASlice })
}

function* textInSlices(value: JsonValue, slice: { left: number }): Slices<string> {
  if (typeof value !== 'object' || value === null) return untypedText(value)
  const isList = Array.isArray(value)
  const keys = isList ? [] : sortedKeys(value)
  const count = isList ? value.length : keys.length
  const parts: string[] = []
  for (let index = 0; index < count; index++) {
    const key = keys[index] ?? ''
    const item = isList ? value[index] : value[key]
    if (item === undefined) continue
    const isScalar = typeof item !== 'object' || item === null
    const text = isScalar ? untypedText(item) : yield* textInSlices(item, slice)
    parts.push(isList ? text : `${writeJson(key)}:${text}`)
    if (--slice.left > 0) continue
    slice.left = valuesASlice
    yield
  }
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
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
