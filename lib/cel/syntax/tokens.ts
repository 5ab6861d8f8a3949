import { type Token, type TokenKind, tokenize } from './lexer.ts'
import type { SourceText } from './sourcetext.ts'

/** The tokens that an expression may begin with. */
export const expressionStart: ReadonlySet<TokenKind> = new Set([
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'double',
  'int',
  'uint',
  'string',
  'bytes',
  'identifier',
])
const otherStarts = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"
export const expressionStartText = `{'[', '{', '(', '.', '-', '!', ${otherStarts}}`
export const listStartText = `{'[', ']', '{', '(', '.', ',', '-', '!', '?', ${otherStarts}}`
export const mapStartText = `{'[', '{', '}', '(', '.', ',', '-', '!', '?', ${otherStarts}}`
const continues: ReadonlySet<TokenKind> = new Set('== != < <= > >= && || + - * / % ? . [ in'.split(' ') as TokenKind[])

/** Thrown to leave the parser after a reported syntax error. */
export class Abort {}

/**
 * The tokens of an expression, with a current position, and the repairs of the reference parser, whose messages users
 * know. A token that can't be repaired is reported and thrown as Abort.
 */
export class Tokens {
  readonly #source: SourceText
  readonly #tokens: readonly Token[]
  /** The closing tokens of the open brackets, innermost last. */
  readonly #closers: TokenKind[] = []
  #at = 0

  constructor(source: SourceText) {
    this.#source = source
    this.#tokens = tokenize(source)
  }

  skip(): void {
    this.#at++
  }

  /** The token `ahead` of the next one; beyond the end it is the end. */
  peek(ahead = 0): Token {
    const last = this.#tokens.length - 1
    const token = this.#tokens[Math.min(this.#at + ahead, last)]
    if (!token) throw new Error('there are no tokens')
    return token
  }

  /** Checks the first token of a list or map: an element or the end; the message names both. */
  begin(shown: string, closer: TokenKind): void {
    const { kind } = this.peek()
    if (kind === closer || kind === ',' || kind === '?' || expressionStart.has(kind)) return
    this.skipUnexpected(new Set([...expressionStart, closer]), shown)
  }

  /** After an element: true when a comma (and perhaps another element) follows. */
  separator(closer: TokenKind, expected: string): boolean {
    if (this.take(',')) return true
    if (this.peek().kind !== closer) {
      this.skipUnexpected(new Set<TokenKind>([closer, ',']), expected)
      return this.take(',')
    }
    return false
  }

  within<T>(closer: TokenKind, read: () => T): T {
    this.#closers.push(closer)
    const result = read()
    this.#closers.pop()
    return result
  }

  take(kind: TokenKind): boolean {
    if (this.peek().kind !== kind) return false
    this.#at++
    return true
  }

  /** Takes the token, or repairs the text by one token as the reference parser does: drops one, or inserts one. */
  expect(kind: TokenKind, shown: string): Token {
    const token = this.peek()
    if (token.kind === kind) {
      this.#at++
      return token
    }
    if (this.#tokens[this.#at + 1]?.kind !== kind && this.#mayFollow(kind, token.kind)) {
      this.syntax(token, `missing ${shown} at '${token.text}'`)
      return token
    }
    const found = this.skipUnexpected(new Set([kind]), shown)
    this.#at++
    return found
  }

  #mayFollow(missing: TokenKind, next: TokenKind): boolean {
    if (missing === ':') return expressionStart.has(next)
    if (missing === 'end') return false
    const outer = this.#closers.at(-1)
    if (outer === undefined) return next === 'end' || continues.has(next)
    return continues.has(next) || next === outer || next === ','
  }

  skipUnexpected(wanted: ReadonlySet<TokenKind>, shown: string): Token {
    const token = this.peek()
    const next = this.#tokens[this.#at + 1]
    if (token.kind !== 'end' && next && wanted.has(next.kind)) {
      this.syntax(token, `extraneous input '${token.text}' expecting ${shown}`)
      this.#at++
      return next
    }
    this.syntax(token, `mismatched input '${token.text}' expecting ${shown}`)
    // The reference parser skips the token and reaches the end, where it reports the same error.
    if (wanted === expressionStart && next?.kind === 'end')
      this.syntax(next, `mismatched input '<EOF>' expecting ${shown}`)
    throw new Abort()
  }

  syntax(token: Token, message: string): void {
    this.#source.report(token.position, `Syntax error: ${message}`)
  }
}
