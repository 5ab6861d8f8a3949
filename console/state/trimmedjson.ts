/** Shorter texts are parsed as they are. */
const trimsFrom = 500_000
/** Members of one object, or elements of one list, that are kept. */
const membersMax = 1000

/**
 * The value of a JSON text, to be shown. Of a very long one, each object and each list keeps its first members only: parsing
 * 100,000 labels would hold the page for longer than a user waits for a key. Throws SyntaxError.
 */
export function parseTrimmed(text: string): unknown {
  return JSON.parse(text.length < trimsFrom ? text : trimJson(text, membersMax))
}

/** The JSON text with at most `max` members in every object and list. */
export function trimJson(text: string, max: number): string {
  const kept: string[] = []
  const members: number[] = [0]
  let from = 0
  /** Depth of the object or list whose rest is left out; 0: of none. */
  let cutAt = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') members.push(1)
    else if (character === ',' && cutAt === 0) {
      const depth = members.length - 1
      const count = members[depth] ?? 0
      members[depth] = count + 1
      if (count < max) continue
      kept.push(text.slice(from, at))
      cutAt = depth
    } else if (character === '}' || character === ']') {
      if (cutAt === members.length - 1 && cutAt > 0) {
        from = at
        cutAt = 0
      }
      members.pop()
    }
  }
  kept.push(text.slice(from))
  return kept.join('')
}

/** Index of the quote that ends the string whose first quote is at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
