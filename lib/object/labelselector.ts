import { formatValue } from './fielderror.ts'
import { validateLabelValue, validateQualifiedName } from './names.ts'

type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt'

/** One condition on a label. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  /** Sorted and without duplicates; one for comparisons, none for `exists` and `!`. */
  readonly values: readonly string[]
}

export type Labels = Readonly<Record<string, string>> | undefined

/** All of its requirements must hold. */
export interface LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[]
  /** No requirement: everything matches. */
  readonly empty: boolean
  matches(labels: Labels): boolean
  /** In the query's grammar: `a=b,!c,d in (e)`. */
  toString(): string
}

/** The selector in objects (`spec.selector`). */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

/** Limits on a client's selectors. */
export const selectorCharactersMax = 512 * 1024
export const selectorRequirementsMax = 10_000

const everythingSelector: LabelSelector = selectorOf([])
/** A missing selector object matches nothing. */
export const nothingSelector: LabelSelector = Object.freeze({
  requirements: [],
  empty: false,
  matches: () => false,
  toString: () => '',
})

/** Parses a `labelSelector` query. Throws an Error with the text that clients see. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return everythingSelector
  if (text.length > selectorCharactersMax) {
    throw new Error(`unable to parse requirement: must be no more than ${selectorCharactersMax} characters`)
  }
  return selectorOf(new Parser(text).parse())
}

/** A selector of equalities. */
export function selectorFromLabels(labels: Labels): LabelSelector {
  return selectorOf(Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] })))
}

/** Undefined selects nothing, {} everything. Throws an Error with the text that clients see. */
export function labelSelectorFromObject(selector: LabelSelectorObject | undefined): LabelSelector {
  if (selector === undefined) return nothingSelector
  const requirements = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    makeRequirement(key, '=', [value], 'key'),
  )
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const known = objectOperators.get(operator)
    if (known === undefined) throw new Error(`${formatValue(operator)} is not a valid label selector operator`)
    requirements.push(makeRequirement(key, known, values, 'key'))
  }
  return selectorOf(requirements)
}

/** A selector object in the form of tables: `<none>` when it is missing or empty, `<error>` when it is invalid. */
export function formatLabelSelector(selector: LabelSelectorObject | undefined): string {
  try {
    return labelSelectorFromObject(selector).toString() || '<none>'
  } catch {
    return '<error>'
  }
}

const objectOperators = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
])

function selectorOf(unsorted: readonly LabelRequirement[]): LabelSelector {
  if (unsorted.length > selectorRequirementsMax) {
    throw new Error(`unable to parse requirement: must have at most ${selectorRequirementsMax} requirements`)
  }
  const requirements = unsorted.toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
  const tests = requirements.map(compile)
  const [only] = tests
  return Object.freeze({
    requirements,
    empty: requirements.length === 0,
    matches:
      tests.length === 1 && only !== undefined
        ? only
        : (labels: Labels): boolean => {
            for (const test of tests) if (!test(labels)) return false
            return true
          },
    toString: () => requirements.map(formatRequirement).join(','),
  })
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const joined = values.join(',')
  if (operator === 'exists') return key
  if (operator === '!') return `!${key}`
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${joined})`
  return `${key}${operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator}${joined}`
}

function compile({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ''] = values
  switch (operator) {
    case '=':
    case '==':
      return (labels) => valueOf(labels, key) === first
    case '!=':
      return (labels) => valueOf(labels, key) !== first
    case 'exists':
      return (labels) => valueOf(labels, key) !== undefined
    case '!':
      return (labels) => valueOf(labels, key) === undefined
    case 'in':
    case 'notin': {
      const set = new Set(values)
      const wanted = operator === 'in'
      return (labels) => {
        const value = valueOf(labels, key)
        return (value !== undefined && set.has(value)) === wanted
      }
    }
    case 'gt':
    case 'lt': {
      const bound = parseInt64(first)
      return (labels) => {
        const value = parseInt64(valueOf(labels, key))
        if (value === undefined || bound === undefined) return false
        return operator === 'gt' ? value > bound : value < bound
      }
    }
  }
}

function valueOf(labels: Labels, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
}

function parseInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,64}$/.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** `keyPath` is the key's name in errors: a query has no path for it. */
function makeRequirement(
  key: string,
  operator: LabelOperator,
  written: readonly string[],
  keyPath: string,
): LabelRequirement {
  const findings = keyFindings(key, keyPath)
  const values = [...new Set(written)].sort()
  const invalid = (field: string, value: unknown, detail: string): void => {
    findings.push(`${field}: Invalid value: ${formatValue(value)}: ${detail}`)
  }
  const inObject = keyPath !== '<nil>'
  if ((operator === 'in' || operator === 'notin') && inObject && values.length === 0) {
    invalid('values', [], "for 'in', 'notin' operators, values set can't be empty")
  } else if ((operator === 'exists' || operator === '!') && values.length > 0) {
    invalid('values', values, 'values set must be empty for exists and does not exist')
  } else if (operator === 'gt' || operator === 'lt') {
    for (const [index, value] of values.entries()) {
      if (parseInt64(value) === undefined) {
        invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")
      }
    }
  }
  for (const [index, value] of values.entries()) {
    const wrong = validateLabelValue(value)
    if (wrong.length > 0) invalid(`values[${index}][${key}]`, value, wrong.join('; '))
  }
  if (findings.length > 0) throw new Error(findings.length === 1 ? findings[0] : `[${findings.join(', ')}]`)
  return { key, operator, values }
}

function keyFindings(key: string, path: string): string[] {
  const wrong = validateQualifiedName(key)
  return wrong.length === 0 ? [] : [`${path}: Invalid value: ${formatValue(key)}: ${wrong.join('; ')}`]
}

interface Token {
  readonly kind: 'word' | 'end' | ',' | '(' | ')' | '!' | '=' | '==' | '!=' | '>' | '<'
  readonly text: string
}

const symbols = ['==', '!=', ',', '(', ')', '!', '=', '>', '<'] as const
const infixOperators = new Map<string, LabelOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
])

/** requirement {"," requirement}; see formatRequirement for the form of a requirement. */
class Parser {
  readonly #tokens: Token[]
  #next = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = []
    if (this.#peek().kind === 'end') return requirements
    for (;;) {
      const start = this.#peek()
      if (start.kind !== 'word' && start.kind !== '!') {
        throw new Error(`found '${start.text}', expected: !, identifier, or 'end of string'`)
      }
      requirements.push(this.#namedRequirement())
      const separator = this.#take()
      if (separator.kind === 'end') return requirements
      if (separator.kind !== ',') throw new Error(`found '${separator.text}', expected: ',' or 'end of string'`)
      const follower = this.#peek()
      if (follower.kind !== 'word' && follower.kind !== '!') {
        throw new Error(`found '${follower.text}', expected: identifier after ','`)
      }
    }
  }

  #namedRequirement(): LabelRequirement {
    try {
      return this.#requirement()
    } catch (cause) {
      throw new Error(`unable to parse requirement: ${cause instanceof Error ? cause.message : ''}`, { cause })
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().kind === '!'
    if (negated) this.#take()
    const key = this.#take()
    if (key.kind !== 'word') throw new Error(`found '${key.text}', expected: identifier`)
    const findings = keyFindings(key.text, '<nil>')
    if (findings.length > 0) throw new Error(findings[0])
    if (negated) return makeRequirement(key.text, '!', [], '<nil>')
    const { kind } = this.#peek()
    if (kind === 'end' || kind === ',') return makeRequirement(key.text, 'exists', [], '<nil>')
    const written = this.#take()
    const operator = infixOperators.get(written.text)
    if (operator === undefined) {
      throw new Error(`found '${written.text}', expected: in, notin, =, ==, !=, gt, lt`)
    }
    const values = operator === 'in' || operator === 'notin' ? this.#values() : this.#exactValue()
    return makeRequirement(key.text, operator, values, '<nil>')
  }

  #exactValue(): string[] {
    const { kind } = this.#peek()
    if (kind === 'end' || kind === ',') return ['']
    const value = this.#take()
    if (value.kind !== 'word') throw new Error(`found '${value.text}', expected: identifier`)
    return [value.text]
  }

  /** "(" [value] {"," [value]} ")": a missing value is the empty one, also in "()". */
  #values(): string[] {
    const open = this.#take()
    if (open.kind !== '(') throw new Error(`found '${open.text}' expected: '('`)
    const first = this.#peek()
    if (first.kind === ')') {
      this.#take()
      return ['']
    }
    if (first.kind !== 'word' && first.kind !== ',') {
      throw new Error(`found '${first.text}', expected: ',', ')' or identifier`)
    }
    const values: string[] = []
    let expectsValue = true
    for (;;) {
      const token = this.#take()
      if (token.kind === ')') {
        if (expectsValue) values.push('')
        return values
      }
      if (token.kind === 'word' && expectsValue) values.push(token.text)
      else if (token.kind === ',' && expectsValue) values.push('')
      else if (token.kind !== ',') {
        throw new Error(`found '${token.text}', expected: ${expectsValue ? "',', or identifier" : "',' or ')'"}`)
      }
      expectsValue = token.kind === ','
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? end
  }
  #take(): Token {
    return this.#tokens[this.#next++] ?? end
  }
}

const end: Token = { kind: 'end', text: '' }
const wordOrSpace = /[ \t\r\n]*([^ \t\r\n=!(),><]*)/y

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    wordOrSpace.lastIndex = at
    const match = wordOrSpace.exec(text)
    at += match?.[0].length ?? 0
    const word = match?.[1] ?? ''
    if (word !== '') {
      tokens.push({ kind: 'word', text: word })
      continue
    }
    if (at >= text.length) return tokens
    const symbol = symbols.find((candidate) => text.startsWith(candidate, at))
    if (symbol === undefined) return tokens
    tokens.push({ kind: symbol, text: symbol })
    at += symbol.length
  }
}
