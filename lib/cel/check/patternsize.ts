/** Patterns up to this size compile within some 70 ms on a slow machine. */
export const patternSizeMax = 40_000

/**
 * Approximates the number of instructions that RE2 compiles a pattern to, and of its characters: compiling takes 1 to 2
 * µs for each. One pass without validation; `{n,m}` multiplies the size of its operand, also in nested groups.
 */
export function patternSize(pattern: string): number {
  return pattern.length + new PatternReader(pattern).size()
}

/** A character class is a list of ranges; ignoring case adds more ranges. */
const charactersARange = 4
const groupSize = 2

class PatternReader {
  readonly #pattern: string
  /** Sizes of the enclosing groups up to here, outermost first, without the open one. */
  readonly #around: number[] = []
  #at = 0
  /** Size of the open group up to here, without its last atom. */
  #sum = 0
  /** The last atom, to which a repetition applies. */
  #last = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  size(): number {
    while (this.#at < this.#pattern.length) this.#step()
    while (this.#around.length > 0) this.#closeGroup()
    return this.#sum + this.#last
  }

  #step(): void {
    const character = this.#pattern[this.#at++] ?? ''
    switch (character) {
      case '\\':
        return this.#escape()
      case '[':
        return this.#atom(this.#classSize())
      case '(':
        this.#around.push(this.#sum + this.#last)
        this.#sum = 0
        this.#last = 0
        return
      case ')':
        return this.#closeGroup()
      case '{':
        return this.#repeat()
      case '*':
      case '+':
      case '?':
        this.#last++
        return
      default:
        return this.#atom(1)
    }
  }

  #atom(size: number): void {
    this.#sum += this.#last
    this.#last = size
  }

  #closeGroup(): void {
    this.#last += this.#sum + groupSize
    this.#sum = this.#around.pop() ?? 0
  }

  #escape(): void {
    const character = this.#pattern[this.#at++]
    if (character === 'Q') {
      const end = this.#pattern.indexOf('\\E', this.#at)
      const to = end < 0 ? this.#pattern.length : end
      this.#atom(to - this.#at)
      this.#at = end < 0 ? to : to + 2
      return
    }
    const isNamed = (character === 'p' || character === 'P' || character === 'x') && this.#pattern[this.#at] === '{'
    const end = isNamed ? this.#pattern.indexOf('}', this.#at) : -1
    if (end > 0) this.#at = end + 1
    this.#atom(2)
  }

  /** Reads from behind the bracket to behind the class. */
  #classSize(): number {
    const from = this.#at
    if (this.#pattern[this.#at] === '^') this.#at++
    // A closing bracket in the first place is one of the characters.
    if (this.#pattern[this.#at] === ']') this.#at++
    for (; this.#at < this.#pattern.length; this.#at++) {
      const character = this.#pattern[this.#at]
      if (character === '\\') this.#at++
      else if (character === '[' && this.#pattern[this.#at + 1] === ':') this.#skipNamedClass()
      else if (character === ']') break
    }
    this.#at++
    return 1 + (this.#at - from) / charactersARange
  }

  #skipNamedClass(): void {
    const end = this.#pattern.indexOf(':]', this.#at + 2)
    if (end > 0) this.#at = end + 1
  }

  #repeat(): void {
    const repeat = /(\d{1,4})(?:,(\d{0,4}))?\}/y
    repeat.lastIndex = this.#at
    const found = repeat.exec(this.#pattern)
    if (!found) return this.#atom(1)
    this.#at = repeat.lastIndex
    const [, low = '', high = ''] = found
    this.#last *= Math.max(1, Number(low), Number(high))
  }
}
