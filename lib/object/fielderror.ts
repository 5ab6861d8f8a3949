import { jsonText } from './json.ts'

/** Reasons in Status causes. */
export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError'

const titles: Record<FieldErrorReason, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
}

const valueless = new Set<FieldErrorReason>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
])

/** The path of a field in an object: a linked list, formatted only when an error needs it. */
export class FieldPath {
  readonly #parent: FieldPath | undefined
  readonly #step: string
  readonly #keyed: boolean

  private constructor(parent: FieldPath | undefined, step: string, keyed: boolean) {
    this.#parent = parent
    this.#step = step
    this.#keyed = keyed
  }

  static root(name: string): FieldPath {
    return new FieldPath(undefined, name, false)
  }
  /** `spec` → `spec.ports`. */
  child(name: string): FieldPath {
    return new FieldPath(this, name, false)
  }
  /** `spec.ports` → `spec.ports[3]`. */
  index(index: number): FieldPath {
    return new FieldPath(this, String(index), true)
  }
  /** `metadata.labels` → `metadata.labels[app]`. */
  key(key: string): FieldPath {
    return new FieldPath(this, key, true)
  }
  toString(): string {
    const own = this.#keyed ? `[${this.#step}]` : this.#step
    if (!this.#parent) return own
    const parent = this.#parent.toString()
    if (this.#keyed) return parent + own
    return parent === '' ? own : `${parent}.${own}`
  }
}

/** The message of `fieldErrors.immutable`. */
export const immutableText = 'field is immutable'

/** One error of a validator. `message` is the cause's message: `Invalid value: "x": must be …`. */
export interface FieldError {
  readonly reason: FieldErrorReason
  readonly field: string
  readonly message: string
}

function make(reason: FieldErrorReason, path: FieldPath | string, value: unknown, detail: string): FieldError {
  const field = String(path)
  if (typeof value === 'object' && value !== null) return showingObject(reason, field, value, detail)
  return { reason, field, message: messageOf(reason, value, detail) }
}

function messageOf(reason: FieldErrorReason, value: unknown, detail: string): string {
  let message = titles[reason]
  if (!valueless.has(reason)) message += `: ${formatValue(value)}`
  if (detail !== '') message += `: ${detail}`
  return message
}

/** Formats the value lazily: many errors that each show a whole list would take quadratic time. */
function showingObject(reason: FieldErrorReason, field: string, value: object, detail: string): FieldError {
  let message: string | undefined
  return {
    reason,
    field,
    get message() {
      return (message ??= messageOf(reason, value, detail))
    },
  }
}

/** Strings as Go quotes them, numbers and booleans bare, the rest as JSON. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'object') return htmlSafe(jsonText(value))
  return String(value)
}

/** As Go's JSON encoder writes it, safe within a script of a page. */
function htmlSafe(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Go's %q for a string: JSON's escapes, with \x and \u forms for unprintable characters and \a \v. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text).replace(/\\u00([01][0-9a-f])/g, (whole, hex: string) => {
    if (hex === '07') return '\\a'
    if (hex === '0b') return '\\v'
    return `\\x${hex}`
  })
  return /^[ -~]*$/.test(quoted) ? quoted : quoted.replace(unprintable, escaped)
}

/** Everything that Go does not print: all but letters, marks, numbers, punctuation, symbols and the plain space. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return `\\x${code.toString(16)}`
  const hex = code.toString(16)
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

export const fieldErrors = {
  notFound: (path: FieldPath | string, value: unknown): FieldError => make('FieldValueNotFound', path, value, ''),
  required: (path: FieldPath | string, detail = ''): FieldError => make('FieldValueRequired', path, '', detail),
  duplicate: (path: FieldPath | string, value: unknown): FieldError => make('FieldValueDuplicate', path, value, ''),
  invalid: (path: FieldPath | string, value: unknown, detail: string): FieldError =>
    make('FieldValueInvalid', path, value, detail),
  /** Without the value: it is long, or not the only cause. */
  invalidBare: (path: FieldPath | string, detail: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: String(path),
    message: `${titles.FieldValueInvalid}: ${detail}`,
  }),
  /** For a field that can't be changed. `value`: its new value. */
  immutable: (path: FieldPath | string, value: unknown): FieldError =>
    make('FieldValueInvalid', path, value, immutableText),
  typeInvalid: (path: FieldPath | string, value: unknown, detail: string): FieldError =>
    make('FieldValueTypeInvalid', path, value, detail),
  /** Messages print `supported` in this order. */
  notSupported: (path: FieldPath | string, value: unknown, supported: readonly string[]): FieldError =>
    make(
      'FieldValueNotSupported',
      path,
      value,
      supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`,
    ),
  forbidden: (path: FieldPath | string, detail: string): FieldError => make('FieldValueForbidden', path, '', detail),
  tooLong: (path: FieldPath | string, bytesMax: number): FieldError =>
    make('FieldValueTooLong', path, '', `may not be more than ${bytesMax} ${bytesMax === 1 ? 'byte' : 'bytes'}`),
  tooLongCharacters: (path: FieldPath | string, charactersMax: number): FieldError =>
    make(
      'FieldValueTooLong',
      path,
      '',
      `may not be more than ${charactersMax} ${charactersMax === 1 ? 'character' : 'characters'}`,
    ),
  tooMany: (path: FieldPath | string, actual: number, itemsMax: number): FieldError =>
    make('FieldValueTooMany', path, actual, `must have at most ${itemsMax} ${itemsMax === 1 ? 'item' : 'items'}`),
  tooFew: (path: FieldPath | string, actual: number, itemsMin: number): FieldError =>
    make('FieldValueTooFew', path, actual, `must have at least ${itemsMin} ${itemsMin === 1 ? 'item' : 'items'}`),
  internal: (path: FieldPath | string, detail: string): FieldError => make('InternalError', path, '', detail),
} as const
