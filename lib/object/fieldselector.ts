export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** All of its requirements must hold; a missing field counts as ''. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[]
  readonly empty: boolean
  matches(fields: Readonly<Record<string, string>>): boolean
  /** The value that the selector requires of a field (`metadata.name=x` → x). */
  exactMatch(field: string): string | undefined
  /** `a=b,c!=d`, values escaped. */
  toString(): string
}

const fieldSelectorCharactersMax = 512 * 1024
export const fieldSelectorTermsMax = 10_000

const everyField: FieldSelector = fieldSelectorOf([])

/** Parses a `fieldSelector` query. Throws an Error with the text that clients see. */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return everyField
  if (text.length > fieldSelectorCharactersMax) {
    throw new Error(`invalid field selector: must be no more than ${fieldSelectorCharactersMax} characters`)
  }
  const requirements: FieldRequirement[] = []
  for (const term of splitTerms(text)) {
    const requirement = term === '' ? undefined : parseTerm(term, text)
    if (requirement) requirements.push(requirement)
  }
  if (requirements.length > fieldSelectorTermsMax) {
    throw new Error(`invalid field selector: must have at most ${fieldSelectorTermsMax} terms`)
  }
  return fieldSelectorOf(requirements)
}

/**
 * The selector with each requirement passed through `transform` (which maps a kind's aliases, and throws for fields
 * that can't be selected by). An undefined result drops the requirement.
 */
export function transformFieldSelector(
  selector: FieldSelector,
  transform: (field: string, value: string) => { field: string; value: string } | undefined,
): FieldSelector {
  const requirements: FieldRequirement[] = []
  for (const { field, operator, value } of selector.requirements) {
    const changed = transform(field, value)
    if (changed !== undefined) requirements.push({ field: changed.field, operator, value: changed.value })
  }
  return fieldSelectorOf(requirements)
}

function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return Object.freeze({
    requirements,
    empty: requirements.length === 0,
    matches(fields: Readonly<Record<string, string>>): boolean {
      for (const { field, operator, value } of requirements) {
        const actual = Object.hasOwn(fields, field) ? fields[field] : ''
        if ((actual === value) !== (operator === '=')) return false
      }
      return true
    },
    exactMatch: (field: string) =>
      requirements.find((requirement) => requirement.field === field && requirement.operator === '=')?.value,
    toString: () =>
      requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(','),
  })
}

/** Escapes backslash, comma and equals sign with a backslash. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

/** Undefined for a term with neither field nor value, which has no effect. */
function parseTerm(term: string, text: string): FieldRequirement | undefined {
  const operator = /!=|==?/.exec(term)
  if (operator === null) throw new Error(`invalid selector: '${text}'; can't understand '${term}'`)
  const field = term.slice(0, operator.index)
  const value = unescape(term.slice(operator.index + operator[0].length))
  if (field === '' && value === '') return undefined
  return { field, operator: operator[0] === '!=' ? '!=' : '=', value }
}

function unescape(text: string): string {
  let value = ''
  let escaped = false
  for (const character of text) {
    const special = character === '\\' || character === ',' || character === '='
    if (escaped) {
      if (!special) throw new Error(`invalid field selector: invalid escape sequence: \\${character}`)
      value += character
      escaped = false
    } else if (character === '\\') escaped = true
    else if (special) {
      throw new Error(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`)
    } else value += character
  }
  if (escaped) throw new Error('invalid field selector: invalid escape sequence: \\')
  return value
}
