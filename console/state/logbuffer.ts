import { visible } from './visible.ts'

export interface LogLine {
  /** Position of its source. */
  readonly source: number
  /** As the container wrote it. */
  readonly text: string
  /** Counts all lines, dropped ones too. */
  readonly number: number
}

/** Whether a line is to be shown. */
export type LineFilter = (text: string) => boolean

interface LogLimits {
  readonly linesMax: number
  readonly charactersMax: number
}

/**
 * The latest lines of logs, within limits of lines and characters, and those of them that a filter lets pass. Filtering works
 * in steps, so that many lines, or a costly expression, don't hold the page.
 */
export class LogBuffer {
  readonly #limits: LogLimits
  readonly #lines: LogLine[] = []
  #characters = 0
  #next = 0
  #filter: LineFilter | undefined
  #passed: LogLine[] = []
  /** Number of the next line to be filtered. */
  #unfiltered = 0

  constructor(limits: LogLimits = { linesMax: 20_000, charactersMax: 20_000_000 }) {
    this.#limits = limits
  }

  get lines(): readonly LogLine[] {
    return this.#lines
  }

  /** Those that the filter has let pass so far. */
  get shown(): readonly LogLine[] {
    return this.#filter ? this.#passed : this.#lines
  }

  add(source: number, texts: readonly string[]): void {
    for (const text of texts) {
      this.#lines.push({ source, text, number: this.#next++ })
      this.#characters += text.length
    }
    this.#shrink()
  }

  clear(): void {
    this.#lines.length = 0
    this.#characters = 0
    this.filterBy(this.#filter)
  }

  /** Begins again with another filter; undefined shows all lines. */
  filterBy(filter: LineFilter | undefined): void {
    this.#filter = filter
    this.#passed = []
    this.#unfiltered = this.#lines[0]?.number ?? this.#next
  }

  /** Filters for about the time; false: there is more to do. */
  step(budgetMs: number): boolean {
    if (!this.#filter) return true
    const until = performance.now() + budgetMs
    const [first] = this.#lines
    if (first === undefined) return true
    let at = Math.max(0, this.#unfiltered - first.number)
    for (; at < this.#lines.length && performance.now() < until; at++) {
      const line = this.#lines[at]
      if (line && this.#filter(line.text)) this.#passed.push(line)
    }
    this.#unfiltered = first.number + at
    return at >= this.#lines.length
  }

  /** A tenth more than what is too much, so that this happens seldom. */
  #shrink(): void {
    const { linesMax, charactersMax } = this.#limits
    if (this.#lines.length <= linesMax && this.#characters <= charactersMax) return
    let dropped = 0
    let characters = this.#characters
    while (this.#lines.length - dropped > linesMax * 0.9 || characters > charactersMax * 0.9)
      characters -= this.#lines[dropped++]?.text.length ?? 0
    this.#lines.splice(0, dropped)
    this.#characters = characters
    const oldest = this.#lines[0]?.number ?? this.#next
    const passed = this.#passed.findIndex(({ number }) => number >= oldest)
    this.#passed.splice(0, passed < 0 ? this.#passed.length : passed)
  }
}

/** Characters of a line that are shown and searched; the download has all. */
const lineCharactersMax = 5000

// oxlint-disable-next-line no-control-regex -- the escapes to remove
const colours = /\x1b\[[\d;]*m/g

/** A line to be shown: without colours, every other escape and mark as a sign, and not endless. */
export function shownLine(text: string): string {
  const beginning = text.length > lineCharactersMax ? text.slice(0, lineCharactersMax) : text
  const rest = text.length - beginning.length
  return visible(beginning.replaceAll(colours, '')) + (rest > 0 ? ` … (+${rest})` : '')
}
