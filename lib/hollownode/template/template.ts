import { type TemplateFunction, templateFunctions } from './functions.ts'
import { type Operand, type ParsedTemplate, type Part, type Pipeline, parseTemplate } from './parse.ts'
import {
  charactersMax,
  isList,
  isTree,
  isTrue,
  memberOf,
  printed,
  TemplateError,
  type Tree,
  typeOf,
  type Value,
} from './value.ts'

/** Functions that templates know besides their own, whose values depend on the object. */
export type Surroundings = Readonly<Record<string, TemplateFunction>>

/** A template of Go's text/template, in the subset that Stage files use. */
export interface Template {
  /** Throws TemplateError where it makes no sense for the data, or too much of it. */
  render(data: Value, around: Surroundings): string
}

/** Operands, parts of text, passes of loops, and what functions read, together. */
const stepsMax = 100_000
const depthMax = 50
/** Texts that functions make, together. */
const madeCharactersMax = 8 * charactersMax
/** A function passes through so many characters of a text in the time of a step. */
const charactersPerStep = 64

/** Parses a template; `names` are the functions that `render` gets. Throws TemplateError. */
export function createTemplate(text: string, names: ReadonlySet<string>): Template {
  const isFunction = (name: string): boolean => lazy.has(name) || templateFunctions.has(name) || names.has(name)
  const parsed = parseTemplate(text, isFunction)
  return { render: (data, around) => new Rendering(data, around, parsed.defined).render(parsed.parts) }
}

/** These evaluate their arguments only until one decides. */
const lazy: ReadonlyMap<string, (value: Value) => boolean> = new Map([
  ['and', (value) => !isTrue(value)],
  ['or', isTrue],
])

type Jump = 'break' | 'continue' | undefined

class Rendering {
  readonly #around: Surroundings
  readonly #defined: ParsedTemplate['defined']
  #variables: { readonly name: string; value: Value }[]
  /** Templates that use each other. */
  #depth = 0
  readonly #pieces: string[] = []
  #dot: Value
  #characters = 0
  #madeCharacters = 0
  #steps = 0
  /** Parts of lists and maps, those that occur several times counted as often. */
  readonly #sizes = new WeakMap<object, number>()
  #line = 1

  constructor(data: Value, around: Surroundings, defined: ParsedTemplate['defined']) {
    this.#around = around
    this.#defined = defined
    this.#dot = data
    this.#variables = [{ name: '$', value: data }]
  }

  render(parts: readonly Part[]): string {
    try {
      this.#all(parts)
    } catch (error) {
      if (error instanceof TemplateError) throw error
      throw new TemplateError(this.#line, error instanceof Error ? error.message : String(error))
    }
    return this.#pieces.join('')
  }

  #fail(why: string): never {
    throw new TemplateError(this.#line, why)
  }

  #step(count = 1): void {
    this.#steps += count
    if (this.#steps > stepsMax) this.#fail(`it takes more than ${stepsMax} steps`)
  }

  /** The number of a value's parts, and of their characters. */
  #sizeOf(value: Value): number {
    if (typeof value === 'string') return 1 + value.length
    if (typeof value !== 'object') return 1
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    this.#step()
    const parts = isList(value) ? value : Object.keys(value).flatMap((key) => [key, memberOf(value as Tree, key)])
    const size = parts.reduce<number>((total, part) => total + this.#sizeOf(part), 1)
    this.#sizes.set(value, size)
    return size
  }

  #all(parts: readonly Part[]): Jump {
    for (const part of parts) {
      this.#step()
      const jump = this.#part(part)
      if (jump !== undefined) return jump
    }
    return undefined
  }

  #part(part: Part): Jump {
    switch (part.is) {
      case 'text':
        return this.#write(part.text)
      case 'print': {
        const value = this.#valueOf(part.pipeline)
        if (part.pipeline.variables.length > 0) return undefined
        if (typeof value === 'object') this.#step(this.#sizeOf(value) / 8)
        return this.#write(value === undefined ? '<no value>' : printed(value))
      }
      case 'break':
      case 'continue':
        return part.is
      case 'template':
        return this.#use(part)
      case 'range':
        return this.#inBlock(() => this.#loop(part))
      default:
        return this.#inBlock(() => {
          const value = this.#valueOf(part.pipeline)
          if (!isTrue(value)) return this.#all(part.otherwise)
          return part.is === 'with' ? this.#withDot(value, part.parts) : this.#all(part.parts)
        })
    }
  }

  #use({ name, line, pipeline }: Extract<Part, { is: 'template' }>): undefined {
    const data = pipeline && this.#valueOf(pipeline)
    this.#line = line
    if (++this.#depth > depthMax) this.#fail(`more than ${depthMax} templates use each other`)
    const outside = this.#variables
    this.#variables = [{ name: '$', value: data }]
    this.#withDot(data, this.#defined.get(name) ?? [])
    this.#variables = outside
    this.#depth--
  }

  #loop({ pipeline, parts, otherwise }: Extract<Part, { is: 'range' | 'if' | 'with' }>): Jump {
    const value = this.#valueOf({ ...pipeline, variables: [] })
    const entries = this.#entriesOf(value)
    if (entries.length === 0) return this.#all(otherwise)
    const [first, second] = pipeline.variables
    for (const [key, entry] of entries) {
      this.#step()
      const jump = this.#inBlock(() => {
        if (second !== undefined) {
          this.#set(first ?? '', key, pipeline.assigns)
          this.#set(second, entry, pipeline.assigns)
        } else if (first !== undefined) this.#set(first, entry, pipeline.assigns)
        return this.#withDot(entry, parts)
      })
      if (jump === 'break') break
    }
    return undefined
  }

  /** Entries of a list, or of a map in the order of its keys. A number counts from 0. */
  #entriesOf(value: Value): readonly (readonly [key: Value, entry: Value])[] {
    if (value === undefined) return []
    if (isList(value)) return value.map((entry, index) => [index, entry])
    if (isTree(value))
      return Object.keys(value)
        .toSorted()
        .map((key) => [key, memberOf(value, key)])
    if (typeof value !== 'number' || !Number.isInteger(value))
      return this.#fail(`range can't go over a ${typeOf(value)}`)
    if (value > stepsMax) return this.#fail(`it takes more than ${stepsMax} steps`)
    return Array.from({ length: Math.max(0, value) }, (_, index) => [index, index])
  }

  /** Variables of a block end with it. */
  #inBlock(work: () => Jump): Jump {
    const outside = this.#variables.length
    const jump = work()
    this.#variables.length = outside
    return jump
  }

  #withDot(value: Value, parts: readonly Part[]): Jump {
    const before = this.#dot
    this.#dot = value
    const jump = this.#all(parts)
    this.#dot = before
    return jump
  }

  #write(text: string): undefined {
    this.#characters += text.length
    if (this.#characters > charactersMax) this.#fail(`the result has more than ${charactersMax} characters`)
    this.#pieces.push(text)
  }

  #valueOf({ line, commands, variables, assigns }: Pipeline): Value {
    this.#line = line
    let value: Value
    for (const [index, operands] of commands.entries()) value = this.#command(operands, index === 0 ? [] : [value])
    for (const name of variables) this.#set(name, value, assigns)
    return value
  }

  #set(name: string, value: Value, assigns: boolean): void {
    const known = assigns ? this.#variables.findLast((each) => each.name === name) : undefined
    if (known) known.value = value
    else this.#variables.push({ name, value })
  }

  #command([first, ...others]: readonly Operand[], passed: readonly Value[]): Value {
    if (first?.is === 'function') return this.#call(first.name, others, passed)
    if (first === undefined || passed.length > 0) return this.#fail('only functions take a value from a pipeline')
    return this.#operand(first)
  }

  #call(name: string, given: readonly Operand[], passed: readonly Value[]): Value {
    this.#step()
    const decides = lazy.get(name)
    if (decides) return this.#callLazily(name, decides, given, passed)
    const found = Object.hasOwn(this.#around, name) ? this.#around[name] : templateFunctions.get(name)
    if (!found) return this.#fail(`the function ${JSON.stringify(name)} is not known here`)
    const values = [...given.map((each) => this.#operand(each)), ...passed]
    const { least, most = least } = found
    if (values.length < least || values.length > most)
      this.#fail(`${name} takes ${most === least ? least : `${least} or more`} arguments, not ${values.length}`)
    this.#charge(values, found.stepsPerPart)
    const value = found.run(values)
    if (typeof value !== 'string') return value
    this.#madeCharacters += value.length
    if (value.length > charactersMax) this.#fail(`the result of ${name} has more than ${charactersMax} characters`)
    if (this.#madeCharacters > madeCharactersMax) this.#fail(`functions make more than ${madeCharactersMax} characters`)
    return value
  }

  #charge(values: readonly Value[], stepsPerPart: number | undefined): void {
    for (const value of values) {
      if (typeof value === 'string') this.#step(value.length / charactersPerStep)
      else if (typeof value === 'object' && stepsPerPart !== undefined) this.#step(this.#sizeOf(value) * stepsPerPart)
    }
  }

  #callLazily(
    name: string,
    decides: (value: Value) => boolean,
    given: readonly Operand[],
    passed: readonly Value[],
  ): Value {
    if (given.length + passed.length === 0) this.#fail(`${name} takes 1 or more arguments, not 0`)
    let value: Value
    for (const each of given) {
      value = this.#operand(each)
      if (decides(value)) return value
    }
    return passed.length > 0 ? passed[0] : value
  }

  #operand(operand: Operand): Value {
    this.#step()
    switch (operand.is) {
      case 'literal':
        return operand.value
      case 'dot':
        return this.#dot
      case 'variable':
        return this.#variables.findLast(({ name }) => name === operand.name)?.value
      case 'function':
        return this.#call(operand.name, [], [])
      case 'pipeline':
        return this.#valueOf(operand.pipeline)
      case 'fields':
        return operand.names.reduce<Value>((value, name) => this.#field(value, name), this.#operand(operand.of))
    }
  }

  #field(value: Value, name: string): Value {
    if (value === undefined) return undefined
    return isTree(value) ? memberOf(value, name) : this.#fail(`a ${typeOf(value)} has no field ${name}`)
  }
}
