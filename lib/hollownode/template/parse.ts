import { lexTemplate, type Token } from './lex.ts'
import { TemplateError, type Value } from './value.ts'

export type Operand =
  | { readonly is: 'literal'; readonly value: Value }
  | { readonly is: 'dot' }
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'function'; readonly name: string }
  | { readonly is: 'pipeline'; readonly pipeline: Pipeline }
  | { readonly is: 'fields'; readonly of: Operand; readonly names: readonly string[] }

/** Commands whose values pass on to the next one, and the variables that take the last value. */
export interface Pipeline {
  readonly line: number
  readonly variables: readonly string[]
  /** The variables exist already (`=`). */
  readonly assigns: boolean
  readonly commands: readonly (readonly Operand[])[]
}

export type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'print'; readonly pipeline: Pipeline }
  | {
      readonly is: 'if' | 'with' | 'range'
      readonly pipeline: Pipeline
      readonly parts: readonly Part[]
      readonly otherwise: readonly Part[]
    }
  | { readonly is: 'break' | 'continue' }
  | { readonly is: 'template'; readonly name: string; readonly line: number; readonly pipeline: Pipeline | undefined }

export interface ParsedTemplate {
  readonly parts: readonly Part[]
  /** Those of `define`, by name. */
  readonly defined: ReadonlyMap<string, readonly Part[]>
}

/** Blocks and parentheses within each other. */
const depthMax = 50
/** Blocks that `else if` and `else with` continue, besides. */
const partsMax = 10_000

type Block = 'if' | 'with' | 'range'

const blocks: ReadonlySet<string> = new Set<Block>(['if', 'with', 'range'])
const literals = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['nil', undefined],
])

/** Parses a template of Go. `isFunction`: a function of that name exists. Throws TemplateError. */
export function parseTemplate(text: string, isFunction: (name: string) => boolean): ParsedTemplate {
  return new Parser(lexTemplate(text), isFunction).parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #isFunction: (name: string) => boolean
  readonly #defined = new Map<string, readonly Part[]>()
  readonly #uses: { readonly name: string; readonly line: number }[] = []
  #at = 0
  #depth = 0
  #loops = 0
  #parts = 0
  /** Variables that are declared here or in the blocks around. */
  #variables: string[] = ['$']

  constructor(tokens: readonly Token[], isFunction: (name: string) => boolean) {
    this.#tokens = tokens
    this.#isFunction = isFunction
  }

  parse(): ParsedTemplate {
    const parts = this.#partsUntil(new Set())
    for (const { name, line } of this.#uses)
      if (!this.#defined.has(name)) this.#fail(`the template ${JSON.stringify(name)} is not defined`, line)
    return { parts, defined: this.#defined }
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#at]
  }

  get #line(): number {
    return (this.#token ?? this.#tokens.at(-1))?.line ?? 1
  }

  #fail(why: string, line = this.#line): never {
    throw new TemplateError(line, why)
  }

  #isNext(kind: Token['kind'], text?: string): boolean {
    const token = this.#token
    return token?.kind === kind && (text === undefined || token.text === text)
  }

  #takes(kind: Token['kind'], text?: string): boolean {
    const isNext = this.#isNext(kind, text)
    if (isNext) this.#at++
    return isNext
  }

  #endAction(): void {
    if (!this.#takes('end')) this.#fail(`unexpected ${JSON.stringify(this.#token?.text ?? 'end of the template')}`)
  }

  #deeper<Result>(work: () => Result): Result {
    if (++this.#depth > depthMax) this.#fail(`more than ${depthMax} blocks and parentheses lie in each other`)
    try {
      return work()
    } finally {
      this.#depth--
    }
  }

  /** The parts up to an action that begins with one of these words, which is not taken. */
  #partsUntil(words: ReadonlySet<string>): Part[] {
    const parts: Part[] = []
    for (let token = this.#token; token; token = this.#token) {
      if (token.kind === 'name' && words.has(token.text)) break
      if (++this.#parts > partsMax) this.#fail(`it has more than ${partsMax} parts`)
      const part = this.#part(token)
      if (part) parts.push(part)
    }
    return parts
  }

  #part(token: Token): Part | undefined {
    if (this.#takes('text')) return { is: 'text', text: token.text }
    // An empty action.
    if (this.#takes('end')) return undefined
    if (token.kind === 'name') {
      if (blocks.has(token.text)) return this.#block(token.text as Block)
      if (token.text === 'break' || token.text === 'continue') {
        if (this.#loops === 0) this.#fail(`{{${token.text}}} outside of {{range}}`)
        this.#at++
        this.#endAction()
        return { is: token.text }
      }
      if (token.text === 'define') return this.#define()
      if (token.text === 'template') return this.#use()
      if (token.text === 'end' || token.text === 'else') this.#fail(`unexpected {{${token.text}}}`)
    }
    const pipeline = this.#pipeline(1)
    this.#endAction()
    return { is: 'print', pipeline }
  }

  #define(): undefined {
    const begun = this.#line
    if (this.#depth > 0) this.#fail('{{define}} within another block')
    this.#at++
    const name = this.#templateName()
    this.#endAction()
    const outside = this.#variables
    this.#variables = ['$']
    const parts = this.#deeper(() => this.#partsUntil(new Set(['end'])))
    this.#variables = outside
    if (!this.#takes('name', 'end')) this.#fail('{{define}} has no {{end}}', begun)
    this.#endAction()
    this.#defined.set(name, parts)
  }

  #use(): Part {
    const line = this.#line
    this.#at++
    const name = this.#templateName()
    this.#uses.push({ name, line })
    const pipeline = this.#isNext('end') ? undefined : this.#pipeline(0)
    this.#endAction()
    return { is: 'template', name, line, pipeline }
  }

  #templateName(): string {
    const token = this.#token
    if (!this.#takes('string')) this.#fail('the name of a template is missing')
    return token?.text ?? ''
  }

  #block(is: Block): Part {
    const begun = this.#line
    this.#at++
    const outside = this.#variables.length
    return this.#deeper(() => {
      const pipeline = this.#pipeline(is === 'range' ? 2 : 1)
      this.#endAction()
      if (is === 'range') this.#loops++
      const parts = this.#partsUntil(new Set(['end', 'else']))
      if (is === 'range') this.#loops--
      const otherwise = this.#otherwise(is, begun)
      this.#variables.length = outside
      return { is, pipeline, parts, otherwise }
    })
  }

  #otherwise(is: Block, begun: number): readonly Part[] {
    if (this.#takes('name', 'end')) {
      this.#endAction()
      return []
    }
    if (!this.#takes('name', 'else')) this.#fail(`{{${is}}} has no {{end}}`, begun)
    if (is !== 'range' && this.#isNext('name', is)) return [this.#block(is)]
    this.#endAction()
    const parts = this.#partsUntil(new Set(['end', 'else']))
    if (!this.#takes('name', 'end')) this.#fail(`{{${is}}} has no {{end}}`, begun)
    this.#endAction()
    return parts
  }

  #pipeline(variablesMax: number): Pipeline {
    const line = this.#line
    const before = this.#at
    const variables: string[] = []
    let sign = ''
    while (this.#isNext('variable') && variables.length < variablesMax) {
      variables.push(this.#token?.text ?? '')
      this.#at++
      if (this.#takes('sign', ',')) continue
      if (this.#takes('sign', ':=')) sign = ':='
      else if (this.#takes('sign', '=')) sign = '='
      break
    }
    if (sign === '') {
      this.#at = before
      variables.length = 0
    }
    const commands = [this.#command()]
    while (this.#takes('sign', '|')) commands.push(this.#command())
    for (const name of variables) {
      if (sign === ':=') this.#variables.push(name)
      else this.#declared(name)
    }
    return { line, variables, assigns: sign === '=', commands }
  }

  #command(): readonly Operand[] {
    const operands: Operand[] = []
    while (this.#token && !this.#isNext('end') && !this.#isNext('sign', '|') && !this.#isNext('sign', ')'))
      operands.push(this.#operand())
    if (operands.length === 0) this.#fail('a value is missing')
    const [first] = operands
    if (operands.length > 1 && first?.is !== 'function') this.#fail('only functions have arguments')
    return operands
  }

  #operand(): Operand {
    const of = this.#simple()
    const token = this.#token
    if (token?.kind !== 'field' || !token.isAdjacent) return of
    if (of.is === 'literal' || of.is === 'function' || of.is === 'fields')
      this.#fail(`unexpected ${JSON.stringify(token.text)}`)
    this.#at++
    return { is: 'fields', of, names: token.text.slice(1).split('.') }
  }

  #simple(): Operand {
    const token = this.#token ?? this.#fail('a value is missing')
    this.#at++
    switch (token.kind) {
      case 'dot':
        return { is: 'dot' }
      case 'field':
        return { is: 'fields', of: { is: 'dot' }, names: token.text.slice(1).split('.') }
      case 'string':
        return { is: 'literal', value: token.text }
      case 'number':
        return { is: 'literal', value: Number(token.text) }
      case 'variable':
        return { is: 'variable', name: this.#declared(token.text) }
      case 'name':
        return this.#named(token)
      default:
        return this.#parentheses(token)
    }
  }

  #named({ text, line }: Token): Operand {
    if (literals.has(text)) return { is: 'literal', value: literals.get(text) }
    if (!this.#isFunction(text)) this.#fail(`the function ${JSON.stringify(text)} is not known here`, line)
    return { is: 'function', name: text }
  }

  #parentheses(token: Token): Operand {
    if (token.text !== '(') this.#fail(`unexpected ${JSON.stringify(token.text)}`, token.line)
    return this.#deeper(() => {
      const pipeline = this.#pipeline(0)
      if (!this.#takes('sign', ')')) this.#fail('a parenthesis is not closed', token.line)
      return { is: 'pipeline', pipeline }
    })
  }

  #declared(name: string): string {
    if (!this.#variables.includes(name)) this.#fail(`the variable ${name} is not declared`)
    return name
  }
}
