import { TemplateError } from './value.ts'

export type TokenKind =
  /** Outside of actions. */
  | 'text'
  /** The end of an action. */
  | 'end'
  | 'name'
  | 'variable'
  | 'field'
  | 'dot'
  | 'string'
  | 'number'
  | 'sign'

export interface Token {
  readonly kind: TokenKind
  /** The content of a string; the names of a field, such as `.spec.nodeName`. */
  readonly text: string
  readonly line: number
  /** No space lies before it. */
  readonly isAdjacent: boolean
}

const patterns: readonly (readonly [kind: TokenKind, pattern: RegExp])[] = [
  ['field', /(?:\.[A-Za-z_]\w*)+/y],
  ['number', /[+-]?(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)/y],
  ['dot', /\./y],
  ['name', /[A-Za-z_]\w*/y],
  ['variable', /\$\w*/y],
  ['sign', /:=|[=|(),]/y],
]
const quoted = /"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/y
const space = /\s+/y
const close = /\s+-\}\}|\}\}/y
const comment = /\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/y

/** Splits a template of Go into its texts and the tokens of its actions. Throws TemplateError. */
export function lexTemplate(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  /** Space at the beginning of the next text is left out: an action ended with `-}}`. */
  let isTrimmed = false
  const skip = (length: number): string => {
    const passed = text.slice(at, at + length)
    line += passed.split('\n').length - 1
    at += length
    return passed
  }
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const add = (kind: TokenKind, value: string, isAdjacent: boolean, length: number): void => {
    tokens.push({ kind, text: value, line, isAdjacent })
    skip(length)
  }

  function lexText(): void {
    const found = text.indexOf('{{', at)
    const end = found < 0 ? text.length : found
    const trimsEnd = found >= 0 && /^\{\{-\s/.test(text.slice(found, found + 4))
    let content = text.slice(at, end)
    if (isTrimmed) content = content.trimStart()
    if (trimsEnd) content = content.trimEnd()
    if (content !== '') tokens.push({ kind: 'text', text: content, line, isAdjacent: false })
    skip(end - at)
    isTrimmed = false
  }

  function lexAction(): void {
    const noted = match(comment)?.[0]
    if (noted !== undefined) {
      isTrimmed = noted.endsWith('-}}')
      return void skip(noted.length)
    }
    const begun = line
    skip(/^\{\{-\s/.test(text.slice(at, at + 4)) ? 3 : 2)
    for (let isAdjacent = false; ; isAdjacent = true) {
      const over = match(close)?.[0]
      if (over !== undefined) {
        isTrimmed = over.endsWith('-}}')
        return add('end', '', false, over.length)
      }
      const blank = match(space)?.[0]
      if (blank !== undefined) {
        skip(blank.length)
        isAdjacent = false
        if (match(close)) continue
      }
      if (at >= text.length) throw new TemplateError(begun, 'an action has no end')
      lexToken(isAdjacent)
    }
  }

  function lexToken(isAdjacent: boolean): void {
    const string = match(quoted)
    if (string) {
      const [whole, double, raw = ''] = string
      return add('string', double === undefined ? raw : unquoted(double, line), isAdjacent, whole.length)
    }
    for (const [kind, pattern] of patterns) {
      const found = match(pattern)?.[0]
      if (found !== undefined) return add(kind, found, isAdjacent, found.length)
    }
    throw new TemplateError(line, `${JSON.stringify(text.slice(at, at + 10))} is not understood`)
  }

  while (at < text.length) {
    lexText()
    if (at < text.length) lexAction()
  }
  return tokens
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\', "'": "'" }

function unquoted(text: string, line: number): string {
  return text.replaceAll(/\\(u[\da-fA-F]{4}|.)/g, (_, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    const meant = escapes[escape]
    if (meant === undefined) throw new TemplateError(line, `the escape \\${escape} is not known here`)
    return meant
  })
}
