import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  type YAMLMap,
} from 'yaml'
import { type JsonValue, setField } from '../../object/index.ts'
import { DecodeError, nestingMax } from '../error.ts'
import { decodeUntyped } from '../json/untyped.ts'
import { checkValues } from '../values.ts'
import { resolveScalar } from './scalar.ts'

/** Maximum number of values from aliases: more are an attack. */
export const aliasValuesMax = 100_000

/** Maximum number of markers (`- `, `: `, `,`, brackets) in a text: real objects have some ten thousand. */
export const yamlMarkersMax = 150_000

/** Larger YAML is not parsed on the event loop: the parser takes up to 10 µs a byte. */
export const yamlInlineBytesMax = 4 * 1024

export interface DecodedYaml {
  readonly value: JsonValue
  /** `line 7: key "a" already set in map`, for each duplicate key of a map; the last one wins. */
  readonly duplicates: readonly string[]
}

/**
 * The first document of a YAML text as a JSON value, by the stock server's rules of YAML 1.1: yes, no, on and off are
 * booleans, 0644 is octal, times stay strings, keys become strings. Throws DecodeError (`yaml: …`).
 */
export function decodeYaml(bytes: Uint8Array): DecodedYaml {
  const json = decodeJsonAsYaml(bytes)
  if (json) return json
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  checkComplexity(bytes)
  const lines = new LineCounter()
  const document = parse(text, lines)
  const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS')
  if (error) {
    const { line } = lines.linePos(error.pos[0])
    throw new DecodeError(`yaml: line ${line}: ${error.message}`, { line })
  }
  const conversion = new Conversion(lines)
  return { value: conversion.value(document.contents), duplicates: conversion.duplicates }
}

/**
 * Parses YAML that is JSON. Most YAML from clients is (kubectl's and client-go's apply), and the JSON parser is a
 * hundred times as fast. Undefined for other YAML. Throws TooManyValues.
 */
export function decodeJsonAsYaml(bytes: Uint8Array): DecodedYaml | undefined {
  if (bytes[0] !== open) return undefined
  checkValues(bytes)
  try {
    const { value, strictErrors } = decodeUntyped(bytes, { strict: true })
    return strictErrors.length === 0 ? { value, duplicates: [] } : undefined
  } catch {
    return undefined
  }
}

/** We resolve scalars ourselves: the library's YAML 1.1 reads 80:80 as a number to the base of 60. */
function parse(text: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> {
  try {
    return parseDocument(text, {
      schema: 'failsafe',
      version: '1.1',
      uniqueKeys: false,
      logLevel: 'silent',
      // They contain the line of each error: a long one, for each of thousands of errors.
      prettyErrors: false,
      lineCounter,
    })
  } catch (error) {
    throw new DecodeError(`yaml: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

const [space, dash, question, colon, comma, newline] = [0x20, 0x2d, 0x3f, 0x3a, 0x2c, 0x0a]
const [openList, open] = [0x5b, 0x7b]

/**
 * Refuses, before parsing, texts that would nest too deep (open brackets, markers of one line) and those with more
 * markers than could be parsed in a second: the library takes some 10 µs each.
 */
function checkComplexity(bytes: Uint8Array): void {
  let brackets = 0
  let markers = 0
  let total = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === newline) markers = 0
    else if (byte === openList || byte === open) {
      brackets++
      total++
    } else if (byte === 0x5d || byte === 0x7d) brackets = Math.max(0, brackets - 1)
    else if ((byte === dash || byte === question || byte === colon) && isBlank(bytes[i + 1])) {
      markers++
      total++
    } else if (byte === comma) total++
    if (total > yamlMarkersMax) throw new DecodeError('yaml: document is too complex')
    if (brackets > nestingMax || markers > nestingMax) throw new DecodeError('yaml: exceeded max depth')
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === 0x09 || byte === newline || byte === 0x0d || byte === undefined
}

class Conversion {
  readonly duplicates: string[] = []
  readonly #lines: LineCounter
  readonly #anchors = new Map<string, Node>()
  /** Anchors whose node is being converted: an alias to one of them would never end. */
  readonly #open = new Set<string>()
  #depth = 0
  #aliasDepth = 0
  #aliasValues = 0

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  value(node: unknown): JsonValue {
    if (node === null || node === undefined) return null
    if (this.#aliasDepth > 0 && ++this.#aliasValues > aliasValuesMax)
      throw new DecodeError('yaml: document contains excessive aliasing')
    if (++this.#depth > nestingMax) throw new DecodeError('yaml: exceeded max depth')
    const value = this.#convert(node as Node)
    this.#depth--
    return value
  }

  #convert(node: Node): JsonValue {
    if (isAlias(node)) return this.#alias(node.source)
    const anchor = 'anchor' in node ? node.anchor : undefined
    if (anchor !== undefined) this.#anchors.set(anchor, node)
    if (isScalar(node)) return scalarValue(node)
    if (anchor !== undefined) this.#open.add(anchor)
    const value = isSeq(node) ? node.items.map((item) => this.value(item)) : isMap(node) ? this.#map(node) : null
    if (anchor !== undefined) this.#open.delete(anchor)
    return value
  }

  #alias(name: string): JsonValue {
    const node = this.#anchors.get(name)
    if (!node) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`)
    if (this.#open.has(name)) throw new DecodeError(`yaml: anchor '${name}' value contains itself`)
    this.#aliasDepth++
    const value = this.value(node)
    this.#aliasDepth--
    return value
  }

  #map(map: YAMLMap): JsonValue {
    const object: Record<string, JsonValue> = {}
    const own = new Set<string>()
    for (const pair of map.items) {
      if (!isPair(pair)) continue
      if (isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === Scalar.PLAIN) {
        this.#merge(object, pair.value)
        continue
      }
      const key = keyText(this.value(pair.key))
      if (own.has(key))
        this.duplicates.push(`line ${this.#line(pair.key)}: key ${JSON.stringify(key)} already set in map`)
      own.add(key)
      setField(object, key, this.value(pair.value))
    }
    return object
  }

  #merge(object: Record<string, JsonValue>, source: unknown): void {
    const merged = this.value(source)
    for (const each of Array.isArray(merged) ? merged : [merged]) {
      if (each === null || typeof each !== 'object' || Array.isArray(each))
        throw new DecodeError('yaml: map merge requires map or sequence of maps as the value')
      for (const [key, value] of Object.entries(each)) setField(object, key, value)
    }
  }

  #line(node: unknown): number {
    const start = isScalar(node) ? (node.range?.[0] ?? 0) : 0
    return this.#lines.linePos(start).line
  }
}

function scalarValue(node: Scalar): JsonValue {
  const text = String(node.value ?? '')
  if (node.tag === 'tag:yaml.org,2002:str') return text
  if (node.tag === 'tag:yaml.org,2002:binary') return Buffer.from(text, 'base64').toString('utf8')
  return node.type === Scalar.PLAIN || node.tag !== undefined ? resolveScalar(text) : text
}

function keyText(key: JsonValue): string {
  if (typeof key === 'string') return key
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') return String(key)
  throw new DecodeError(`yaml: unsupported map key: ${JSON.stringify(key)}`)
}
