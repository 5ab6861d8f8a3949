/** A body can't be decoded; the message is the text that clients see. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
  /** Where a text stops making sense, from 1 on; undefined when unknown, and for binary formats. */
  readonly line: number | undefined

  constructor(message: string, options: { cause?: unknown; line?: number } = {}) {
    super(message, { cause: options.cause })
    this.line = options.line
  }
}

/** Objects and lists within each other that a body may have; more is refused before anything recurses over it. */
export const nestingMax = 1000
