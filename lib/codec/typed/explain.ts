import {
  canonicalDuration,
  canonicalMicroTime,
  canonicalQuantity,
  canonicalTime,
  intOrStringError,
} from '../../object/index.ts'
import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
import { type JsonNode, treeValue } from '../json/tree.ts'

/**
 * The error that clients see for a text that does not fit its struct, with the text of Go's encoding/json; undefined
 * when it fits. Errors of types with their own parser (times, quantities) precede the first mismatch.
 */
export function explainMismatch(node: JsonNode, struct: StructType): string | undefined {
  const walk = new MismatchWalk()
  try {
    walk.struct(node, struct)
  } catch (error) {
    if (error instanceof OwnParserError) return error.message
    throw error
  }
  return walk.first
}

class OwnParserError extends Error {}

class MismatchWalk {
  first: string | undefined
  readonly #path: string[] = []
  #owner = ''

  struct(node: JsonNode, struct: StructType): void {
    if (node.is === 'null') return
    if (struct.wrapper) return this.#wrapper(node, struct)
    if (node.is !== 'object') return this.#mismatch(node.is, goName(struct))
    const outer = this.#owner
    for (const [key, value] of node.entries) {
      const field = struct.byName.get(key)
      if (!field) continue
      this.#owner = shortName(struct)
      this.#path.push(key)
      this.#value(value, field.type, field)
      this.#path.pop()
    }
    this.#owner = outer
  }

  #value(node: JsonNode, type: Type, field: Field | undefined): void {
    if (type.is === 'struct') return this.struct(node, type)
    if (node.is === 'null' || type.is === 'any') return
    if (type.is === 'scalar') return this.#scalar(node, type.scalar, field)
    if (type.is === 'list') {
      if (node.is !== 'array') return this.#mismatch(node.is, goType(type, field))
      for (const item of node.items) this.#value(item, type.element, undefined)
    } else {
      if (node.is !== 'object') return this.#mismatch(node.is, goType(type, field))
      for (const [, value] of node.entries) this.#value(value, type.element, undefined)
    }
  }

  #scalar(node: JsonNode, scalar: ScalarName, field: Field | undefined): void {
    const own = ownParsers[scalar]
    if (own) return this.#ownParser(node, own)
    const type = goType({ is: 'scalar', scalar }, field)
    if (scalar === 'bytes' && node.is === 'string') {
      const at = illegalBase64(node.text)
      if (at !== undefined) this.first ??= `illegal base64 data at input byte ${at}`
    } else if (node.is === 'number' && integerRanges[scalar]) {
      const [low, high] = integerRanges[scalar]
      const fits = /^-?\d{1,19}$/.test(node.text) && BigInt(node.text) >= low && BigInt(node.text) <= high
      if (!fits) this.#mismatch(`number ${node.text}`, type)
    } else if (node.is !== jsonOf[scalar]) this.#mismatch(node.is, type)
  }

  #ownParser(node: JsonNode, parse: (value: unknown) => string | undefined): void {
    let error: string | undefined
    try {
      error = parse(node.is === 'array' || node.is === 'object' ? nonScalar[node.is] : treeValue(node))
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown)
    }
    if (error === undefined) return
    throw new OwnParserError(error.replace('into Go value', `into ${this.#target()}`))
  }

  #wrapper(node: JsonNode, struct: StructType): void {
    const schema = struct.byName.get('schema')?.type
    if (schema?.is !== 'struct' || node.is === 'bool') return
    if (node.is === 'object') return this.struct(node, schema)
    if (node.is !== 'array')
      throw new OwnParserError(`json: cannot unmarshal ${node.is} into ${this.#target()} of type ${goName(schema)}`)
    for (const item of node.items) {
      if (struct.wrapper === 'schemaOrStrings') {
        if (item.is !== 'string')
          throw new OwnParserError(`json: cannot unmarshal ${item.is} into ${this.#target()} of type string`)
      } else this.struct(item, schema)
    }
  }

  #mismatch(found: string, type: string): void {
    this.first ??= `json: cannot unmarshal ${found} into ${this.#target()} of type ${type}`
  }

  #target(): string {
    return this.#path.length === 0 ? 'Go value' : `Go struct field ${this.#owner}.${this.#path.join('.')}`
  }
}

/** Substitutes that no scalar's parser accepts. */
const nonScalar = { array: [], object: {} } as const

const textOnly = (parse: (text: string) => unknown) => (value: unknown) => {
  if (typeof value !== 'string') return `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`
  parse(value)
  return undefined
}
export const ownParsers: Partial<Readonly<Record<ScalarName, (value: unknown) => string | undefined>>> = {
  Time: textOnly(canonicalTime),
  MicroTime: textOnly(canonicalMicroTime),
  Duration: textOnly(canonicalDuration),
  IntOrString: intOrStringError,
  Quantity(value) {
    canonicalQuantity(typeof value === 'object' ? '{}' : String(value))
    return undefined
  },
}

function jsonKind(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'object' ? 'object' : 'number'
}

const integerRanges: Partial<Readonly<Record<ScalarName, readonly [bigint, bigint]>>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
}
const jsonOf: Readonly<Record<ScalarName, JsonNode['is']>> = {
  string: 'string',
  bool: 'bool',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bytes: 'string',
  Time: 'string',
  MicroTime: 'string',
  Duration: 'string',
  Quantity: 'string',
  IntOrString: 'string',
}
const goScalars: Readonly<Record<ScalarName, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Duration: 'v1.Duration',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
}

function shortName(struct: StructType): string {
  return struct.name.slice(struct.name.lastIndexOf('.') + 1)
}

/** `core/v1.Pod` is `v1.Pod` in Go: packages are named after versions. */
function goName(struct: StructType): string {
  return struct.name.slice(struct.name.lastIndexOf('/') + 1)
}

export function goType(type: Type, field: Field | undefined): string {
  const alias = field?.alias ?? ''
  const named = alias === '' ? undefined : `v1.${alias}`
  switch (type.is) {
    case 'struct':
      return goName(type)
    case 'scalar':
      return named ?? goScalars[type.scalar]
    case 'any':
      return 'runtime.RawExtension'
    case 'list':
      return `[]${(type.element.is === 'scalar' && named) || goType(type.element, undefined)}`
    case 'map':
      if (type.element.is === 'scalar' && type.element.scalar === 'Quantity') return 'v1.ResourceList'
      return `map[string]${goType(type.element, undefined)}`
  }
}

/** Where Go's decoder fails in a base64 text: the first illegal character. */
export function illegalBase64(text: string): number | undefined {
  let position = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i)
    if (c === '\n' || c === '\r') continue
    if (c === '=') return badPadding(text, i, position % 4)
    if (!/[A-Za-z0-9+/]/.test(c)) return i
    position++
  }
  return position % 4 === 0 ? undefined : text.length - (position % 4)
}

function badPadding(text: string, at: number, phase: number): number | undefined {
  if (phase < 2) return at
  const rest = text.slice(at).replaceAll(/[\r\n]/g, '')
  const wanted = phase === 2 ? '==' : '='
  if (rest === wanted) return undefined
  if (phase === 2 && !rest.startsWith('==')) return rest.length === 1 ? text.length : at + 1
  return at + wanted.length
}
