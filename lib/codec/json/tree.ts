import type { JsonValue } from '../../object/index.ts'
import { setField } from '../../object/index.ts'
import { DecodeError, nestingMax } from '../error.ts'

/**
 * A lossless JSON text: duplicate keys, order, numbers as written. Much slower than JSON.parse; made only to explain
 * the error in a text, and for numbers that JSON.parse would round.
 */
export type JsonNode =
  | { readonly is: 'object'; readonly entries: readonly (readonly [key: string, value: JsonNode])[] }
  | { readonly is: 'array'; readonly items: readonly JsonNode[] }
  | { readonly is: 'string'; readonly text: string }
  | { readonly is: 'number'; readonly text: string }
  | { readonly is: 'bool'; readonly value: boolean }
  | { readonly is: 'null' }

/** Throws DecodeError with Go's text (encoding/json) for the first error. */
export function parseTree(bytes: Uint8Array, depthMax = nestingMax): JsonNode {
  return new Parser(bytes, depthMax).document()
}

/**
 * The value that JSON.parse would give, except that integers beyond 2^53 are bigint; the last of duplicate fields wins.
 */
export function treeValue(node: JsonNode): JsonValue {
  switch (node.is) {
    case 'null':
      return null
    case 'bool':
      return node.value
    case 'string':
      return node.text
    case 'number':
      return numberValue(node.text)
    case 'array':
      return node.items.map(treeValue)
    case 'object': {
      const object: Record<string, JsonValue> = {}
      for (const [key, value] of node.entries) setField(object, key, treeValue(value))
      return object
    }
  }
}

/** Maximum number of digits of an integer that is read exactly: that of 64 bits. */
const exactDigitsMax = 20

function numberValue(text: string): number | bigint {
  const number = Number(text)
  if (!Number.isFinite(number))
    throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`)
  if (Number.isSafeInteger(number) || text.length > exactDigitsMax || /[.eE]/.test(text)) return number
  return BigInt(text)
}

const character = (text: string): number => text.charCodeAt(0)
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

class Parser {
  readonly #bytes: Buffer
  readonly #depthMax: number
  #at = 0
  #depth = 0

  constructor(bytes: Uint8Array, depthMax: number) {
    this.#depthMax = depthMax
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  document(): JsonNode {
    const node = this.#value()
    this.#space()
    if (this.#at < this.#bytes.length) this.#fail('after top-level value')
    return node
  }

  #value(): JsonNode {
    this.#space()
    const byte = this.#bytes[this.#at]
    if (byte === character('{')) return this.#object()
    if (byte === character('[')) return this.#array()
    if (byte === character('"')) return { is: 'string', text: this.#string() }
    if (byte === character('t')) return this.#literal('true', { is: 'bool', value: true })
    if (byte === character('f')) return this.#literal('false', { is: 'bool', value: false })
    if (byte === character('n')) return this.#literal('null', { is: 'null' })
    if (byte === character('-') || isDigit(byte)) return { is: 'number', text: this.#number() }
    return this.#fail('looking for beginning of value')
  }

  #object(): JsonNode {
    const entries: (readonly [string, JsonNode])[] = []
    this.#enter()
    this.#space()
    if (this.#bytes[this.#at] === character('}')) return this.#leave({ is: 'object', entries })
    for (;;) {
      this.#space()
      if (this.#bytes[this.#at] !== character('"')) this.#fail('looking for beginning of object key string')
      const key = this.#string()
      this.#space()
      if (this.#bytes[this.#at] !== character(':')) this.#fail('after object key')
      this.#at++
      entries.push([key, this.#value()])
      this.#space()
      if (this.#bytes[this.#at] === character('}')) return this.#leave({ is: 'object', entries })
      if (this.#bytes[this.#at] !== character(',')) this.#fail('after object key:value pair')
      this.#at++
    }
  }

  #array(): JsonNode {
    const items: JsonNode[] = []
    this.#enter()
    this.#space()
    if (this.#bytes[this.#at] === character(']')) return this.#leave({ is: 'array', items })
    for (;;) {
      items.push(this.#value())
      this.#space()
      if (this.#bytes[this.#at] === character(']')) return this.#leave({ is: 'array', items })
      if (this.#bytes[this.#at] !== character(',')) this.#fail('after array element')
      this.#at++
    }
  }

  #enter(): void {
    this.#at++
    if (++this.#depth > this.#depthMax) throw new DecodeError('exceeded max depth')
  }

  #leave(node: JsonNode): JsonNode {
    this.#at++
    this.#depth--
    return node
  }

  #literal(text: string, node: JsonNode): JsonNode {
    for (let i = 1; i < text.length; i++) {
      this.#at++
      if (this.#bytes[this.#at] !== text.charCodeAt(i)) this.#fail(`in literal ${text} (expecting '${text[i]}')`)
    }
    this.#at++
    return node
  }

  #number(): string {
    const start = this.#at
    if (this.#bytes[this.#at] === character('-')) this.#at++
    if (!isDigit(this.#bytes[this.#at])) this.#fail('in numeric literal')
    if (this.#bytes[this.#at] === character('0')) this.#at++
    else this.#digits()
    if (this.#bytes[this.#at] === character('.')) {
      this.#at++
      if (!isDigit(this.#bytes[this.#at])) this.#fail('after decimal point in numeric literal')
      this.#digits()
    }
    if (((this.#bytes[this.#at] ?? 0) | 0x20) === character('e')) {
      this.#at++
      if (this.#bytes[this.#at] === character('+') || this.#bytes[this.#at] === character('-')) this.#at++
      if (!isDigit(this.#bytes[this.#at])) this.#fail('in exponent of numeric literal')
      this.#digits()
    }
    return this.#bytes.toString('latin1', start, this.#at)
  }

  #digits(): void {
    while (isDigit(this.#bytes[this.#at])) this.#at++
  }

  #string(): string {
    const start = this.#at
    let hasEscapes = false
    for (this.#at++; ; this.#at++) {
      const byte = this.#bytes[this.#at]
      if (byte === character('"')) break
      if (byte === undefined || byte < 0x20) this.#fail('in string literal')
      if (byte !== character('\\')) continue
      hasEscapes = true
      this.#escape()
    }
    this.#at++
    if (!hasEscapes) return this.#bytes.toString('utf8', start + 1, this.#at - 1)
    const text: string = JSON.parse(this.#bytes.toString('utf8', start, this.#at))
    return text.toWellFormed()
  }

  #escape(): void {
    this.#at++
    const byte = this.#bytes[this.#at]
    if (byte !== character('u')) {
      if (byte === undefined || !'"\\/bfnrt'.includes(String.fromCharCode(byte))) this.#fail('in string escape code')
      return
    }
    for (let i = 0; i < 4; i++) {
      this.#at++
      if (!/^[0-9a-fA-F]$/.test(String.fromCharCode(this.#bytes[this.#at] ?? 0)))
        this.#fail('in \\u hexadecimal character escape')
    }
  }

  #space(): void {
    for (;;) {
      const byte = this.#bytes[this.#at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return
      this.#at++
    }
  }

  #fail(where: string): never {
    const byte = this.#bytes[this.#at]
    let line = 1
    for (let at = this.#bytes.indexOf(0x0a); at >= 0 && at < this.#at; at = this.#bytes.indexOf(0x0a, at + 1)) line++
    if (byte === undefined) throw new DecodeError('unexpected end of JSON input', { line })
    throw new DecodeError(`invalid character ${quoteByte(byte)} ${where}`, { line })
  }
}

/** Go shows the byte as if it were a character. */
function quoteByte(byte: number): string {
  const text = String.fromCharCode(byte)
  if (text === "'") return "'\\''"
  if (text === '"') return `'"'`
  if (byte >= 0x7f && byte <= 0xa0) return byte === 0x7f ? "'\\x7f'" : `'\\u00${byte.toString(16)}'`
  if (byte === 0xad) return "'\\u00ad'"
  if (byte >= 0x20) return text === '\\' ? "'\\\\'" : `'${text}'`
  const named: Readonly<Record<number, string>> = {
    7: '\\a',
    8: '\\b',
    9: '\\t',
    10: '\\n',
    11: '\\v',
    12: '\\f',
    13: '\\r',
  }
  return `'${named[byte] ?? `\\x${byte.toString(16).padStart(2, '0')}`}'`
}
