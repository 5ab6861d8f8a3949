import type { JsonObject, JsonValue } from '../../object/index.ts'
import { setField } from '../../object/index.ts'
import { parseJson } from './decode.ts'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Members of an object by name: an index into the paths, or the wanted members of a value. */
export interface WantedMembers {
  readonly [name: string]: WantedMembers | true
}

/** Builds the tree of these paths (`metadata.name`, `spec`). */
export function wantedMembers(paths: readonly string[]): WantedMembers {
  const root: Record<string, WantedMembers | true> = {}
  for (const path of paths) want(root, path.split('.'))
  return root
}

function want(into: Record<string, WantedMembers | true>, [name = '', ...rest]: readonly string[]): void {
  const known = Object.hasOwn(into, name) ? into[name] : undefined
  if (known === true) return
  if (rest.length === 0) return setField(into, name, true)
  const inner: Record<string, WantedMembers | true> = known ?? {}
  setField(into, name, inner)
  want(inner, rest)
}

/**
 * Parses these members of an object's text and skips the rest. Undefined where that is not safe: the text has white
 * space or keys with escapes, or keys that do not ascend. Skipped members are not checked.
 */
export function readMembers(text: Uint8Array, wanted: WantedMembers): JsonObject | undefined {
  const object: JsonObject = {}
  return readInto(object, text, 0, wanted) < 0 ? undefined : object
}

/** Answers the position behind the object that begins at `from`; -1: it is not known to be an object. */
function readInto(object: JsonObject, text: Uint8Array, from: number, wanted: WantedMembers): number {
  const members = new Members(text, from)
  while (members.next()) {
    const name = members.name()
    const inner = Object.hasOwn(wanted, name) ? wanted[name] : undefined
    if (inner === undefined) members.skip()
    else if (inner === true || text[members.valueFrom] !== openBrace) {
      members.skip()
      if (members.at > 0) setField(object, name, parsed(text.subarray(members.valueFrom, members.at)))
    } else {
      const nested: JsonObject = {}
      members.at = readInto(nested, text, members.valueFrom, inner)
      setField(object, name, nested)
    }
  }
  return members.at
}

function parsed(text: Uint8Array): JsonValue {
  return parseJson(text)
}

/** Iterates over the members of one object of a text without white space, whose keys ascend and have no escapes. */
export class Members {
  readonly #text: Uint8Array
  #keyFrom = -1
  #keyTo = -1
  /** The position behind what was read last; -1 once the text is not as required. */
  at: number

  constructor(text: Uint8Array, from: number) {
    this.#text = text
    this.at = text[from] === openBrace ? from : -1
  }

  get valueFrom(): number {
    return this.#keyTo + 2
  }

  name(): string {
    return Buffer.from(this.#text.buffer, this.#text.byteOffset + this.#keyFrom, this.#keyTo - this.#keyFrom).toString()
  }

  /** Compares the key with an ASCII text: below 0 where the key comes first. */
  compare(key: Uint8Array): number {
    return compare(this.#text, this.#keyFrom, this.#keyTo, key, 0, key.length)
  }

  /**
   * Moves to the next key. False: there is none (`at` is behind the object), or the text is not as required (`at` is
   * -1).
   */
  next(): boolean {
    if (this.at < 0) return false
    const text = this.#text
    const isFirst = this.#keyFrom < 0
    const byte = text[this.at + (isFirst ? 1 : 0)]
    if (byte === closeBrace) {
      this.at += isFirst ? 2 : 1
      return false
    }
    const from = this.at + 2
    if ((!isFirst && byte !== comma) || text[from - 1] !== quote) return this.#odd()
    let to = from
    while (to < text.length && text[to] !== quote && text[to] !== backslash) to++
    if (text[to] !== quote || text[to + 1] !== colon) return this.#odd()
    if (!isFirst && compare(text, this.#keyFrom, this.#keyTo, text, from, to) >= 0) return this.#odd()
    this.#keyFrom = from
    this.#keyTo = to
    return true
  }

  /** Moves behind the value of the key. */
  skip(): void {
    this.at = skipValue(this.#text, this.valueFrom)
  }

  #odd(): false {
    this.at = -1
    return false
  }
}

function skipValue(text: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const byte = text[at]
    if (byte === quote) {
      at = skipString(text, at + 1)
      if (depth === 0) return at < text.length ? at + 1 : -1
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && byte === comma) return at
  }
  return -1
}

/** The position of the closing quote. */
function skipString(text: Uint8Array, from: number): number {
  let at = from
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1
  return at
}

function compare(
  text: Uint8Array,
  from: number,
  to: number,
  other: Uint8Array,
  otherFrom: number,
  otherTo: number,
): number {
  const length = Math.min(to - from, otherTo - otherFrom)
  for (let i = 0; i < length; i++) {
    const difference = (text[from + i] ?? 0) - (other[otherFrom + i] ?? 0)
    if (difference !== 0) return difference
  }
  return to - from - (otherTo - otherFrom)
}
