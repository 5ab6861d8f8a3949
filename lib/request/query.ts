/** The parameters of a request, which nothing may change: authorization, audit and handlers read the same ones. */
export interface QueryParameters extends Iterable<[name: string, value: string]> {
  /** Number of pairs. */
  readonly size: number
  /** The first value; null without one. */
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  /** `a=1&b=2`, with escapes. */
  toString(): string
}

/** A pair with a semicolon, or with a malformed escape. */
const badPair = /;|%(?![0-9a-f]{2})/i

/** Text in which nothing has to be decoded and no pair can be bad. */
const plainText = /^[!-$&-*,-:<-~]*$/

/**
 * The parameters of a request target. Pairs with a semicolon or a malformed escape are left out, as Go's servers do:
 * authorization must not read what an aggregated server or another replica, which get the same text, would not.
 */
export function parseQuery(target: string): QueryParameters {
  const mark = target.indexOf('?')
  if (mark < 0 || mark === target.length - 1) return noParameters
  const text = target.slice(mark + 1)
  // Such as `resourceVersion=0` and `watch=true&limit=500`: a third of the time of URLSearchParams.
  if (plainText.test(text)) return new PlainParameters(plainPairs(text))
  if (!badPair.test(text)) return new URLSearchParams(keepingMark(text))
  const pairs = text.split('&').filter((pair) => !badPair.test(pair))
  return new URLSearchParams(keepingMark(pairs.join('&')))
}

/** A second question mark belongs to the first name; URLSearchParams would drop it. */
function keepingMark(text: string): string {
  return text.startsWith('?') ? `&${text}` : text
}

/** Names and values in turn. */
function plainPairs(text: string): string[] {
  const pairs: string[] = []
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      const sign = text.indexOf('=', start)
      if (sign < 0 || sign >= end) pairs.push(text.slice(start, end), '')
      else pairs.push(text.slice(start, sign), text.slice(sign + 1, end))
    }
    start = end + 1
  }
  return pairs
}

class PlainParameters implements QueryParameters {
  readonly #pairs: readonly string[]

  constructor(pairs: readonly string[]) {
    this.#pairs = pairs
  }

  get size(): number {
    return this.#pairs.length / 2
  }

  get(name: string): string | null {
    const pairs = this.#pairs
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return pairs[at + 1] ?? ''
    return null
  }

  getAll(name: string): string[] {
    return [...this].filter(([each]) => each === name).map(([, value]) => value)
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    const pairs = this.#pairs
    for (let at = 0; at < pairs.length; at += 2) yield [pairs[at] ?? '', pairs[at + 1] ?? '']
  }

  toString(): string {
    return new URLSearchParams([...this]).toString()
  }
}

const noParameters: QueryParameters = Object.freeze(new PlainParameters([]))
