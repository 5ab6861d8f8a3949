import type { SourceText } from './sourcetext.ts'

export type TokenKind =
  | 'identifier'
  | 'quoted' // `escaped identifier`
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'end'
  // keywords and punctuation stand for themselves
  | 'in'
  | 'true'
  | 'false'
  | 'null'
  | Punctuation

type Punctuation =
  | '=='
  | '!='
  | '<='
  | '>='
  | '&&'
  | '||'
  | '<'
  | '>'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly position: number
}

const keywords = new Set(['in', 'true', 'false', 'null'])
const tokensMax = 100_000
const lexicalErrorsMax = 30

const blank = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y
const word = /[A-Za-z_][A-Za-z0-9_]*/y
const quoted = /`[A-Za-z0-9_.\-/ ]+`/y
const double = /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y
const integer = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?/y
const escape = /\\(?:[abfnrtv"'`?\\]|[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/.source
const textForms = [
  `"""(?:${escape}|[^\\\\"]|"(?!""))*"""`,
  `'''(?:${escape}|[^\\\\']|'(?!''))*'''`,
  `"(?:${escape}|[^\\\\"\\r\\n])*"`,
  `'(?:${escape}|[^\\\\'\\r\\n])*'`,
].join('|')
const rawForms = [`"""[^]*?"""`, `'''[^]*?'''`, `"[^"\\r\\n]*"`, `'[^'\\r\\n]*'`].join('|')

/** Splits the text of an expression into tokens, ended by one of kind 'end'. Reports unreadable text and continues. */
export function tokenize(source: SourceText): Token[] {
  const { text } = source
  // Sticky patterns have state, hence a new set for each call.
  const literal = new RegExp(`[bB]?(?:${textForms})|(?:[rR][bB]?|[bB][rR])(?:${rawForms})`, 'y')
  const tokens: Token[] = []
  let errors = 0
  let position = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    return pattern.exec(text)?.[0]
  }
  for (;;) {
    position += match(blank)?.length ?? 0
    if (position >= text.length) break
    if (tokens.length >= tokensMax) {
      source.report(-1, `expression token limit exceeded: ${tokensMax}`)
      break
    }
    const found = next()
    if (found) {
      tokens.push(found)
      position += found.text.length
      continue
    }
    const bad = unreadable(text, position)
    source.report(position, `Syntax error: token recognition error at: '${bad}'`)
    position += bad.length
    if (++errors >= lexicalErrorsMax) break
  }
  tokens.push({ kind: 'end', text: '<EOF>', position: text.length })
  return tokens

  function next(): Token | undefined {
    const string = match(literal)
    if (string !== undefined) return { kind: isBytes(string) ? 'bytes' : 'string', text: string, position }
    const name = match(word)
    if (name !== undefined) {
      return { kind: keywords.has(name) ? (name as 'in') : 'identifier', text: name, position }
    }
    const number = match(double)
    if (number !== undefined) return { kind: 'double', text: number, position }
    const whole = match(integer)
    if (whole !== undefined) return { kind: /[uU]$/.test(whole) ? 'uint' : 'int', text: whole, position }
    const name2 = match(quoted)
    if (name2 !== undefined) return { kind: 'quoted', text: name2, position }
    const mark = punctuation(text, position)
    return mark === undefined ? undefined : { kind: mark, text: mark, position }
  }
}

function isBytes(literal: string): boolean {
  return /^[rR]?[bB]/.test(literal)
}

function punctuation(text: string, at: number): Punctuation | undefined {
  const two = text.slice(at, at + 2)
  switch (two) {
    case '==':
    case '!=':
    case '<=':
    case '>=':
    case '&&':
    case '||':
      return two
  }
  const one = text.charAt(at)
  switch (one) {
    case '<':
    case '>':
    case '[':
    case ']':
    case '{':
    case '}':
    case '(':
    case ')':
    case '.':
    case ',':
    case '-':
    case '!':
    case '?':
    case ':':
    case '+':
    case '*':
    case '/':
    case '%':
      return one
  }
  return undefined
}

/** The characters to skip: the possible beginning of a token, with the character that can't continue it. */
function unreadable(text: string, at: number): string {
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (first === '|' || first === '&' || first === '=') return text.slice(at, at + 2)
  if (first === '`') return /^`[A-Za-z0-9_.\-/ ]*[^]?/.exec(text.slice(at))?.[0] ?? first
  if (first !== '"' && first !== "'") return first
  const rest = text.slice(at)
  const escapes = new RegExp(
    `^${first}(?:${escape}|[^\\\\${first}\\r\\n])*(?:\\\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?[^\\n]?|\\r?\\n)?`,
  )
  return escapes.exec(rest)?.[0] ?? first
}
