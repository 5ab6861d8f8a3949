import { setField } from './meta.ts'

/**
 * Parses a JSON text with content of others as JSON.parse does. Throws SyntaxError.
 *  V8 of Node 26 guesses the keys of a text from objects that it has parsed before, and compares the guess with the raw
 *  text: once JSON.parse has seen the key `a\`, it reads the key `a"` (written `a\"`) as that one, for all users. Keys
 *  with a backslash are therefore kept from it.
 */
export function parseJsonText(text: string): unknown {
  return misleadsJsonParse(text) ? parseMarked(text) : JSON.parse(text)
}

/** Whether a key of the text has a backslash, so that JSON.parse must not see it. */
export function misleadsJsonParse(text: string): boolean {
  if (!hasBackslash(text)) return false
  for (const [, inside = '', colon] of text.matchAll(strings))
    if (colon !== undefined && hasBackslash(inside)) return true
  return false
}

/** Every string of a JSON text: the text between its quotes, and the colon behind it if it is a key. */
const strings = /"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\r\n]*:)?/g

/** True also for an escaped backslash followed by `u005c`. */
function hasBackslash(written: string): boolean {
  return written.includes('\\\\') || /\\u005c/i.test(written)
}

/** Maximum nesting of a text that is parsed in this way. */
const nestingMax = 2000

/** A character that no JSON text contains unescaped: no guessed key with it matches a text. */
const mark = '\\u0001'

/** Adds a mark to each key before JSON.parse reads the text, and removes it afterwards. */
function parseMarked(text: string): unknown {
  const marked = text.replaceAll(strings, (whole: string, inside: string, colon: string | undefined) =>
    colon === undefined ? whole : `"${inside}${mark}"${colon}`,
  )
  return withoutMarks(JSON.parse(marked), 0)
}

function withoutMarks(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > nestingMax) throw new SyntaxError('exceeded max depth')
  if (Array.isArray(value)) return value.map((item) => withoutMarks(item, depth + 1))
  const object: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) setField(object, key.slice(0, -1), withoutMarks(inner, depth + 1))
  return object
}
