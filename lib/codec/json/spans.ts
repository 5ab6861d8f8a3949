import type { PausableWork } from '../../base/index.ts'
import { DecodeError } from '../error.ts'
import { parseJson } from './decode.ts'

/** Where a value is in a text. */
export interface Span {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
/** Number of bytes, and of values, that are skipped between two pauses. */
const bytesASlice = 1024 * 1024
const valuesASlice = 10_000

/**
 * Finds the members of objects and the items of lists in a text of any size, with pauses, so that each can be parsed on
 * its own. It pairs brackets and skips strings; it does not check that a value is well-formed. Throws DecodeError.
 */
export class JsonSpans {
  readonly #text: Uint8Array
  #pauseAt = bytesASlice
  #values = 0

  constructor(text: Uint8Array) {
    this.#text = text
  }

  /** The span of the whole text, which is one value. */
  *value(): PausableWork<Span> {
    const from = this.#behindSpace(0)
    const to = yield* this.#behindValue(from)
    if (this.#behindSpace(to) !== this.#text.length) throw new DecodeError('invalid character after top-level value')
    return { from, to }
  }

  /** The values of an object by name, the last of duplicate names; undefined: no object. */
  *members(object: Span): PausableWork<ReadonlyMap<string, Span> | undefined> {
    if (this.#text[object.from] !== openBrace) return undefined
    const found = new Map<string, Span>()
    let at = this.#behindSpace(object.from + 1)
    while (this.#text[at] !== closeBrace) {
      const behindName = this.#behindString(at)
      const name = parseJson(this.#text.subarray(at, behindName))
      at = this.#behindSpace(behindName)
      if (this.#text[at] !== colon) throw malformed()
      const from = this.#behindSpace(at + 1)
      const to = yield* this.#behindValue(from)
      found.set(String(name), { from, to })
      at = this.#behindComma(to, closeBrace)
    }
    return found
  }

  /** The first `max` items of a list, and the number of all; undefined: no list. */
  *items(
    list: Span,
    max: number,
  ): PausableWork<{ readonly first: readonly Span[]; readonly count: number } | undefined> {
    if (this.#text[list.from] !== openBracket) return undefined
    const first: Span[] = []
    let count = 0
    let at = this.#behindSpace(list.from + 1)
    while (this.#text[at] !== closeBracket) {
      const to = yield* this.#behindValue(at)
      if (++count <= max) first.push({ from: at, to })
      at = this.#behindComma(to, closeBracket)
    }
    return { first, count }
  }

  #behindComma(from: number, close: number): number {
    const at = this.#behindSpace(from)
    if (this.#text[at] === close) return at
    const next = this.#behindSpace(at + 1)
    if (this.#text[at] !== comma || this.#text[next] === close) throw malformed()
    return next
  }

  #behindSpace(from: number): number {
    let at = from
    while (isSpace(this.#text[at])) at++
    return at
  }

  #behindString(from: number): number {
    const text = this.#text
    if (text[from] !== quote) throw malformed()
    let at = from + 1
    while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1
    if (at >= text.length) throw malformed()
    return at + 1
  }

  *#behindValue(from: number): PausableWork<number> {
    const text = this.#text
    let depth = 0
    if (++this.#values % valuesASlice === 0) yield
    for (let at = from; at < text.length; ) {
      if (at >= this.#pauseAt) {
        this.#pauseAt = at + bytesASlice
        yield
      }
      const byte = text[at]
      if (byte === quote) {
        at = this.#behindString(at)
        if (depth === 0) return at
        continue
      }
      if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) return nonEmpty(from, at)
        if (--depth === 0) return at + 1
      } else if (depth === 0 && (byte === comma || isSpace(byte))) return nonEmpty(from, at)
      at++
    }
    if (depth > 0) throw malformed()
    return nonEmpty(from, text.length)
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function nonEmpty(from: number, to: number): number {
  if (from === to) throw malformed()
  return to
}

function malformed(): DecodeError {
  return new DecodeError('unexpected end of JSON input, or a character that is out of place')
}
