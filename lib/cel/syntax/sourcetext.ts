/** An error in an expression's text. Lines count from 1, columns from 0, in code points; line -1: no position. */
export interface Issue {
  readonly line: number
  readonly column: number
  readonly message: string
}

const issuesShownMax = 100

/**
 * Collects the errors of one text and prints them in the form that CEL users know (`ERROR: <input>:1:5: …` with a
 * caret).
 */
export class SourceText {
  readonly text: string
  readonly issues: Issue[] = []
  readonly #lineStarts: number[] = [0]

  constructor(text: string) {
    this.text = text
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1)
  }

  /** Reports an error at a UTF-16 offset; -1: without a position. */
  report(offset: number, message: string): void {
    if (offset < 0) this.issues.push({ line: -1, column: -1, message })
    else this.issues.push({ ...this.#locate(offset), message })
  }

  /** The text of all errors, in the order of their positions, without duplicates. */
  toString(): string {
    const sorted = this.issues.toSorted((a, b) => a.line - b.line || a.column - b.column)
    const shown: string[] = []
    for (const issue of sorted) {
      const text = this.#print(issue)
      if (shown.at(-1) !== text) shown.push(text)
    }
    const rest = shown.length - issuesShownMax
    if (rest <= 0) return shown.join('\n')
    return [...shown.slice(0, issuesShownMax), `${rest} more errors were truncated`].join('\n')
  }

  #print(issue: Issue): string {
    const head = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`
    if (issue.line < 1 || issue.column < 0) return head
    const line = this.#line(issue.line)
    if (line === '') return head
    const characters = Array.from(line)
    const dots = characters.slice(0, issue.column).map((c) => (isWide(c) ? '．' : '.'))
    const at = characters[issue.column]
    return `${head}\n | ${line}\n | ${dots.join('')}${at !== undefined && isWide(at) ? '＾' : '^'}`
  }

  #line(line: number): string {
    const start = this.#lineStarts[line - 1] ?? 0
    const end = this.#lineStarts[line]
    return this.text.slice(start, end === undefined ? undefined : end - 1).replaceAll('\t', ' ')
  }

  #locate(offset: number): { line: number; column: number } {
    // The reference parser puts the end of an empty text before its first column.
    if (this.text === '') return { line: 1, column: -1 }
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const start = this.#lineStarts[low] ?? 0
    let column = 0
    for (const _ of this.text.slice(start, offset)) column++
    return { line: low + 1, column }
  }
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f
}
