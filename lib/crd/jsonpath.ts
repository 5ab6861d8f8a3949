import { isRecord } from '../base/index.ts'
import { deepEqual } from '../object/index.ts'

/** A parsed JSON path of a printer column (`.status.conditions[?(@.type=="Ready")].status`). */
export interface JsonPath {
  /** All values at the path, in order; at most `resultsMax`. None where the search takes more than `budget`. */
  find(root: unknown, budget?: VisitBudget): readonly unknown[]
  /** The first value; undefined: none. */
  first(root: unknown, budget?: VisitBudget): unknown
  /** Names of the leading fields, joined by dots; all values are below them. Empty: none. */
  readonly below: string
}

/**
 * Number of values that may still be visited, by all paths that share the budget: nested filters multiply visits, and
 * so do lists of indices.
 */
export interface VisitBudget {
  visitsLeft: number
}

/** Maximum number of visits of a path with its own budget; a path that takes more finds nothing. */
const visitsMax = 20_000
/** Maximum number of values after one step: `..` and `[*]` multiply. */
const resultsMax = 10_000
const pathCharactersMax = 4096
const stepsMax = 128

type Step =
  | { readonly is: 'field'; readonly names: readonly string[] }
  | { readonly is: 'index'; readonly indices: readonly number[] }
  | { readonly is: 'slice'; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly is: 'all' }
  | { readonly is: 'descend' }
  | { readonly is: 'filter'; readonly left: Operand; readonly operator: string; readonly right: Operand | undefined }

type Operand = { readonly path: readonly Step[] } | { readonly value: unknown }

/** Undefined: an invalid path. Adds a leading dot unless there is a dot or a bracket. */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (text.length > pathCharactersMax) return undefined
  const steps = new Parser(text).parse()
  if (!steps) return undefined
  return {
    find: (root, budget) => new Walk(budget).find(steps, root),
    first: (root, budget) => new Walk(budget).find(steps, root)[0],
    below: leadingFields(steps).join('.'),
  }
}

function leadingFields(steps: readonly Step[]): readonly string[] {
  const fields: string[] = []
  for (const step of steps) {
    const [name = '', ...others] = step.is === 'field' ? step.names : []
    if (name === '' || name.includes('.') || others.length > 0) break
    fields.push(name)
  }
  return fields
}

class Walk {
  readonly #budget: VisitBudget

  constructor(budget: VisitBudget = { visitsLeft: visitsMax }) {
    this.#budget = budget
  }

  find(steps: readonly Step[], root: unknown): readonly unknown[] {
    const found = this.#isSpent ? [] : this.#follow(steps, root)
    return this.#isSpent ? [] : found
  }

  get #isSpent(): boolean {
    return this.#budget.visitsLeft <= 0
  }

  #spend(visits: number): void {
    this.#budget.visitsLeft -= visits
  }

  #follow(steps: readonly Step[], root: unknown): readonly unknown[] {
    let values: readonly unknown[] = [root]
    for (const step of steps) {
      const next: unknown[] = []
      for (const value of values) {
        this.#spend(1)
        this.#take(step, value, next)
        if (next.length >= resultsMax || this.#isSpent) break
      }
      values = next.slice(0, resultsMax)
      if (values.length === 0) break
    }
    return values
  }

  #take(step: Step, value: unknown, into: unknown[]): void {
    switch (step.is) {
      case 'field':
        this.#spend(step.names.length)
        for (const name of step.names) if (isRecord(value) && Object.hasOwn(value, name)) into.push(value[name])
        return
      case 'index':
        return this.#index(step.indices, value, into)
      case 'slice':
        return this.#slice(step, value, into)
      case 'all':
        for (const item of this.#itemsOf(value).slice(0, resultsMax)) into.push(item)
        return
      case 'descend':
        return this.#descend(value, into)
      case 'filter':
        for (const item of this.#itemsOf(value)) {
          if (into.length >= resultsMax || this.#isSpent) break
          if (this.#passes(step, item)) into.push(item)
        }
    }
  }

  #itemsOf(value: unknown): readonly unknown[] {
    const items: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
    this.#spend(items.length)
    return items
  }

  #index(indices: readonly number[], value: unknown, into: unknown[]): void {
    if (!Array.isArray(value)) return
    this.#spend(indices.length)
    for (const index of indices) {
      const at = index < 0 ? value.length + index : index
      if (at >= 0 && at < value.length) into.push(value[at])
    }
  }

  #slice({ start, end, step }: Extract<Step, { is: 'slice' }>, value: unknown, into: unknown[]): void {
    if (!Array.isArray(value) || step <= 0) return
    const from = start === undefined ? 0 : start < 0 ? value.length + start : start
    const until = end === undefined ? value.length : end < 0 ? value.length + end : end
    const before = into.length
    for (let index = Math.max(0, from); index < Math.min(until, value.length); index += step) into.push(value[index])
    this.#spend(into.length - before)
  }

  /** Collects the value and everything below it, outer before inner. */
  #descend(value: unknown, into: unknown[]): void {
    const open: unknown[] = [value]
    for (let at = 0; at < open.length && into.length < resultsMax && !this.#isSpent; at++) {
      const next = open[at]
      into.push(next)
      for (const each of this.#itemsOf(next))
        if (typeof each === 'object' && each !== null && open.length < resultsMax) open.push(each)
    }
  }

  #passes({ left, operator, right }: Extract<Step, { is: 'filter' }>, item: unknown): boolean {
    const [a] = this.#operandValues(left, item)
    if (right === undefined) return a !== undefined
    const [b] = this.#operandValues(right, item)
    return a !== undefined && b !== undefined && compares(operator, a, b)
  }

  #operandValues(operand: Operand, item: unknown): readonly unknown[] {
    return 'path' in operand ? this.#follow(operand.path, item) : [operand.value]
  }
}

/** Compares scalars of one type only. */
function compares(operator: string, a: unknown, b: unknown): boolean {
  const isScalar = typeof a !== 'object' && typeof b !== 'object'
  if (operator === '==') return isScalar && deepEqual(a, b)
  if (operator === '!=') return isScalar && !deepEqual(a, b)
  if (!((typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string')))
    return false
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    const trimmed = text.trim()
    const inner = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1) : trimmed
    this.#text = inner.startsWith('$') || inner.startsWith('@') ? inner.slice(1) : inner
  }

  parse(): readonly Step[] | undefined {
    const steps = this.#steps()
    return steps && this.#at === this.#text.length && steps.length <= stepsMax ? steps : undefined
  }

  /** Parses steps up to a character that begins none. */
  #steps(): Step[] | undefined {
    const steps: Step[] = []
    for (;;) {
      const rest = this.#text.slice(this.#at)
      if (rest.startsWith('..')) {
        this.#at += 2
        steps.push({ is: 'descend' })
        if (/^[^.[]/.test(this.#text.slice(this.#at)) && !this.#name(steps)) return undefined
      } else if (rest.startsWith('.')) {
        this.#at += 1
        if (this.#text[this.#at] !== '[' && !this.#name(steps)) return undefined
      } else if (rest.startsWith('[')) {
        const step = this.#brackets()
        if (!step) return undefined
        steps.push(step)
      } else return steps
    }
  }

  #name(steps: Step[]): boolean {
    const found = /^(?:\*|(?:[^.[\]\s=!<>()'"\\]|\\.)+)/.exec(this.#text.slice(this.#at))
    if (!found) return false
    this.#at += found[0].length
    steps.push(found[0] === '*' ? { is: 'all' } : { is: 'field', names: [found[0].replace(/\\(.)/g, '$1')] })
    return true
  }

  #brackets(): Step | undefined {
    const rest = this.#text.slice(this.#at)
    const all = /^\[\s*\*\s*\]/.exec(rest)
    if (all) return this.#took(all[0], { is: 'all' })
    const names =
      /^\[\s*((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:\s*,\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))*)\s*\]/.exec(
        rest,
      )
    if (names) {
      const list = [...(names[1] ?? '').matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)]
      return this.#took(names[0], {
        is: 'field',
        names: list.map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1')),
      })
    }
    const indices = /^\[\s*(-?\d{1,9}(?:\s*,\s*-?\d{1,9})*)\s*\]/.exec(rest)
    if (indices) return this.#took(indices[0], { is: 'index', indices: (indices[1] ?? '').split(',').map(Number) })
    const range = /^\[\s*(-?\d{1,9})?\s*:\s*(-?\d{1,9})?\s*(?::\s*(-?\d{1,9})?\s*)?\]/.exec(rest)
    if (range) {
      const [whole, start, end, step] = range
      return this.#took(whole, {
        is: 'slice',
        step: step === undefined ? 1 : Number(step),
        ...(start === undefined ? {} : { start: Number(start) }),
        ...(end === undefined ? {} : { end: Number(end) }),
      })
    }
    return rest.startsWith('[?(') ? this.#filter() : undefined
  }

  #took(text: string, step: Step): Step {
    this.#at += text.length
    return step
  }

  #filter(): Step | undefined {
    this.#at += 3
    const left = this.#operand()
    if (!left) return undefined
    const operator = /^\s*(==|!=|<=|>=|<|>)\s*/.exec(this.#text.slice(this.#at))
    if (operator) this.#at += operator[0].length
    const right = operator ? this.#operand() : undefined
    if (operator && !right) return undefined
    const end = /^\s*\)\s*\]/.exec(this.#text.slice(this.#at))
    if (!end) return undefined
    this.#at += end[0].length
    return { is: 'filter', left, operator: operator?.[1] ?? '', right }
  }

  #operand(): Operand | undefined {
    this.#at += /^\s*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0
    const rest = this.#text.slice(this.#at)
    if (rest.startsWith('@') || rest.startsWith('$')) {
      this.#at += 1
      const path = this.#steps()
      return path && { path }
    }
    const literal = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|(true|false))/.exec(rest)
    if (!literal) return undefined
    const [whole, single, double, number, boolean] = literal
    this.#at += whole.length
    if (number !== undefined) return { value: Number(number) }
    if (boolean !== undefined) return { value: boolean === 'true' }
    return { value: (single ?? double ?? '').replace(/\\(.)/g, '$1') }
  }
}
