import { type ParserState, readList, readMap, readStruct, structAhead } from '../run/collections.ts'
import { type Expr, operators, qualifiedName } from './ast.ts'
import { balance } from './balance.ts'
import { Builder, TooDeep } from './build.ts'
import type { Token, TokenKind } from './lexer.ts'
import type { Macro } from './macros.ts'
import { OptionalSyntax } from './optionalsyntax.ts'
import { readLiteral } from './readliteral.ts'
import type { SourceText } from './sourcetext.ts'
import { Abort, expressionStart, expressionStartText, Tokens } from './tokens.ts'

interface ParseOptions {
  /** By `name:argumentCount:receiver` (see macroKey). */
  readonly macros: ReadonlyMap<string, Macro>
  /** `a.?b`, `a[?b]`, `{?k: v}`, `[?v]`. */
  readonly optionalSyntax: boolean
  /** a.`x-y` */
  readonly quotedFields: boolean
  /** Code points of the text. */
  readonly sizeMax: number
  /** Nesting of the text and of the tree. */
  readonly depthMax: number
}

export interface Parsed {
  readonly expr: Expr
  /** Number of ids: tables by id have this size. */
  readonly nodeCount: number
}

const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
)

const relations: Readonly<Partial<Record<TokenKind, string>>> = {
  '==': operators.equals,
  '!=': operators.notEquals,
  '<': operators.less,
  '<=': operators.lessEquals,
  '>': operators.greater,
  '>=': operators.greaterEquals,
  in: operators.in,
}
const sums: Readonly<Partial<Record<TokenKind, string>>> = { '+': operators.add, '-': operators.subtract }
const products: Readonly<Partial<Record<TokenKind, string>>> = {
  '*': operators.multiply,
  '/': operators.divide,
  '%': operators.modulo,
}

/** Parses an expression; undefined for invalid ones, whose errors are reported to `source`. */
export function parse(source: SourceText, options: ParseOptions): Parsed | undefined {
  const size = codePoints(source.text)
  if (size > options.sizeMax) {
    source.report(-1, `expression code point size exceeds limit: size: ${size}, limit ${options.sizeMax}`)
    return undefined
  }
  const tokens = new Tokens(source)
  const builder = new Builder(options.depthMax)
  let expr: Expr | undefined
  try {
    expr = new Parser(source, tokens, builder, options).parse()
  } catch (error) {
    if (error instanceof TooDeep) source.report(-1, 'max recursion depth exceeded')
    else if (!(error instanceof Abort)) throw error
  }
  if (!expr || source.issues.length > 0) return undefined
  return { expr, nodeCount: builder.count }
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

class Parser {
  readonly #source: SourceText
  readonly #tokens: Tokens
  readonly #make: Builder
  readonly #options: ParseOptions
  readonly #optionals: OptionalSyntax
  readonly #reading: ParserState
  #depth = 0

  constructor(source: SourceText, tokens: Tokens, make: Builder, options: ParseOptions) {
    this.#source = source
    this.#tokens = tokens
    this.#make = make
    this.#options = options
    const { optionalSyntax, quotedFields } = options
    this.#optionals = new OptionalSyntax(source, optionalSyntax)
    const expression = (): Expr => this.#expression()
    this.#reading = { source, tokens, make, optionals: this.#optionals, quotedFields, expression }
  }

  parse(): Expr {
    const expr = this.#expression()
    this.#tokens.expect('end', '<EOF>')
    return expr
  }

  #expression(): Expr {
    if (++this.#depth > this.#options.depthMax) {
      this.#source.report(-1, `expression recursion limit exceeded: ${this.#options.depthMax}`)
      throw new Abort()
    }
    const condition = this.#or()
    const mark = this.#tokens.peek()
    if (!this.#tokens.take('?')) {
      this.#depth--
      return condition
    }
    const yes = this.#or()
    this.#tokens.expect(':', "':'")
    const no = this.#expression()
    this.#depth--
    return this.#make.call(mark.position, operators.conditional, [condition, yes, no])
  }

  #or(): Expr {
    const terms = [this.#and()]
    const places: number[] = []
    for (let mark = this.#tokens.peek(); this.#tokens.take('||'); mark = this.#tokens.peek()) {
      places.push(mark.position)
      terms.push(this.#and())
    }
    return balance(this.#make, operators.or, terms, places)
  }

  #and(): Expr {
    const terms = [this.#relation()]
    const places: number[] = []
    for (let mark = this.#tokens.peek(); this.#tokens.take('&&'); mark = this.#tokens.peek()) {
      places.push(mark.position)
      terms.push(this.#relation())
    }
    return balance(this.#make, operators.and, terms, places)
  }

  #relation(): Expr {
    return this.#leftAssociative(relations, () => this.#leftAssociative(sums, () => this.#product()))
  }

  #product(): Expr {
    return this.#leftAssociative(products, () => this.#unary())
  }

  #leftAssociative(names: Readonly<Partial<Record<TokenKind, string>>>, operand: () => Expr): Expr {
    let left = operand()
    for (;;) {
      const mark = this.#tokens.peek()
      const name = names[mark.kind]
      if (name === undefined) return left
      this.#tokens.skip()
      left = this.#make.call(mark.position, name, [left, operand()])
    }
  }

  #unary(): Expr {
    const first = this.#tokens.peek()
    if (first.kind !== '-' && first.kind !== '!') return this.#member()
    let count = 0
    while (this.#tokens.take(first.kind)) count++
    const next = this.#tokens.peek().kind
    // A single sign belongs to the literal; of several signs none does.
    const signed = count === 1 && first.kind === '-' && (next === 'int' || next === 'double')
    const operand = this.#member(signed)
    if (signed) count--
    // Two equal signs cancel out.
    if (count % 2 === 0) return operand
    const name = first.kind === '-' ? operators.negate : operators.not
    return this.#make.call(first.position, name, [operand])
  }

  #member(negative = false): Expr {
    let expr = this.#primary(negative)
    for (;;) {
      const mark = this.#tokens.peek()
      if (this.#tokens.take('.')) expr = this.#dot(mark, expr)
      else if (this.#tokens.take('[')) expr = this.#index(mark, expr)
      else return expr
    }
  }

  #dot(mark: Token, operand: Expr): Expr {
    const optional = this.#tokens.take('?')
    if (optional) this.#optionals.unsupported(mark, '.?')
    const name = this.#tokens.peek()
    if (name.kind === 'quoted') {
      this.#tokens.skip()
      if (!this.#options.quotedFields) this.#source.report(name.position, "unsupported syntax: '`'")
      const field = name.text.slice(1, -1)
      return optional
        ? this.#optionalSelect(mark, operand, name, field)
        : this.#make.select(mark.position, operand, field)
    }
    if (name.kind !== 'identifier') this.#noField(name)
    this.#tokens.skip()
    if (optional) return this.#optionalSelect(mark, operand, name, name.text)
    const open = this.#tokens.peek()
    if (this.#tokens.take('(')) return this.#call(open, name.text, operand)
    return this.#make.select(mark.position, operand, name.text)
  }

  #noField(token: Token): never {
    const keyword = token.kind === 'true' || token.kind === 'false' || token.kind === 'null' || token.kind === 'in'
    const shown = token.kind === 'end' ? '' : token.text
    this.#tokens.syntax(
      token,
      keyword ? `mismatched input '${token.text}' expecting IDENTIFIER` : `no viable alternative at input '.${shown}'`,
    )
    throw new Abort()
  }

  #optionalSelect(mark: Token, operand: Expr, name: Token, field: string): Expr {
    const literal = this.#make.literal(name.position, 'string', field)
    return this.#make.call(mark.position, operators.optionalSelect, [operand, literal])
  }

  #index(mark: Token, operand: Expr): Expr {
    const optional = this.#tokens.take('?')
    if (optional) this.#optionals.unsupported(mark, '[?')
    const index = this.#tokens.within(']', () => this.#expression())
    this.#tokens.expect(']', "']'")
    return this.#make.call(mark.position, optional ? operators.optionalIndex : operators.index, [operand, index])
  }

  #primary(negative: boolean): Expr {
    let token = this.#tokens.peek()
    if (!expressionStart.has(token.kind)) token = this.#tokens.skipUnexpected(expressionStart, expressionStartText)
    this.#tokens.skip()
    switch (token.kind) {
      case '(': {
        const inner = this.#tokens.within(')', () => this.#expression())
        this.#tokens.expect(')', "')'")
        return inner
      }
      case '[':
        return readList(this.#reading, token)
      case '{':
        return readMap(this.#reading, token)
      case '.':
      case 'identifier':
        return this.#name(token)
      default:
        return readLiteral(this.#source, this.#make, token, negative) ?? this.#primaryExpected(token)
    }
  }

  #primaryExpected(token: Token): never {
    this.#tokens.syntax(token, `mismatched input '${token.text}' expecting ${expressionStartText}`)
    throw new Abort()
  }

  /** An identifier, a call of a function, or a message literal `a.b.C{…}`. */
  #name(token: Token): Expr {
    const rooted = token.kind === '.'
    let name = token
    if (rooted) {
      name = this.#tokens.peek()
      if (name.kind !== 'identifier') this.#noField(name)
      this.#tokens.skip()
    }
    const text = rooted ? `.${name.text}` : name.text
    const length = structAhead(this.#tokens)
    if (length !== undefined) return readStruct(this.#reading, text, length)
    if (reserved.has(name.text)) {
      this.#source.report(name.position, `reserved identifier: ${name.text}`)
      return this.#make.literal(name.position, 'null', null)
    }
    const open = this.#tokens.peek()
    if (this.#tokens.take('(')) return this.#call(open, text, undefined)
    return this.#make.ident(name.position, text)
  }

  #call(open: Token, name: string, target: Expr | undefined): Expr {
    const args: Expr[] = []
    this.#tokens.within(')', () => {
      if (this.#tokens.peek().kind === ')') return
      do args.push(this.#expression())
      while (this.#tokens.take(','))
    })
    this.#tokens.expect(')', "')'")
    const bare = name.startsWith('.') ? name.slice(1) : name
    const macro = this.#options.macros.get(`${bare}:${args.length}:${target !== undefined}`)
    const expanded = macro?.expand(this.#macroContext(open), target, args)
    return expanded ?? this.#make.call(open.position, name, args, target)
  }

  #macroContext(open: Token) {
    return {
      make: this.#make,
      position: open.position,
      error: (position: number, message: string): void => this.#source.report(position, message),
      nameOf: qualifiedName,
    }
  }
}
