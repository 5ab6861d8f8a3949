/** A body can't be decoded; clients see the message. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
  /** Line of the error, from 1 on; undefined when unknown, and for binary formats. */
  readonly line: number | undefined

  constructor(message: string, options: { cause?: unknown; line?: number } = {}) {
    super(message, { cause: options.cause })
    this.line = options.line
  }
}

/** Maximum nesting of objects and lists in a body; deeper ones are refused before any recursion. */
export const nestingMax = 1000
