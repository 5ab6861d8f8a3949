import type { Expr, StructEntry } from '../syntax/ast.ts'
import type { Builder } from '../syntax/build.ts'
import type { Token } from '../syntax/lexer.ts'
import type { OptionalSyntax } from '../syntax/optionalsyntax.ts'
import type { SourceText } from '../syntax/sourcetext.ts'
import { listStartText, mapStartText, type Tokens } from '../syntax/tokens.ts'

/** The state that the readers of lists, maps and messages share with the parser that calls them. */
export interface ParserState {
  readonly source: SourceText
  readonly tokens: Tokens
  readonly make: Builder
  readonly optionals: OptionalSyntax
  readonly quotedFields: boolean
  expression(this: void): Expr
}

/** `[a, ?b]`, after its bracket. */
export function readList({ tokens, make, optionals, expression }: ParserState, open: Token): Expr {
  const elements: Expr[] = []
  const optionalPlaces = new Set<number>()
  tokens.within(']', () => {
    tokens.begin(listStartText, ']')
    while (tokens.peek().kind !== ']') {
      const mark = tokens.peek()
      if (tokens.take('?')) {
        optionals.unsupported(mark, '?')
        optionalPlaces.add(elements.length)
      }
      elements.push(expression())
      if (!tokens.separator(']', "{']', ','}")) break
    }
  })
  tokens.expect(']', "']'")
  return make.list(open.position, elements, optionalPlaces)
}

/** `{k: v, ?k: v}`, after its brace. */
export function readMap({ tokens, make, optionals, expression }: ParserState, open: Token): Expr {
  const entries: ReturnType<Builder['mapEntry']>[] = []
  tokens.within('}', () => {
    tokens.begin(mapStartText, '}')
    while (tokens.peek().kind !== '}') {
      const mark = tokens.peek()
      const optional = tokens.take('?')
      const unsupported = optional && optionals.unsupported(mark, '?')
      const key = optionals.muted(unsupported, expression)
      const colon = tokens.expect(':', "':'")
      const value = optionals.muted(unsupported, expression)
      entries.push(make.mapEntry(colon.position, key, value, optional))
      if (!tokens.separator('}', "{'}', ','}")) break
    }
  })
  tokens.expect('}', "'}'")
  return make.map(open.position, entries)
}

/** Looks ahead over `.b.C {`: the number of tokens before the brace; undefined without a brace. */
export function structAhead(tokens: Tokens): number | undefined {
  let ahead = 0
  while (tokens.peek(ahead).kind === '.' && tokens.peek(ahead + 1).kind === 'identifier') ahead += 2
  return tokens.peek(ahead).kind === '{' ? ahead : undefined
}

/** `a.b.C{f: v, ?f: v}` after `first`; there are `length` tokens more before its brace. */
export function readStruct(reading: ParserState, first: string, length: number): Expr {
  const { tokens, make, optionals, expression } = reading
  let name = first
  for (let count = 0; count < length; count++) {
    name += tokens.peek().text
    tokens.skip()
  }
  const open = tokens.peek()
  tokens.skip()
  const entries: StructEntry[] = []
  tokens.within('}', () => {
    while (tokens.peek().kind !== '}') {
      const optionalMark = tokens.peek()
      const optional = tokens.take('?')
      const unsupported = optional && optionals.unsupported(optionalMark, '?')
      const field = readFieldName(reading, optional)
      const colon = tokens.expect(':', "':'")
      const value = optionals.muted(unsupported, expression)
      entries.push(make.structEntry(colon.position, field, value, optional))
      if (!tokens.separator('}', "{'}', ','}")) break
    }
  })
  tokens.expect('}', "'}'")
  return make.struct(open.position, name, entries)
}

function readFieldName({ source, tokens, quotedFields }: ParserState, optional: boolean): string {
  let token = tokens.peek()
  if (token.kind !== 'identifier' && token.kind !== 'quoted') {
    const expected = optional ? '{IDENTIFIER, ESC_IDENTIFIER}' : "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"
    token = tokens.skipUnexpected(new Set(['identifier', 'quoted']), expected)
  }
  tokens.skip()
  if (token.kind !== 'quoted') return token.text
  if (!quotedFields) source.report(token.position, "unsupported syntax: '`'")
  return token.text.slice(1, -1)
}
