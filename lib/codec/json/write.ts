/**
 * Writes JSON like Go's encoder: `<`, `>`, `&`, U+2028 and U+2029 escaped, no spaces, or two spaces a level when
 * pretty. Lone surrogates (which no UTF-8 has) become U+FFFD.
 */
export function writeJson(tree: unknown, { ordered = false, pretty = false } = {}): string {
  return escaped(ordered ? writeOrdered(tree, pretty ? 0 : undefined) : stringify(tree, pretty))
}

function escaped(text: string): string {
  return loneSurrogate.test(text) || special.test(text) ? text.replace(escapable, escape) : text
}

const special = /[<>&\u2028\u2029]/
/** JSON.stringify writes lone surrogates as escapes. */
const loneSurrogate = /\\ud[89a-f]/
const escapable = /\\\\|\\ud[89a-f][0-9a-f]{2}|[<>&\u2028\u2029]/g
const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function escape(found: string): string {
  if (found === '\\\\') return found
  return escapes[found] ?? '\ufffd'
}

function stringify(tree: unknown, pretty: boolean): string {
  try {
    return JSON.stringify(tree, undefined, pretty ? 2 : undefined)
  } catch (error) {
    // Embedded values may contain a bigint, which JSON.stringify refuses.
    if (error instanceof TypeError) return writeOrdered(tree, pretty ? 0 : undefined)
    throw error
  }
}

/** Writes like JSON.stringify, and also Map (in its own order) and bigint. */
function writeOrdered(value: unknown, level: number | undefined): string {
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = level === undefined ? undefined : level + 1
  if (Array.isArray(value))
    return enclose(
      '[',
      value.map((item) => writeOrdered(item, inner)),
      ']',
      level,
    )
  const entries = value instanceof Map ? value.entries() : Object.entries(value)
  const colon = level === undefined ? ':' : ': '
  const parts: string[] = []
  for (const [key, item] of entries)
    if (item !== undefined) parts.push(JSON.stringify(key) + colon + writeOrdered(item, inner))
  return enclose('{', parts, '}', level)
}

function enclose(open: string, parts: readonly string[], close: string, level: number | undefined): string {
  if (parts.length === 0) return open + close
  if (level === undefined) return open + parts.join(',') + close
  const [outer, inner] = ['  '.repeat(level), '  '.repeat(level + 1)]
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${close}`
}
