/** A value of a template: what JSON has; undefined is Go's nil, and the value of a key that is missing. */
export type Value = undefined | boolean | number | string | readonly Value[] | Tree

export interface Tree {
  readonly [key: string]: Value
}

/** A mistake in a template. `line` counts from 1 at its first line. */
export class TemplateError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.name = 'TemplateError'
    this.line = line
  }
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value)
}

/** Go's truth: everything but false, 0, nil and what is empty. */
export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0
  if (isTree(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/** A key's value; undefined where it is missing. Keys of JavaScript's own objects are none. */
export function memberOf(value: Tree, key: string): Value {
  return Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined
}

/** The name of its type in messages. */
export function typeOf(value: Value): string {
  if (value === undefined) return 'nil'
  return isList(value) ? 'list' : isTree(value) ? 'map' : typeof value
}

/** As Go prints it (`%v`). */
export function printed(value: Value): string {
  if (value === undefined) return '<nil>'
  if (isList(value)) return `[${value.map(printed).join(' ')}]`
  if (!isTree(value)) return String(value)
  const entries = Object.keys(value).toSorted()
  return `map[${entries.map((key) => `${key}:${printed(value[key])}`).join(' ')}]`
}

/** Characters of a result, and of any text that a function makes on the way. */
export const charactersMax = 128 * 1024

/** Throws an Error for a text that would be too long. */
export function checkLength(characters: number): void {
  if (characters > charactersMax) throw new Error(`a text has at most ${charactersMax} characters`)
}
