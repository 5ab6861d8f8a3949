/** A pair with a semicolon, or with a malformed escape. */
const badPair = /;|%(?![0-9a-f]{2})/i

/**
 * The parameters of a request target. Pairs with a semicolon or a malformed escape are left out, as Go's servers do:
 * authorization must not read what an aggregated server or another replica, which get the same text, would not.
 */
export function parseQuery(target: string): URLSearchParams {
  const mark = target.indexOf('?')
  if (mark < 0) return new URLSearchParams()
  const text = target.slice(mark + 1)
  if (!badPair.test(text)) return new URLSearchParams(keepingMark(text))
  const pairs = text.split('&').filter((pair) => !badPair.test(pair))
  return new URLSearchParams(keepingMark(pairs.join('&')))
}

/** A second question mark belongs to the first name; URLSearchParams would drop it. */
function keepingMark(text: string): string {
  return text.startsWith('?') ? `&${text}` : text
}
