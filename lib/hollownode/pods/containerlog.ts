/** One line of a container's output. */
export interface LogLine {
  readonly atMs: number
  readonly stream: 'stdout' | 'stderr'
  /** With its end of line. */
  readonly text: string
}

/** Lines of one container that are kept; older ones are dropped. */
const linesMax = 5000
/** Characters of these lines; more are dropped with the lines that hold them. */
const charactersMax = 1024 * 1024
/** A longer line is cut into several. */
const lineCharactersMax = 16 * 1024

/** The output of one run of a container, as lines. */
export class ContainerLog {
  readonly #lines: LogLine[] = []
  readonly #followers = new Set<(line: LogLine | undefined) => void>()
  readonly #rest = { stdout: '', stderr: '' }
  #characters = 0
  #hasEnded = false

  get lines(): readonly LogLine[] {
    return this.#lines
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Number of those who follow now. */
  get followers(): number {
    return this.#followers.size
  }

  write(stream: LogLine['stream'], data: string, atMs: number): void {
    let text = this.#rest[stream] + data
    for (;;) {
      const end = text.indexOf('\n') + 1
      if (end === 0 && text.length < lineCharactersMax) break
      const length = end === 0 ? lineCharactersMax : end
      this.#add({ atMs, stream, text: text.slice(0, length) })
      text = text.slice(length)
    }
    this.#rest[stream] = text
  }

  /** Nothing more comes. */
  end(atMs: number): void {
    for (const stream of ['stdout', 'stderr'] as const)
      if (this.#rest[stream] !== '') this.#add({ atMs, stream, text: this.#rest[stream] })
    this.#hasEnded = true
    for (const follower of this.#followers) follower(undefined)
    this.#followers.clear()
  }

  /** Calls with each further line, and once with undefined at the end; returns a function that ends this. */
  follow(follower: (line: LogLine | undefined) => void): () => void {
    if (this.#hasEnded) follower(undefined)
    else this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  #add(line: LogLine): void {
    this.#lines.push(line)
    this.#characters += line.text.length
    while (this.#lines.length > linesMax || this.#characters > charactersMax)
      for (const { text } of this.#lines.splice(0, Math.ceil(this.#lines.length / 10))) this.#characters -= text.length
    for (const follower of this.#followers) follower(line)
  }
}
