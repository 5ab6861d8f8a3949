/** A body can't be decoded; the message is the text that clients see. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** Objects and lists within each other that a body may have; more is refused before anything recurses over it. */
export const nestingMax = 1000
