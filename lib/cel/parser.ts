import { type Expr, operators, qualifiedName, type StructEntry } from './ast.ts'
import { Builder, TooDeep } from './build.ts'
import type { Token, TokenKind } from './lexer.ts'
import {
  parseBytesLiteral,
  parseDoubleLiteral,
  parseIntLiteral,
  parseStringLiteral,
  parseUintLiteral,
} from './literals.ts'
import type { Macro } from './macros.ts'
import type { Source } from './source.ts'
import { Abort, expressionStart, expressionStartText, listStartText, mapStartText, Tokens } from './tokens.ts'
import { Bytes } from './values.ts'

export interface ParseOptions {
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
  /** Ids given out: tables by id have this size. */
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

/** Reads an expression; undefined when anything is wrong with it, which `source` then tells. */
export function parse(source: Source, options: ParseOptions): Parsed | undefined {
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
  readonly #source: Source
  readonly #tokens: Tokens
  readonly #make: Builder
  readonly #options: ParseOptions
  #depth = 0
  #muteDepth = 0

  constructor(source: Source, tokens: Tokens, make: Builder, options: ParseOptions) {
    this.#source = source
    this.#tokens = tokens
    this.#make = make
    this.#options = options
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
    return this.#balance(operators.or, terms, places, 0, places.length - 1)
  }

  #and(): Expr {
    const terms = [this.#relation()]
    const places: number[] = []
    for (let mark = this.#tokens.peek(); this.#tokens.take('&&'); mark = this.#tokens.peek()) {
      places.push(mark.position)
      terms.push(this.#relation())
    }
    return this.#balance(operators.and, terms, places, 0, places.length - 1)
  }

  /** Long chains of && or || become shallow trees, so that their length is no matter of nesting. */
  #balance(name: string, terms: readonly Expr[], places: readonly number[], low: number, high: number): Expr {
    if (low > high) return at(terms, low)
    const middle = (low + high + 1) >> 1
    const left = this.#balance(name, terms, places, low, middle - 1)
    const right = this.#balance(name, terms, places, middle + 1, high)
    return this.#make.call(at(places, middle), name, [left, right])
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
    const signed = first.kind === '-' && (next === 'int' || next === 'double')
    const operand = this.#member(signed)
    if (signed) count--
    // Two of a kind undo each other.
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
    if (optional) this.#unsupported(mark, '.?')
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
    if (optional) this.#unsupported(mark, '[?')
    const index = this.#tokens.within(']', () => this.#expression())
    this.#tokens.expect(']', "']'")
    return this.#make.call(mark.position, optional ? operators.optionalIndex : operators.index, [operand, index])
  }

  /** Reports optional syntax where there is none; true when it did. */
  #unsupported(mark: Token, syntax: string): boolean {
    if (this.#options.optionalSyntax) return false
    if (this.#muteDepth === 0) this.#source.report(mark.position, `unsupported syntax '${syntax}'`)
    return true
  }

  /** Within an entry that was reported as a whole, its parts are not. */
  #muted<T>(mute: boolean, read: () => T): T {
    if (!mute) return read()
    this.#muteDepth++
    const result = read()
    this.#muteDepth--
    return result
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
        return this.#list(token)
      case '{':
        return this.#map(token)
      case '.':
      case 'identifier':
        return this.#name(token)
      default:
        return this.#literal(token, negative)
    }
  }

  #literal(token: Token, negative: boolean): Expr {
    const place = negative ? token.position - 1 : token.position
    const make = this.#make
    switch (token.kind) {
      case 'int':
        return make.literal(
          place,
          'int',
          this.#parsed(parseIntLiteral(token.text, negative), token, 'invalid int literal', 0n),
        )
      case 'uint':
        return make.literal(
          place,
          'uint',
          this.#parsed(parseUintLiteral(token.text), token, 'invalid uint literal', 0n),
        )
      case 'double': {
        const value = this.#parsed(parseDoubleLiteral(token.text), token, 'invalid double literal', 0)
        return make.literal(place, 'double', negative ? -value : value)
      }
      case 'string':
        return make.literal(
          place,
          'string',
          this.#parsed(parseStringLiteral(token.text), token, 'invalid unicode code point', ''),
        )
      case 'bytes': {
        const none = new Bytes(new Uint8Array(0))
        return make.literal(
          place,
          'bytes',
          this.#parsed(parseBytesLiteral(token.text), token, 'invalid bytes literal', none),
        )
      }
      case 'true':
      case 'false':
        return make.literal(place, 'bool', token.kind === 'true')
      case 'null':
        return make.literal(place, 'null', null)
      default:
        return this.#primaryExpected(token)
    }
  }

  #primaryExpected(token: Token): never {
    this.#tokens.syntax(token, `mismatched input '${token.text}' expecting ${expressionStartText}`)
    throw new Abort()
  }

  #parsed<T>(value: T | undefined, token: Token, message: string, otherwise: T): T {
    if (value !== undefined) return value
    this.#source.report(token.position, message)
    return otherwise
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
    const length = this.#structName()
    if (length !== undefined) return this.#struct(text, length)
    if (reserved.has(name.text)) {
      this.#source.report(name.position, `reserved identifier: ${name.text}`)
      return this.#make.literal(name.position, 'null', null)
    }
    const open = this.#tokens.peek()
    if (this.#tokens.take('(')) return this.#call(open, text, undefined)
    return this.#make.ident(name.position, text)
  }

  /** Looks ahead over `.b.C {`: how many tokens there are before the brace, when it is there. */
  #structName(): number | undefined {
    let ahead = 0
    while (this.#tokens.peek(ahead).kind === '.' && this.#tokens.peek(ahead + 1).kind === 'identifier') ahead += 2
    return this.#tokens.peek(ahead).kind === '{' ? ahead : undefined
  }

  #struct(first: string, length: number): Expr {
    let name = first
    for (let count = 0; count < length; count++) {
      name += this.#tokens.peek().text
      this.#tokens.skip()
    }
    const open = this.#tokens.peek()
    this.#tokens.skip()
    const entries: StructEntry[] = []
    this.#tokens.within('}', () => {
      while (this.#tokens.peek().kind !== '}') {
        const optionalMark = this.#tokens.peek()
        const optional = this.#tokens.take('?')
        const unsupported = optional && this.#unsupported(optionalMark, '?')
        const field = this.#fieldName(optional)
        const colon = this.#tokens.expect(':', "':'")
        const value = this.#muted(unsupported, () => this.#expression())
        entries.push(this.#make.structEntry(colon.position, field, value, optional))
        if (!this.#tokens.separator('}', "{'}', ','}")) break
      }
    })
    this.#tokens.expect('}', "'}'")
    return this.#make.struct(open.position, name, entries)
  }

  #fieldName(optional: boolean): string {
    let token = this.#tokens.peek()
    if (token.kind !== 'identifier' && token.kind !== 'quoted') {
      const expected = optional ? '{IDENTIFIER, ESC_IDENTIFIER}' : "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"
      token = this.#tokens.skipUnexpected(new Set(['identifier', 'quoted']), expected)
    }
    this.#tokens.skip()
    if (token.kind !== 'quoted') return token.text
    if (!this.#options.quotedFields) this.#source.report(token.position, "unsupported syntax: '`'")
    return token.text.slice(1, -1)
  }

  #list(open: Token): Expr {
    const elements: Expr[] = []
    const optionals = new Set<number>()
    this.#tokens.within(']', () => {
      this.#tokens.begin(listStartText, ']')
      while (this.#tokens.peek().kind !== ']') {
        const mark = this.#tokens.peek()
        if (this.#tokens.take('?')) {
          this.#unsupported(mark, '?')
          optionals.add(elements.length)
        }
        elements.push(this.#expression())
        if (!this.#tokens.separator(']', "{']', ','}")) break
      }
    })
    this.#tokens.expect(']', "']'")
    return this.#make.list(open.position, elements, optionals)
  }

  #map(open: Token): Expr {
    const entries: ReturnType<Builder['mapEntry']>[] = []
    this.#tokens.within('}', () => {
      this.#tokens.begin(mapStartText, '}')
      while (this.#tokens.peek().kind !== '}') {
        const mark = this.#tokens.peek()
        const optional = this.#tokens.take('?')
        const unsupported = optional && this.#unsupported(mark, '?')
        const key = this.#muted(unsupported, () => this.#expression())
        const colon = this.#tokens.expect(':', "':'")
        const value = this.#muted(unsupported, () => this.#expression())
        entries.push(this.#make.mapEntry(colon.position, key, value, optional))
        if (!this.#tokens.separator('}', "{'}', ','}")) break
      }
    })
    this.#tokens.expect('}', "'}'")
    return this.#make.map(open.position, entries)
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

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`no item ${index} of ${items.length}`)
  return item
}
